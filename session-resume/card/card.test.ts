import { SessionManager } from "@mariozechner/pi-coding-agent";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { timelineOf } from "../../session-core/log/timeline/log.test-support.ts";
import { hostColumns } from "../../session-core/pi/host/screen.ts";
import { hostSession } from "../../session-core/pi/session-records.ts";
import { ENGLISH } from "../../session-core/recap/card-words.ts";
import type { Prepared } from "../../session-core/recap/make-record.ts";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import type { Changes } from "../../session-core/text/files/repository.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { hostileText } from "../../test/support/hostile-text.ts";
import { cardComponent, SessionCard } from "./card.ts";
import { type CardContent, cardContent, describeChanges, freshLine } from "./content.ts";
import { layCard, MAX_LINES } from "./layout.ts";

const { displayWidth } = hostColumns;

const NOTE = { generator: { type: "llm", provider: "p", model: "m" } } as const;

const NOW = new Date("2026-03-13T09:30:00").getTime();
const YESTERDAY = new Date("2026-03-12T15:00:00").getTime();

const FACTS = { at: YESTERDAY, now: NOW, repository: "", words: ENGLISH };

function cardOf(
	fields: Parameters<typeof recapOf>[0],
	facts: Partial<Parameters<typeof cardContent>[0]> = {},
): CardContent {
	return cardContent({ recap: recapOf(fields), ...FACTS, ...facts });
}

const view = (more: Partial<CardContent> = {}): CardContent => ({ ...cardOf({}), ...more });
const texts = (card: CardContent, columns?: number, rows = MAX_LINES) =>
	layCard(card, { columns, rows }).map((line) => line.map(({ text }) => text).join(""));

