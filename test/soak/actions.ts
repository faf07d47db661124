import type { Random } from "../../session-core/store/fuzz.test-support.ts";
import { anyOf } from "./choose.ts";
import type { Tab } from "./tab.ts";
import type { World } from "./world.ts";

interface Hand {
	tab: Tab;
	world: World;
	random: Random;
}

interface Action {
	name: string;
	weight: number;
	/** `ended`: there is no host in this tab any more. */
	act(hand: Hand): Promise<"ended" | undefined>;
}

const action = (name: string, weight: number, act: (hand: Hand) => Promise<unknown>): Action => ({
	name,
	weight,
	act: async (hand) => {
		await act(hand);
		return undefined;
	},
});

/** A command, and what comes of it; `asks`: it may make a call that somebody typed. */
const command = (line: string, weight: number, asks: "asks" | "free" = "free") =>
	action(line, weight, async ({ tab, world }) => {
		await tab.toEditor();
		if (asks === "asks") world.tally.typedCalls += 1;
		tab.host.submit(line);
		await tab.painted();
	});

const ending = (name: string, weight: number, act: (hand: Hand) => Promise<unknown>): Action => ({
	name,
	weight,
	act: async (hand) => {
		await act(hand);
		return "ended";
	},
});

const signal = (name: NodeJS.Signals, weight: number) =>
	ending(name, weight, ({ tab }) => tab.end(name, (host) => host.signal(name)));

let serial = 0;

/** Everything that a person does at a terminal, or that happens to it. */
export const ACTIONS: readonly Action[] = [
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
	command("/recap", 4, "asks"),
	command("/recap --force", 3, "asks"),
	command("/recap status", 1),
	command("/rename --auto", 2, "asks"),
	command("/recap-card", 3),
	command("/recap-card --llm", 3, "asks"),
	command("/new", 2),
	command("/reload", 2),
	action("/resume", 2, async ({ tab, random }) => {
		await tab.toEditor();
		tab.host.submit("/resume");
		await tab.painted();
		if (random() < 0.5) tab.host.key("down");
		tab.host.key(anyOf(random, ["enter", "escape"]));
		await tab.painted();
	}),
	action("/sessions", 5, async ({ tab, random }) => {
		await tab.toEditor();
		tab.host.submit(anyOf(random, ["/sessions", "/sessions --all"]));
		await tab.painted();
		for (let move = random() * 6; move > 1; move--) {
			tab.host.key("down");
			await tab.painted(300);
		}
		tab.host.key(anyOf(random, ["enter", "escape", "escape"]));
		await tab.painted();
		if (random() < 0.5) tab.host.key("enter");
		await tab.painted();
	}),
	ending("quit", 2, async ({ tab }) => {
		await tab.toEditor();
		await tab.end("quit", (host) => host.key("ctrl+d"));
	}),
	signal("SIGTERM", 2),
	signal("SIGHUP", 2),
	signal("SIGKILL", 3),
];

async function ask(tab: Tab, text: string, random: Random): Promise<void> {
	await tab.toEditor();
	serial += 1;
	// A line end would send it in the middle.
	tab.host.submit(`task ${serial}: ${text.replace(/\n/g, " ")}`);
	await tab.painted();
	// Now and then the next action comes into the middle of the run.
	if (random() < 0.8) await tab.settled();
}
