import { type CommandOption, findOption, readArguments } from "../../session-core/pi/host/index.ts";
import type { CommandName } from "../session.ts";

/** Arguments for which only a message is shown. `refused`: they contradict each other or are incomplete; `why` gives the details. */
export type Answered =
	| { type: "help" }
	| { type: "unknown"; word: string }
	| { type: "refused"; why: string };

export type CardAction =
	| { type: "write"; force: boolean; llm: boolean }
	| { type: "show" | "edit" | "clear" | "why" }
	| { type: "copy"; markdown: boolean };

const CARD_OPTIONS: readonly CommandOption[] = [
	{ value: "", description: "Save a recap of this session and show it as a card" },
	{ value: "show", description: "Show the card without saving a recap" },
	{ value: "edit", description: "Edit the recap; your text is never overwritten" },
	{ value: "copy", description: "Copy the card's text to the clipboard" },
	{ value: "copy --markdown", description: "Copy the card as Markdown" },
	{ value: "clear", description: "Hide the card" },
	{ value: "--force", description: "Generate the recap again and replace the existing one" },
	{ value: "--llm", description: "Let a model write the recap" },
	{ value: "--llm --force", description: "Let a model write the recap and replace the existing one" },
	{ value: "--why", description: "Show how the current recap was made, or why there is none" },
	{ value: "--help", description: "Show this help" },
];

export function parseCard(args: string): CardAction | Answered {
	if (/^\s*today(?:\s|$)/i.test(args))
		return { type: "refused", why: "type /today to see what the sessions have done today." };
	const option = findOption(CARD_OPTIONS, args)?.value;
	switch (option) {
		case undefined:
			return { type: "unknown", word: args.trim() };
		case "show":
		case "edit":
		case "clear":
			return { type: option };
		case "copy":
		case "copy --markdown":
			return { type: "copy", markdown: option !== "copy" };
		case "--why":
			return { type: "why" };
		case "--help":
			return { type: "help" };
		default:
			return { type: "write", force: option.includes("--force"), llm: option.includes("--llm") };
	}
}

export interface HereAction {
	type: "go";
	/** The number of the next step to continue with, starting at 1. If undefined, the record determines the step. */
	step?: number | undefined;
	send?: boolean;
	/** Whether to continue in a fork. If undefined, the record decides. */
	branch?: boolean | undefined;
	/** Whether `branch` also applies whenever the session is resumed in the future. */
	always?: boolean;
	/** The goal of a new session that begins with the recap; empty to use the next step as the goal. */
	fresh?: string | undefined;
}

const HERE_OPTIONS: readonly CommandOption[] = [
	{ value: "", description: "Put the next step into the editor, as a prompt that you can edit" },
	{ value: "2", description: "Choose another step by its number" },
	{ value: "--send", description: "Send it at once" },
	{ value: "--branch", description: "Continue in a fork; this session stays unchanged" },
	{ value: "--branch --always", description: "Continue in a fork, now and whenever this session is resumed" },
	{
		value: "--no-branch",
		description: "Continue in this session, even if it is set to be resumed in a fork",
	},
	{ value: "--no-branch --always", description: "Continue in this session, now and whenever it is resumed" },
	{ value: "--fresh", description: "Continue in a new session that begins with the recap" },
	{
		value: "--fresh <goal>",
		description: "Continue in a new session with your own goal and the relevant parts of this session",
	},
	{ value: "--help", description: "Show this help" },
];

export function parseHere(args: string): HereAction | Answered {
	const given = readArguments(args, {
		switches: ["--send", "--branch", "--no-branch", "--always", "--fresh"],
	});
	if (given.type !== "given") return given;
	const { has, text } = given;
	if (text.toLowerCase() === "help") return { type: "help" };
	const isStep = /^[1-9]$/.test(text);
	const fresh = has("--fresh") ? text.slice(isStep ? 1 : 0) : undefined;
	if (text !== "" && !isStep && !fresh) return { type: "unknown", word: text };
	const [isFork, isNoFork] = [has("--branch"), has("--no-branch")];
	const why =
		(isFork && isNoFork && "--branch forks and --no-branch does not. Choose one of them.") ||
		(has("--fresh") &&
			(isFork || isNoFork) &&
			"--fresh starts a new session, so there is nothing to fork.") ||
		(has("--always") && !isFork && !isNoFork && "--always needs --branch or --no-branch.");
	if (why) return { type: "refused", why };
	return {
		type: "go",
		step: isStep ? Number(text) : undefined,
		send: has("--send"),
		branch: isFork || isNoFork ? isFork : undefined,
		always: has("--always"),
		fresh,
	};
}

export interface FromOptions {
	at: string | undefined;
	branch: boolean;
}

/** `session`: its title or id; empty for the open session. */
export interface FromAction extends FromOptions {
	type: "go";
	session: string;
}

const FROM_OPTIONS: readonly CommandOption[] = [
	{ value: "<title|id>", description: "Open another session and put its next step into the editor" },
	{ value: "<title|id> --branch", description: "Continue in a fork; the other session stays unchanged" },
	{ value: "<title|id> --at <entry>", description: "Continue in a fork from an earlier point" },
	{ value: "--at <entry>", description: "Continue this session in a fork from an earlier point" },
	{ value: "-- <title>", description: "Open a session whose title begins with --" },
	{ value: "--help", description: "Show this help" },
];

const INCOMPLETE =
	"which session? /resume-from <title or id>, or --at <entry> for an earlier point of this one.";

export function parseFrom(args: string): FromAction | Answered {
	const given = readArguments(args, { switches: ["--branch"], valued: ["--at"] });
	if (given.type !== "given") return given;
	const at = given.values["--at"];
	const branch = given.has("--branch");
	if (at === "" || (given.text === "" && at === undefined && !branch))
		return { type: "refused", why: INCOMPLETE };
	return { type: "go", session: given.text, at, branch };
}

export interface TodayAction {
	type: "show" | "copy";
	all: boolean;
}

const TODAY_OPTIONS: readonly CommandOption[] = [
	{ value: "", description: "Show what this project's sessions have done today" },
	{ value: "--all", description: "Include the sessions of all projects" },
	{ value: "copy", description: "Copy it to the clipboard as Markdown, for a stand-up meeting" },
	{ value: "copy --all", description: "Copy the sessions of all projects" },
	{ value: "--help", description: "Show this help" },
];

export function parseToday(args: string): TodayAction | Answered {
	const option = findOption(TODAY_OPTIONS, args)?.value;
	if (option === undefined) return { type: "unknown", word: args.trim() };
	if (option === "--help") return { type: "help" };
	return { type: option.startsWith("copy") ? "copy" : "show", all: option.endsWith("--all") };
}

export const COMMAND_OPTIONS = {
	"recap-card": CARD_OPTIONS,
	"resume-here": HERE_OPTIONS,
	"resume-from": FROM_OPTIONS,
	today: TODAY_OPTIONS,
} satisfies Record<CommandName, readonly CommandOption[]>;