describe("the card", () => {
	test("has four blocks, the age, the state, and the commands to continue", () => {
		expect(texts(view({ repository: "repository: 2 commits since · 1 uncommitted file" }), 100)).toEqual([
			"▤ session card  yesterday · Waiting for your answer",
			"Reject days that do not exist",
			"· parse-date.js: edited (+1 −1)",
			"· Compared the day with the text",
			"→ 1 Should it throw a RangeError instead?",
			"  2 Add a test for 2026-02-30",
			"a1b2c3d Fix the time zone",
			"repository: 2 commits since · 1 uncommitted file",
			"/resume-here to continue · /recap-card clear to hide this",
		]);
	});

	test("has colors for the outcome and the next step, and what happened is not faint", () => {
		const card = cardOf({ outcome: "error", bullets: ["Edited the parser"], next_actions: ["Retry it"] });
		const pieces = layCard(card, { columns: 60 }).flat();
		const styleOf = (part: string) => pieces.find((piece) => piece.text.includes(part))?.style;
		const shown = ["Failed", "yesterday", "Edited the parser", "→ Retry it"];
		expect(shown.map(styleOf)).toEqual(["error", "dim", "plain", "accent"]);
	});

	test.each([
		[100, 6],
		[40, 6],
	])("keeps a question and its choices in %i columns and %i rows, and marks what is cut", (columns, rows) => {
		const sentence = "The retry queue is the last part that still loses jobs, so I compared every fix. ";
		const choices = "1. Keep Redis and persist; 2. Move to SQLite; 3. Drop the queue";
		const fields = {
			...{ bullets: [`You asked earlier: ${sentence}`, "Said: I compared both.", choices] },
			...{ bullet_kinds: ["earlier" as const, "said" as const], text: sentence.repeat(4) },
			...{ next_actions: ["Which of these should I take?"], outcome: "waiting" as const },
		};
		const lines = texts(cardOf({ ...NOTE, ...fields }, { repository: "2 commits since" }), columns, rows);
		const text = lines.join(" ").replace(/\s+/g, " ");
		expect(text).toContain("→ Which of these should I take?");
		expect(text).toContain(choices);
		expect(text).toMatch(/The retry queue .*…/);
		expect(lines.length).toBeLessThanOrEqual(rows);
	});

	test("repeats neither the request nor the agent's words", () => {
		const whole = "Fix the login test and the logout test, which fails now and then";
		const of = (fields: Parameters<typeof recapOf>[0]) =>
			texts(cardOf({ artifacts: [], ...fields }, { at: undefined }), 100).slice(1, -1);
		expect(
			of({
				headline: "Fix the login test and the logout test …",
				bullets: ["Did: npm test → 1 failed"],
				next_actions: [whole],
				next_kinds: ["cut_short"],
				outcome: "aborted",
			}),
		).toEqual(["Fix the login test and the logout test …", "· Did: npm test → 1 failed"]);
		expect(
			of({
				headline: "Which tests are slow",
				bullets: ["You asked last: which tests are slow?", "Said: Name the suite.", "Said: name the suite"],
				bullet_kinds: ["asked", "said", "said"],
				next_actions: ["Which tests are slow?", "Name the suite.", "Add a timer"],
				next_kinds: ["question", "request", "step"],
			}),
		).toEqual(["Which tests are slow", "→ 2 Name the suite.", "  3 Add a timer"]);
		expect(
			of({
				...NOTE,
				headline: "Fix the parser",
				bullets: ["Said: The tests have not run."],
				bullet_kinds: ["said"],
				next_actions: ["Should it throw a RangeError?"],
				text: "Fixing it. The tests have not run. Should it throw a RangeError?",
			}),
		).toEqual(["Fix the parser", "Fixing it. The tests have not run.", "→ Should it throw a RangeError?"]);
	});

	test("shows the next step before a second line of the headline in a low terminal", () => {
		const long = "a sentence that goes on and on ".repeat(8);
		const full = view({
			headline: long,
			bullets: [long, long],
			repository: "repository: 1 uncommitted file",
		});
		for (const rows of [1, 2, 3, 4, 5, 8]) {
			const lines = texts(full, 78, rows);
			expect(lines).toHaveLength(rows);
			expect(lines.filter((line) => line.startsWith("→ 1"))).toHaveLength(1);
		}
		expect(texts(full, 78, 4).join("\n")).toMatch(/^▤ session card.*\na sentence.*\n→ 1.*\n\/resume-here/);
	});

	test("never has more than ten lines or a line that is too wide, for any text", () => {
		const text = hostileText.map(cleanLine);
		const views = fc.record({
			state: text,
			outcome: fc.record({ text, color: fc.constant("dim" as const) }),
			headline: text,
			title: text,
			topic: text,
			isNote: fc.boolean(),
			waits: fc.boolean(),
			bullets: fc.array(text, { maxLength: 5 }),
			choices: fc.constantFrom(undefined, 0, 1),
			next: fc.array(text, { maxLength: 3 }),
			artifacts: text,
			repository: text,
			fresh: text,
			offline: fc.boolean(),
		});
		fc.assert(
			fc.property(views, fc.integer({ min: 4, max: 120 }), (card, columns) => {
				const lines = texts(card, columns);
				expect(lines.length).toBeLessThanOrEqual(MAX_LINES);
				for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
				expect(texts(card).length).toBeLessThanOrEqual(MAX_LINES);
			}),
		);
	});

	test("has a margin unless there is no room for it", () => {
		const component = cardComponent(view(), { style: (_, text) => text, chosen: () => "" }, () => ({
			rows: 24,
		}));
		for (const width of [1, 2, 20, 81]) {
			for (const line of component.render(width)) expect(displayWidth(line)).toBeLessThanOrEqual(width);
		}
		expect(component.render(81)[0]).toMatch(/^ ▤/);
	});
});

const text = "Fixing the parser. The tests have not run. Next: answer the question.";
const recap = recapOf({ ...NOTE, headline: "Reject impossible days", text, outcome: "done" });

test("a note of a named session shows the name and, dimmed, a topic that differs from the name", () => {
	const [, line] = layCard(cardContent({ recap, ...FACTS, name: "Date parser" }), { columns: 80 });
	expect(line).toEqual([
		{ text: "Date parser", style: "strong" },
		{ text: " · Reject impossible days", style: "dim" },
	]);
	const same = cardContent({ recap, ...FACTS, name: "Reject impossible days" });
	expect(texts(same, 100).slice(1, 4)).toEqual([
		"Reject impossible days",
		text,
		"· parse-date.js: edited (+1 −1)",
	]);
});

const DAY = 86_400_000;
const now = 100 * DAY;
const OFFER = "/resume-here --fresh: new session with this recap";

test.each<[string, number | undefined, number | undefined, string]>([
	["neither old nor large", 0.7, now - 7 * DAY, ""],
	["nothing is known", undefined, undefined, ""],
	["old", 0.1, now - 7 * DAY - 1, OFFER],
	["large", 0.744, now, `${OFFER} · context 74 % full`],
	["both", 1.2, now - 30 * DAY, `${OFFER} · context 100 % full`],
])("a fresh session is offered for a large or old session: %s", (_, fill, at, expected) => {
	expect(freshLine({ fill, at, now })).toBe(expected);
});

