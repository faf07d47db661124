import fc from "fast-check";
import { expect, it, test } from "vitest";
import { displayWidth } from "../text/clip.ts";
import { openingLine, replyLines } from "./reply-lines.ts";

const WIDE = 600;

it.each([
	["a plan", "", "Plan: One queue", "All retries go through one queue, so that none of them is lost."],
	["a plan in an element", "<plan>\n", "Plan: One queue", "All retries go through one queue."],
])("%s is quoted from its beginning", (_, tag, title, summary) => {
	const details = Array.from({ length: 9 }, (_, step) => `Step ${step} changes another file of the queue.`);
	const reply = `${tag}# ${title}\n\n## Context\n\n${summary}\n\n## Steps\n\n${details.join("\n\n")}`;
	expect(replyLines(reply, 150).slice(0, 2)).toEqual([title, summary]);
});

it.each<[string, string[]]>([
	["The lexer works. Should I commit it?", ["The lexer works."]],
	["I found these:\n- a slow test\n- a lock", ["I found these: a slow test; a lock"]],
	["## Causes\n\n1. The lock\n2. The test", ["Causes: 1. The lock; 2. The test"]],
	["| Case | Result |\n|---|---|\n| a | ok |\n| b | fails |", ["a | ok; b | fails"]],
	[
		"Should I move the lock, too? I changed nothing yet.\n\nThe tests are slow.",
		["Should I move the lock, too? I changed nothing yet.", "The tests are slow."],
	],
	["Which store?\n\n- Postgres\n- SQLite", []],
	["Run this:\n\n```sh\nmake\n```\n\nIt prints one line.", ["Run this: make", "It prints one line."]],
	["The stores are now four:\n\n```\na\nb\nc\nd\n```\n\nIt is in.", ["The stores are now four", "It is in."]],
	["## Is it needed? No\n\nThe brief rules it out.", ["The brief rules it out."]],
	["Done!", ["Done!"]],
	["Committed. Only the lexer was changed.", ["Committed. Only the lexer was changed."]],
	["Perfect! Only the lexer was changed.", ["Only the lexer was changed."]],
])("%j is quoted", (reply, lines) => expect(replyLines(reply, WIDE)).toEqual(lines));

it.each([
	[
		"# Stores compared\n\nAs of May.\n\n## Redis is fast\n\nYes.\n\n## SQLite is small\n\nYes.",
		"Stores compared: Redis is fast; SQLite is small",
	],
	["# Stores compared\n\nRedis is the fastest of all.", "Stores compared: Redis is the fastest of all."],
	["Perfect!\n\nThe key is now:\n\n```\nstore: redis\n```\n\nAnything else?", "The key is now: store: redis"],
	[
		`Changed:\n- src/queue/store/redis-store.ts${" reads the key".repeat(4)}\n- b\n- c`,
		"Changed: redis-store.ts reads the key reads the…; b; c",
	],
	["Which store shall I use?\n\n- Redis with five retries\n- SQLite without any retry", ""],
])("%j opens with its result", (reply, line) => expect(openingLine(reply, 60)).toBe(line));

it("a reply with a short first sentence opens with the next passage, too, if there is room", () => {
	const reply = "I checked it with the tool now.\n\nThe name is taken by another project:\n\n- one\n- two";
	expect(openingLine(reply, 125)).toBe(
		"I checked it with the tool now. The name is taken by another project: one; two",
	);
});

test("the end and the beginning of a reply are quoted before the text between them", () => {
	const middle = Array.from({ length: 9 }, (_, index) => `Module ${index} reads the new clock.`);
	const lines = replyLines(["I ported it all.", ...middle, "All tests pass now."].join("\n\n"), 110);
	expect(lines.at(0)).toBe("I ported it all.");
	expect(lines.at(-1)).toBe("All tests pass now.");
	expect(lines.length).toBeLessThan(6);
});

test("the last paragraph above the end of a reply is quoted before the lists above it", () => {
	const list = Array.from(
		{ length: 6 },
		(_, index) => `- Module ${index} reads the new clock instead of the old one`,
	);
	const open =
		"**Needs your approval:** the fix is staged, and the deployment stays paused until you merge it.";
	const reply = ["I ported it all.", "Changes:", list.join("\n"), open, "The key is still the old one."].join(
		"\n\n",
	);
	const lines = replyLines(reply, 200);
	expect(lines.at(0)).toBe("I ported it all.");
	expect(lines.slice(-2)).toEqual([
		"Needs your approval: the fix is staged, and the deployment stays paused until you merge it.",
		"The key is still the old one.",
	]);
	const command = [
		"I ported it all.",
		list.join("\n"),
		"To publish it, run:\n\n```\nmake publish\n```",
		"It asks once.",
	];
	expect(replyLines(command.join("\n\n"), 120)).toContain("To publish it, run: make publish");
});

test("a long paragraph in the middle of a reply leaves room for the paragraphs after it", () => {
	const long = "The reader keeps the old clock for now. ".repeat(12);
	const reply = [
		"I ported it all.",
		long,
		"The writer is not ported yet.",
		"The tests run.",
		"Nothing is committed.",
	];
	const lines = replyLines(reply.join("\n\n"), 420);
	expect(lines).toContain("The writer is not ported yet.");
	expect(displayWidth(lines[1] ?? "")).toBeGreaterThan(200);
});

test("a list is quoted as a whole, each item shortened, and marked if items are left out", () => {
	const items = Array.from(
		{ length: 5 },
		(_, index) => `- item ${index} ${"is explained at length, ".repeat(6)}here`,
	);
	const [line = ""] = replyLines(items.join("\n"), 300);
	for (let index = 0; index < 5; index++) expect(line).toContain(`item ${index}`);
	expect(replyLines(items.join("\n"), 140)[0]).toMatch(/item 1 .* …$/);
	const reply = ["I read them all, each of them twice.", ...items].join("\n");
	expect(replyLines(reply, 60)).toEqual(["I read them all, each of them twice."]);
});

test("no quotation is wider than its room, whatever the reply", () => {
	fc.assert(
		fc.property(
			fc.string({ unit: "grapheme", maxLength: 400 }),
			fc.integer({ min: 40, max: 300 }),
			(text, room) => {
				const lines = replyLines(`Some words first.\n\n${text}\n\nSome words last.`, room);
				expect(displayWidth(lines.join(" · "))).toBeLessThanOrEqual(room);
			},
		),
	);
});
