import type { Random } from "./random.ts";
import type { Tab } from "./tab.ts";
import type { World } from "./world.ts";

/** What an action works on. */
export interface Hand {
	tab: Tab;
	world: World;
	random: Random;
}

export interface Action {
	name: string;
	weight: number;
	/** `ended`: the tab has no host any more. */
	act(hand: Hand): Promise<"ended" | undefined>;
}

export const action = (name: string, weight: number, act: (hand: Hand) => Promise<unknown>): Action => ({
	name,
	weight,
	act: async (hand) => {
		await act(hand);
		return undefined;
	},
});

export const ending = (name: string, weight: number, act: (hand: Hand) => Promise<unknown>): Action => ({
	name,
	weight,
	act: async (hand) => {
		await act(hand);
		return "ended";
	},
});

/** Submits a line. `asks`: it may cause a model call. */
export async function submit(
	{ tab, world }: Hand,
	line: string,
	asks: "asks" | "free" = "free",
): Promise<void> {
	await tab.toEditor();
	if (asks === "asks") world.tally.typedCalls += 1;
	tab.host.submit(line);
	await tab.painted();
}

/** A typed command. */
export const command = (line: string, weight: number, asks: "asks" | "free" = "free"): Action =>
	action(line, weight, (hand) => submit(hand, line, asks));
