import { homedir } from "node:os";
import { type CommandOption, findOption, helpText, unknownText } from "../../session-core/command/index.ts";
import { copyAnswer } from "../../session-core/host/index.ts";
import { liveLeases } from "../../session-core/live/index.ts";
import { dayMarkdown, dayText, listToday, midnightOf } from "../../session-core/session-view/today.ts";
import type { ResumeContext } from "../session.ts";

/** What `/today` does. `all`: for the sessions of all projects. */
type TodayAction =
	| { type: "show" | "copy"; all: boolean }
	| { type: "help" }
	| { type: "unknown"; word: string };

export const TODAY_OPTIONS: readonly CommandOption[] = [
	{ value: "", description: "Show what this project's sessions have done today" },
	{ value: "--all", description: "Include the sessions of all projects" },
	{ value: "copy", description: "Copy it to the clipboard as Markdown, for a stand-up meeting" },
	{ value: "copy --all", description: "Copy the sessions of all projects" },
	{ value: "--help", description: "Show this help" },
];

/** Parses the arguments of `/today`. */
export function parseToday(args: string): TodayAction {
	const option = findOption(TODAY_OPTIONS, args)?.value;
	if (option === undefined) return { type: "unknown", word: args.trim() };
	if (option === "--help") return { type: "help" };
	return { type: option.startsWith("copy") ? "copy" : "show", all: option.endsWith("--all") };
}

/** `/today …`: what the sessions have done since midnight. It is shown like the answer of `/recall`, so Enter cannot send it. */
export async function runToday(
	args: string,
	{ commons: { agentDir }, host, screen, session }: ResumeContext,
): Promise<void> {
	const action = parseToday(args);
	if (action.type === "help") return screen.say(helpText("today", TODAY_OPTIONS));
	if (action.type === "unknown") return screen.say(unknownText("today", action.word), "warning");
	const { type, all } = action;
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
	const view = { sessions, more, now, since, byProject: all, home: homedir() };
	if (type === "show") return screen.say(dayText(view));
	const answer = await copyAnswer(dayMarkdown(view), screen.isTerminal());
	if (session.isLive()) screen.say(`today: ${answer.text}`, answer.kind);
}
