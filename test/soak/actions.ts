import { basename } from "node:path";
import { LANGUAGES } from "../../session-core/recap/locale.ts";
import type { Key } from "../host/keys.ts";
import { anyOf, type Random } from "../support/random.ts";
import type { Tab } from "./tab.ts";
import { meetingPoint, typedName, type World, writeSettings } from "./world.ts";

interface Hand {
	tab: Tab;
	world: World;
	random: Random;
}

interface Action {
	name: string;
	weight: number;
	act(hand: Hand): Promise<unknown>;
	/** Whether the tab has no host after the action. */
	isEnd?: boolean;
}

let serial = 0;

const PRESENCE: readonly Action[] = [
	action("prompt", 6, (hand) => ask(hand, `${anyOf(hand.random, hand.world.planted)} why does it fail`)),
	action("prompt with a tool", 6, (hand) => ask(hand, "use a tool and look at it")),
	action("look away and back", 8, async ({ tab, random }) => {
		tab.host.focusOut();
		if (random() < 0.7) await tab.painted(900);
		tab.host.focusIn();
		await tab.painted(500);
	}),
	action("prompt, and look away", 3, async ({ tab, random }) => {
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
	action("sit idle", 2, ({ tab }) => tab.painted(3_000)),
	action("change settings", 2, async ({ world, random }) => {
		const settings = {
			dailyCostLimit: 50,
			language: anyOf(random, LANGUAGES),
			recap: { focus: random() < 0.7 },
			resume: {
				notify: random() < 0.7,
				generator: anyOf(random, ["heuristic", "llm"]),
				idleMinutes: anyOf(random, [0, 0.02]),
			},
		};
		writeSettings(world, `// as the user wrote it\n${JSON.stringify(settings, undefined, "\t")}\n`);
	}),
];

async function ask({ tab, random }: Hand, text: string): Promise<void> {
	await tab.toEditor();
	send(tab, text);
	await tab.painted();
	// Sometimes the next action happens during the run.
	if (random() < 0.8) await tab.settled();
}

function send(tab: Tab, text: string): void {
	serial += 1;
	tab.host.submit(`task ${serial}: ${text}`);
}

const COMMANDS: readonly Action[] = [
	command("/recap", 4, "may_call"),
	command("/recap --force", 3, "may_call"),
	command("/recap status", 1),
	command("/recap doctor", 1),
	command("/recap doctor --prompt", 1),
	command("/recap copy", 2),
	action("/rename NAME", 5, ({ tab }) => tab.submit(`/rename ${typedName()}`)),
	action("/rename --auto", 2, async ({ tab, world }) => {
		// A shared session is left out, because the check expects that the last name in it is one that a
		// person gave.
		if (!tab.sessionFile || world.meetings.includes(tab.sessionFile)) return;
		world.tally.typedCalls += 1;
		await tab.submit("/rename --auto");
	}),
	command("/recap-card", 3),
	command("/recap-card --llm", 3, "may_call"),
	command("/recap-card copy --markdown", 1),
	command("/today", 1),
	command("/today --all", 1),
	...["", " 2", " --branch", " --fresh"].map((words) =>
		action(`/resume-here${words}`, 1, async ({ tab }) => {
			await tab.submit(`/resume-here${words}`);
			await tab.painted();
			await tab.emptyEditor();
		}),
	),
	action("/resume-from the meeting", 3, async (hand) => {
		const id = /_([^_]+)\.jsonl$/.exec(basename(meetingPoint(hand.world)))?.[1] ?? "";
		await hand.tab.submit(`/resume-from ${id}`);
		await answered(hand);
		await hand.tab.emptyEditor();
	}),
	...(["alt+c", "alt+n", "alt+r"] as const).map((key) =>
		action(key, 1, async ({ tab, world }) => {
			await tab.toEditor();
			if (key === "alt+r") world.tally.typedCalls += 1;
			tab.host.key(key);
			await tab.painted();
			if (key === "alt+n") await tab.emptyEditor();
		}),
	),
	command("/new", 2),
	command("/reload", 2),
	action("/resume", 2, async (hand) => {
		await hand.tab.submit("/resume");
		await answered(hand);
	}),
];

/** A typed command. `cost`: whether it may call a model. */
function command(line: string, weight: number, cost: "may_call" | "free" = "free"): Action {
	return action(line, weight, async ({ tab, world }) => {
		if (cost === "may_call") world.tally.typedCalls += 1;
		await tab.submit(line);
	});
}

async function answered({ tab, random }: Hand): Promise<void> {
	await tab.painted();
	for (let move = random() * 3; move > 1; move--) tab.host.key("down");
	tab.host.key(anyOf(random, ["enter", "enter", "escape"]));
	await tab.painted();
}

/**
 * Maximum time in milliseconds until the board is open. A busy host may need a long time, and a frozen
 * one never opens it.
 */
const OPEN_MS = 12_000;
/** Keys of the board that open nothing. */
const AT_ONCE: readonly Key[] = ["ctrl+s", "ctrl+s", "ctrl+x", "ctrl+x", "ctrl+l", "ctrl+l", "ctrl+p", "tab"];

const BOARD_ACTS: readonly Action[] = [
	onBoard("open or leave", 5, async (hand) => {
		await pressed(hand, anyOf(hand.random, ["enter", "escape", "escape"]));
		if (hand.random() < 0.5) await pressed(hand, "enter");
	}),
	onBoard("sort, archive and pin", 4, async (hand) => {
		for (let acts = 0; acts < 4; acts++) {
			await pressed(hand, anyOf(hand.random, AT_ONCE));
			if (hand.random() < 0.4) await pressed(hand, "down");
		}
	}),
	// The first answer moves the session to the trash.
	onBoard("delete", 2, (hand) => pressed(hand, "ctrl+d", anyOf(hand.random, ["enter", "escape"]))),
	onBoard("rename", 3, async (hand) => {
		await pressed(hand, "ctrl+r", "ctrl+u");
		hand.tab.host.submit(typedName());
		await hand.tab.painted();
	}),
	onBoard("fork", 1, (hand) => pressed(hand, "ctrl+o", anyOf(hand.random, ["enter", "escape"]))),
	onBoard("search", 1, async (hand) => {
		hand.tab.host.type("deploy");
		await pressed(hand, "ctrl+g");
	}),
];

/** Opens the board, moves the cursor, and performs an action. */
function onBoard(name: string, weight: number, act: (hand: Hand) => Promise<void>): Action {
	return action(`/sessions: ${name}`, weight, async (hand) => {
		const { tab, random } = hand;
		const isOpen = () => tab.host.screen.rowOf(/^ Sessions(?:$| {2})/) >= 0;
		if (random() < 0.2) {
			await tab.toEditor();
			await pressed(hand, "alt+s");
		} else await tab.submit(anyOf(random, ["/sessions", "/sessions --all"]));
		await tab.shows(isOpen, OPEN_MS);
		for (let move = random() * 6; move > 1; move--) await pressed(hand, "down");
		// If the board is not open, the keys reach the editor, where they can quit the host.
		if (isOpen()) await act(hand);
	});
}

async function pressed({ tab }: Hand, ...keys: Key[]): Promise<void> {
	for (const key of keys) {
		tab.host.key(key);
		await tab.painted(400);
	}
}

const ENDINGS: readonly Action[] = (["quit", "SIGTERM", "SIGHUP", "SIGKILL"] as const).map((way) => ({
	...action(way, 2, ({ tab }) => tab.end(way)),
	isEnd: true,
}));

function action(name: string, weight: number, act: Action["act"]): Action {
	return { name, weight, act };
}

/** The list contains each action as many times as the action's weight. */
const ACTIONS = [...PRESENCE, ...COMMANDS, ...BOARD_ACTS, ...ENDINGS].flatMap((one) =>
	Array.from({ length: one.weight }, () => one),
);

export function anyAction(random: Random): Action {
	return anyOf(random, ACTIONS);
}
