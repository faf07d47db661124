import { type CommandOption, findOption } from "../../session-core/command/options.ts";

/** What `/recap-card …` asks for. */
export type CardAction =
	| { type: "write"; force: boolean; llm: boolean }
	| { type: "show" | "edit" | "clear" | "why" | "help" }
	| { type: "copy"; markdown: boolean }
	| { type: "today"; all: boolean }
	| { type: "unknown"; word: string };

const write = (wanted: { force?: boolean; llm?: boolean }): CardAction => ({
	type: "write",
	force: false,
	llm: false,
	...wanted,
});

export const CARD_OPTIONS: readonly (CommandOption & { action: CardAction })[] = [
	{ value: "", description: "Write this session's record and show its card", action: write({}) },
	{ value: "show", description: "Show the card without writing anything", action: { type: "show" } },
	{
		value: "edit",
		description: "Put it in your own words; what you wrote is never overwritten",
		action: { type: "edit" },
	},
	{
		value: "copy",
		description: "Put what the card says on the clipboard",
		action: { type: "copy", markdown: false },
	},
	{
		value: "copy --markdown",
		description: "The same as Markdown",
		action: { type: "copy", markdown: true },
	},
	{
		value: "today",
		description: "What each session of this project did since midnight, as Markdown in the editor",
		action: { type: "today", all: false },
	},
	{ value: "today --all", description: "The same of all projects", action: { type: "today", all: true } },
	{ value: "clear", description: "Take the card off the screen", action: { type: "clear" } },
	{ value: "--force", description: "Write it again, over what is there", action: write({ force: true }) },
	{ value: "--llm", description: "Let a model write it", action: write({ llm: true }) },
	{
		value: "--llm --force",
		description: "Let a model write it, over what is there",
		action: write({ llm: true, force: true }),
	},
	{ value: "--why", description: "Whether this state has a record, and why not", action: { type: "why" } },
	{ value: "--help", description: "What /recap-card can do", action: { type: "help" } },
];

/** Read the arguments of `/recap-card`. */
export function parseCard(args: string): CardAction {
	return findOption(CARD_OPTIONS, args)?.action ?? { type: "unknown", word: args.trim() };
}
