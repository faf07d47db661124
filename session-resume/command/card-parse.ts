import type { Option } from "./options.ts";

/** What `/recap-card …` asks for. */
export type CardAction =
	| { type: "write"; force: boolean; llm: boolean }
	| { type: "show" | "edit" | "clear" | "help" }
	| { type: "unknown"; word: string };

export const CARD_BARE = "Write this session's record and show its card";

export const CARD_OPTIONS: readonly Option[] = [
	{ value: "show", description: "Show the card without writing anything" },
	{ value: "edit", description: "Put it in your own words; what you wrote is never overwritten" },
	{ value: "clear", description: "Take the card off the screen" },
	{ value: "--force", description: "Write it again, over what is there" },
	{ value: "--llm", description: "Let a model write it" },
	{ value: "--llm --force", description: "Let a model write it, over what is there" },
	{ value: "--help", description: "What /recap-card can do" },
];

/** Read the arguments of `/recap-card`. */
export function parseCard(args: string): CardAction {
	const words = args.trim().toLowerCase().split(/\s+/).filter(Boolean);
	const [only] = words;
	if (words.length === 1) {
		if (only === "show" || only === "edit" || only === "clear") return { type: only };
		if (only === "help" || only === "--help" || only === "-h") return { type: "help" };
	}
	const stranger = words.find((word) => word !== "--force" && word !== "--llm");
	if (stranger !== undefined) return { type: "unknown", word: args.trim() };
	return { type: "write", force: words.includes("--force"), llm: words.includes("--llm") };
}
