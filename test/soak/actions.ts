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

/** Whether a command may call a model. */
export type Cost = "may_call" | "free";

/** Submits a line. */
export async function submit({ tab, world }: Hand, line: string, cost: Cost = "free"): Promise<void> {
	await tab.toEditor();
	if (cost === "may_call") world.tally.typedCalls += 1;
	tab.host.submit(line);
	await tab.painted();
}

/** A typed command. */
export const command = (line: string, weight: number, cost: Cost = "free"): Action =>
	action(line, weight, (hand) => submit(hand, line, cost));
