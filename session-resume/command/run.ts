import { copyAnswer, helpText, keyHelp, unknownText } from "../../session-core/pi/host/index.ts";
import { midnightOf } from "../../session-core/recap/index.ts";
import { liveLeases } from "../../session-core/sessions/live/index.ts";
import { dayMarkdown, dayText, listToday } from "../../session-core/sessions/today.ts";
import type { CommandContext, CommandName, ResumeContext } from "../session.ts";
import {
	type Answered,
	COMMAND_OPTIONS,
	parseCard,
	parseFrom,
	parseHere,
	parseToday,
	type TodayAction,
} from "./arguments.ts";
import { runCard } from "./recap-card.ts";
import { runFrom } from "./resume-from.ts";
import { resumeHere } from "./resume-here.ts";

export { createCompletion } from "./completion.ts";
export { continueHere } from "./continue.ts";
export { resumeSection } from "./doctor.ts";
export { followRequest } from "./requested.ts";
export { runCard };

type Run = (args: string, context: CommandContext) => Answered | Promise<void>;

function command<Action extends { type: string }>(
	parse: (args: string) => Action | Answered,
	run: (action: Action, context: CommandContext) => Promise<void>,
): Run {
	return (args, context) => {
		const action = parse(args);
		return isAnswered(action) ? action : run(action, context);
	};
}

function isAnswered(action: { type: string }): action is Answered {
	return action.type === "help" || action.type === "unknown" || action.type === "refused";
}

const RUNS: Readonly<Record<CommandName, Run>> = {
	"recap-card": command(parseCard, runCard),
	"resume-here": command(parseHere, resumeHere),
	"resume-from": command(parseFrom, runFrom),
	today: command(parseToday, runToday),
};

const KEYS: Partial<Record<CommandName, Parameters<typeof keyHelp>[0]>> = {
	"recap-card": "card",
	"resume-here": "next",
};

/** Runs a typed command. Every command shows an answer, and no command waits for a model. */
export async function runResumeCommand(
	name: CommandName,
	args: string,
	context: CommandContext,
): Promise<void> {
	const { screen, commons } = context;
	const answered = await RUNS[name](args, context);
	switch (answered?.type) {
		case "help": {
			const key = KEYS[name];
			return screen.say(helpText(name, COMMAND_OPTIONS[name], key && keyHelp(key, commons.shortcuts.keys)));
		}
		case "unknown":
			return screen.say(unknownText(name, answered.word), "warning");
		case "refused":
			return screen.say(`${name}: ${answered.why}`, "warning");
	}
}

/** The list is shown like the result of `/recall`, so Enter cannot send it. */
async function runToday(
	{ type, all }: TodayAction,
	{ commons: { agentDir }, host, screen, session }: ResumeContext,
): Promise<void> {
	const now = Date.now();
	const since = midnightOf(now);
	const { sessions, more } = await listToday({
		agentDir,
		folders: all ? undefined : [host.folder],
		now,
		since,
		words: session.words,
		leases: liveLeases(agentDir, now),
	});
	if (!session.isLive()) return;
	if (sessions.length === 0)
		return screen.say(`today: no session ${all ? "" : "of this project "}has been used since midnight.`);
	const view = { sessions, more, now, since, byProject: all };
	if (type === "show") return screen.say(dayText(view));
	const answer = await copyAnswer(dayMarkdown(view), screen.isTerminal());
	if (session.isLive()) screen.say(`today: ${answer.text}`, answer.kind);
}
