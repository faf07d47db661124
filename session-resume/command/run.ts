import { helpText, keyHelp, unknownText } from "../../session-core/pi/host/index.ts";
import type { CommandContext, CommandName } from "../session.ts";
import { type Answered, COMMAND_OPTIONS, parseCard, parseFrom, parseHere, parseToday } from "./arguments.ts";
import { runCard } from "./recap-card.ts";
import { runFrom } from "./resume-from.ts";
import { resumeHere } from "./resume-here.ts";
import { runToday } from "./today.ts";

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