const then = { cwd: "/p", git_branch: "main", git_head: "aaaaaaa1" };
test.each([
	["no git", then, undefined, ""],
	["one commit", then, { branch: "main", head: "bbbbbbb2", dirty: 0, commits: 1 }, "1 commit since"],
	[
		"a rebase",
		then,
		{ branch: "main", head: "bbbbbbb2", dirty: 0, commits: 0 },
		"HEAD moved from aaaaaaa to bbbbbbb",
	],
	[
		"another branch",
		then,
		{ branch: "fix", head: "aaaaaaa1", dirty: 1 },
		"on fix, was main · 1 uncommitted file",
	],
	["no branch", then, { head: "aaaaaaa1", dirty: 3 }, "on detached HEAD, was main · 3 uncommitted files"],
	["no record", undefined, { branch: "main", head: "bbbbbbb2", dirty: 2 }, "2 uncommitted files"],
])("changes in the repository: %s", (_, before, now, words) =>
	expect(describeChanges(before, now, ENGLISH)).toBe(words),
);

/** A card whose editor contains `typed`, and whose repository answers when `answer` is called. */
function cardOver(typed: { now: string }, beganIn = "/p") {
	const shown: (CardContent | undefined)[] = [];
	const cardShown: string[] = [];
	const answers: ((commits: number) => void)[] = [];
	const stateOf = (stamp: string): Prepared => {
		const none = { calls: undefined, language: undefined, model: undefined };
		const flags = { hasTask: true, isInherited: false };
		const records = { id: "s1", newest: undefined, stored: undefined, existing: undefined };
		const reading = {
			...none,
			...flags,
			...records,
			stamp,
			at: YESTERDAY,
			messages: 1,
			timeline: timelineOf([]),
		};
		return { reading, offline: recapOf(), shown: recapOf() };
	};
	let state = stateOf("m1");
	const changes = () =>
		new Promise<Changes>((resolve) => {
			answers.push((commits) => resolve({ branch: "main", head: `head${commits}`, commits, dirty: commits }));
		});
	const card = new SessionCard({
		ctx: { model: undefined, isIdle: () => true },
		host: hostSession({ sessionManager: SessionManager.inMemory(beganIn), cwd: "/p" }),
		screen: { show: (it) => shown.push(it), hide: () => shown.push(undefined), typed: () => typed.now },
		commons: {
			words: () => ENGLISH,
			repository: { cwd: "/p", last: undefined, changes, refresh: async () => undefined },
		},
		state: () => state,
		hideRecap: (stamp) => void cardShown.push(stamp),
	});
	const show = (stamp: string) => {
		state = stateOf(stamp);
		card.show(state);
	};
	const answer = async (index: number, commits: number) => {
		answers[index]?.(commits);
		await Promise.resolve();
	};
	return { card, shown, cardShown, show, answer };
}

describe("a change in the repository that becomes known later", () => {
	test("is added to the card only if it concerns the state on screen", async () => {
		const { shown, cardShown, show, answer } = cardOver({ now: "" });
		show("m1");
		show("m2");
		await answer(0, 1);
		expect(shown).toHaveLength(2);
		await answer(1, 0);
		expect(shown).toHaveLength(2);
		show("m2");
		await answer(2, 2);
		expect(shown.at(-1)).toMatchObject({ repository: "repository: 2 uncommitted files" });
		expect(cardShown).toEqual(["m1"]);
	});

	test("is not shown if the session is continued in another folder", async () => {
		const { shown, show, answer } = cardOver({ now: "" }, "/other");
		show("m1");
		await answer(0, 1);
		expect(shown).toMatchObject([{ repository: "" }]);
	});

	test("is kept for a later card, and does not bring a hidden card back", async () => {
		const { card, shown, show, answer } = cardOver({ now: "" });
		show("m1");
		card.hide();
		await answer(0, 1);
		expect(shown.at(-1)).toBeUndefined();
		show("m1");
		expect(shown.at(-1)).toMatchObject({ repository: "repository: 1 uncommitted file" });
	});
});

test("the card of an opened session waits until the user has stopped typing", () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const text = { now: "h" };
	const { card, shown } = cardOver(text);
	card.pin();
	for (const typed of ["ha", "hal", "half"]) {
		vi.advanceTimersByTime(1_900);
		text.now = typed;
		vi.advanceTimersByTime(100);
	}
	expect(shown).toHaveLength(0);
	vi.advanceTimersByTime(2_000);
	expect(shown).toHaveLength(1);
	vi.advanceTimersByTime(60_000);
	expect(shown).toHaveLength(1);
});
