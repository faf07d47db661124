import { readArguments } from "../../session-core/command/arguments.ts";
import {
	type CommandOption,
	type Completion,
	completeOptions,
	helpText as helpOf,
} from "../../session-core/command/options.ts";
import type { Scope } from "./types.ts";

/** What `/sessions …` asks for. */
export type SessionsAction =
	| { type: "board"; scope: Scope; query: string }
	| { type: "fork"; wanted: string }
	| { type: "help" }
	| { type: "unknown"; word: string };

const OPTIONS: readonly CommandOption[] = [
	{ value: "", description: "The sessions of this project, live ones on top" },
	{ value: "<words>", description: "Those with these words in title, first prompt or recap" },
	{ value: "--all", description: "Those of all projects, with or without words" },
	{ value: "--fork <title|id>", description: "Go on in a copy of a session" },
	{ value: "-- <words>", description: "Words that begin with --" },
	{ value: "--help", description: "What /sessions can do" },
];

const NOTES = [
	"On the board: type to filter, Enter resumes, Ctrl+G searches everything that was said, F1 lists all keys, Esc goes back.",
];

/** Read the arguments of `/sessions`. What is no option is looked for. */
export function parseCommand(args: string): SessionsAction {
	const given = readArguments(args, { switches: ["--all", "--fork"] });
	if (given.type !== "given") return given;
	if (given.has("--fork")) return { type: "fork", wanted: given.text };
	return { type: "board", scope: given.has("--all") ? "all" : "project", query: given.text };
}

export function completeCommand(prefix: string): Completion[] | null {
	return completeOptions(OPTIONS, prefix);
}

/** The answer to `/sessions --help`. */
export function helpText(notes: readonly string[] = []): string {
	return helpOf("sessions", OPTIONS, [...NOTES, ...notes]);
}
