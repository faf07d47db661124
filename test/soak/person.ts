import { type Action, action, ending, type Hand } from "./actions.ts";
import { anyOf, type Random } from "./random.ts";
import type { Tab } from "./tab.ts";

let serial = 0;

/** A user's actions in a terminal. */
export const PRESENCE: readonly Action[] = [
	action("prompt", 6, ({ tab, world, random }) => {
		return ask(tab, `${anyOf(random, world.planted).text} why does it fail`, random);
	}),
	action("prompt with a tool", 6, ({ tab, random }) => ask(tab, "use a tool and look at it", random)),
	action("look away and back", 8, async ({ tab, random }) => {
		tab.host.focusOut();
		if (random() < 0.7) await tab.painted(900);
		tab.host.focusIn();
		await tab.painted(500);
	}),
	action("prompt, and look away", 3, async (hand) => {
		const { tab, random } = hand;
		await tab.toEditor();
		send(tab, "continue with it");
		tab.host.focusOut();
		await tab.settled(random() * 4_000);
		tab.host.focusIn();
		await tab.painted(500);
	}),
	action("typed text", 4, async ({ tab }) => {
		tab.host.type("thinking about it");
		await tab.painted(500);
	}),
	action("resize", 1, async ({ tab, random }) => {
		tab.host.resize(anyOf(random, [40, 80, 160]), anyOf(random, [20, 50]));
		await tab.painted();
	}),
	action("sit idle", 2, async ({ tab }) => {
		await tab.painted(3_000);
	}),
	action("change settings", 2, async ({ world, random }) => world.settings.change(random)),
];

const signal = (name: NodeJS.Signals, weight: number): Action =>
	ending(name, weight, ({ tab }) => tab.end(name, (host) => host.signal(name)));

/** How a host ends. */
export const ENDINGS: readonly Action[] = [
	ending("quit", 2, async ({ tab }: Hand) => {
		await tab.toEditor();
		await tab.end("quit", (host) => host.key("ctrl+d"));
	}),
	ending("a crash", 1, async ({ tab }) => {
		await tab.toEditor();
		await tab.end("a crash", (host) => host.submit("/soak-crash"));
	}),
	signal("SIGTERM", 2),
	signal("SIGHUP", 2),
	signal("SIGKILL", 3),
];

async function ask(tab: Tab, text: string, random: Random): Promise<void> {
	await tab.toEditor();
	send(tab, text);
	await tab.painted();
	// Sometimes the next action happens during the run.
	if (random() < 0.8) await tab.settled();
}

function send(tab: Tab, text: string): void {
	serial += 1;
	// A line break would submit the text early.
	tab.host.submit(`task ${serial}: ${text.replace(/\n/g, " ")}`);
}
