import {
	type CommandOption,
	type Completion,
	completeOptions,
	findOption,
	helpText as helpOf,
} from "../../session-core/command/options.ts";

/** The action that a `/recap …` command requests. */
export type RecapAction =
	| { type: "recap"; force: boolean }
	| { type: "show" | "copy" | "clear" | "on" | "off" | "status" | "help" }
	| { type: "doctor"; show: "all" | "prompt" | "report" }
	| { type: "unknown"; word: string };

export const RECAP_OPTIONS: readonly (CommandOption & { action: RecapAction })[] = [
	{ value: "", description: "Show a recap of this session", action: { type: "recap", force: false } },
	{ value: "--force", description: "Call the model again", action: { type: "recap", force: true } },
	{ value: "show", description: "Show the recap without calling a model", action: { type: "show" } },
	{ value: "copy", description: "Copy the recap to the clipboard", action: { type: "copy" } },
	{ value: "clear", description: "Hide the recap", action: { type: "clear" } },
	{ value: "on", description: "Turn automatic recaps on", action: { type: "on" } },
	{ value: "off", description: "Turn automatic recaps off", action: { type: "off" } },
	{
		value: "status",
		description: "Show whether automatic recaps are on, which model they use and what they cost",
		action: { type: "status" },
	},
	{
		value: "doctor",
		description: "Check the terminal, the models and all extensions",
		action: { type: "doctor", show: "all" },
	},
	{
		value: "doctor --prompt",
		description: "Show the exact text that would be sent to the model",
		action: { type: "doctor", show: "prompt" },
	},
	{
		value: "doctor --report",
		description: "Copy a report to the clipboard, ready to paste into an issue; it contains no session text",
		action: { type: "doctor", show: "report" },
	},
	{ value: "--help", description: "Show this help", action: { type: "help" } },
];

/** Parses the arguments of `/recap`. */
export function parseCommand(args: string): RecapAction {
	return findOption(RECAP_OPTIONS, args)?.action ?? { type: "unknown", word: args.trim() };
}

export function completeCommand(prefix: string): Completion[] | null {
	return completeOptions(RECAP_OPTIONS, prefix);
}

/** Returns the answer to `/recap --help`. */
export function helpText(notes: readonly string[] = []): string {
	return helpOf("recap", RECAP_OPTIONS, notes);
}
