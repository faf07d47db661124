import {
	type CommandOption,
	type Completion,
	completeOptions,
	findOption,
	helpText as helpOf,
} from "../../session-core/command/options.ts";

/** What `/recap …` asks for. */
export type RecapAction =
	| { type: "recap"; force: boolean }
	| { type: "show" | "copy" | "clear" | "on" | "off" | "status" | "help" }
	| { type: "doctor"; show: "all" | "prompt" | "report" }
	| { type: "unknown"; word: string };

export const RECAP_OPTIONS: readonly (CommandOption & { action: RecapAction })[] = [
	{ value: "", description: "Say where this session stands", action: { type: "recap", force: false } },
	{ value: "--force", description: "Ask the model again", action: { type: "recap", force: true } },
	{ value: "show", description: "Show the recap without asking a model", action: { type: "show" } },
	{ value: "copy", description: "Put the recap on the clipboard", action: { type: "copy" } },
	{ value: "clear", description: "Take the recap off the screen", action: { type: "clear" } },
	{ value: "on", description: "Recaps come by themselves", action: { type: "on" } },
	{ value: "off", description: "No recaps unless you type /recap", action: { type: "off" } },
	{ value: "status", description: "What is on, which model, what it has cost", action: { type: "status" } },
	{
		value: "doctor",
		description: "What the terminal, the models and all three extensions do, and why",
		action: { type: "doctor", show: "all" },
	},
	{
		value: "doctor --prompt",
		description: "The exact text that would be sent",
		action: { type: "doctor", show: "prompt" },
	},
	{
		value: "doctor --report",
		description: "The same for an issue: on the clipboard, nothing of your sessions in it",
		action: { type: "doctor", show: "report" },
	},
	{ value: "--help", description: "What /recap can do", action: { type: "help" } },
];

/** Read the arguments of `/recap`. */
export function parseCommand(args: string): RecapAction {
	return findOption(RECAP_OPTIONS, args)?.action ?? { type: "unknown", word: args.trim() };
}

export function completeCommand(prefix: string): Completion[] | null {
	return completeOptions(RECAP_OPTIONS, prefix);
}

/** The answer to `/recap --help`. */
export function helpText(notes: readonly string[] = []): string {
	return helpOf("recap", RECAP_OPTIONS, notes);
}
