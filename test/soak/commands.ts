import { basename } from "node:path";
import { type Action, action, type Cost, command, type Hand, submit } from "./actions.ts";
import { meetingPoint } from "./meeting.ts";
import { typedName } from "./names.ts";
import { anyOf } from "./random.ts";
import { endsOf } from "./session-ends.ts";

/** Number of replacements in a row, and the most milliseconds between two. */
const REPLACEMENTS = 14;
const MOMENT_MS = 350;
/** Timeout for all of them; input in between would be lost. */
const REPLACED_MS = 40_000;

/** Typed commands and their keys. */
export const COMMANDS: readonly Action[] = [
	command("/recap", 4, "may_call"),
	command("/recap --force", 3, "may_call"),
	command("/recap status", 1),
	command("/recap doctor", 1),
	command("/recap doctor --prompt", 1),
	command("/recap copy", 2),
	action("/rename NAME", 5, (hand) => submit(hand, `/rename ${typedName()}`)),
	action("/rename --auto", 2, async (hand) => {
		const { sessionFile } = hand.tab;
		// Not in shared sessions, where the check expects a person's name to be the last one.
		if (sessionFile && !hand.world.meetings.includes(sessionFile))
			await submit(hand, "/rename --auto", "may_call");
	}),
	command("/recap-card", 3),
	command("/recap-card --llm", 3, "may_call"),
	command("/recap-card copy --markdown", 1),
	action("/today", 2, (hand) => submit(hand, anyOf(hand.random, ["/today", "/today --all", "/today copy"]))),
	action("/resume-here", 2, async (hand) => {
		await submit(
			hand,
			anyOf(hand.random, ["/resume-here", "/resume-here 2", "/resume-here --branch", "/resume-here --fresh"]),
		);
		await hand.tab.painted();
		await hand.tab.emptyEditor();
	}),
	action("/resume-from the meeting", 3, async (hand) => {
		const id = /_([^_]+)\.jsonl$/.exec(basename(meetingPoint(hand.world)))?.[1] ?? "";
		await submit(hand, `/resume-from ${id}`);
		await answered(hand);
		await hand.tab.emptyEditor();
	}),
	...(["alt+c", "alt+n"] as const).map((key) => pressed(key, "free")),
	pressed("alt+r", "may_call"),
	command("/new", 2),
	command("/reload", 2),
	action("/soak-replace", 1, async (hand) => {
		const { random, tab, world } = hand;
		const before = endsOf(world, tab.host.pid);
		const moments = Array.from({ length: REPLACEMENTS }, () => Math.floor(random() ** 2 * MOMENT_MS));
		await submit(hand, `/soak-replace ${moments.join(",")}`);
		await tab.shows(() => endsOf(world, tab.host.pid) >= before + REPLACEMENTS, REPLACED_MS);
	}),
	action("/resume", 2, async (hand) => {
		await submit(hand, "/resume");
		// 1.5.2 exits with an AbortError if its picker is closed while it reads a folder with a damaged session.
		await hand.tab.shows((text) => !/Current Folder \| Loading /.test(text), 5_000);
		if (hand.random() < 0.5) hand.tab.host.key("down");
		hand.tab.host.key(anyOf(hand.random, ["enter", "escape"]));
		await answered(hand);
	}),
];

/** Presses a shortcut, and empties the editor after it. */
function pressed(key: "alt+c" | "alt+n" | "alt+r", cost: Cost): Action {
	return action(key, 1, async ({ tab, world }) => {
		await tab.toEditor();
		if (cost === "may_call") world.tally.typedCalls += 1;
		tab.host.key(key);
		await tab.painted();
		if (key === "alt+n") await tab.emptyEditor();
	});
}

/** Answers a dialog, if one opens, at random. */
async function answered({ tab, random }: Hand): Promise<void> {
	await tab.painted();
	for (let move = random() * 3; move > 1; move--) tab.host.key("down");
	tab.host.key(anyOf(random, ["enter", "enter", "escape"]));
	await tab.painted();
}
