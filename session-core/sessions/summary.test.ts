import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, SessionText, START, useTemporaryFolder, VERSION_1 } from "../log/session.test-support.ts";
import { recapOf } from "../recap/record.test-support.ts";
import { Pace } from "../text/files/pace.ts";
import {
	type SummaryRecord,
	summarize,
	summarizeSlowly,
	summaryScratch,
	withSettledName,
} from "./summary.ts";

const folder = useTemporaryFolder();
const file = () => join(folder(), "s.jsonl");

function recordOf(text: SessionText | string, previous?: SummaryRecord): SummaryRecord {
	const outcome = summarize(put(file(), String(text)), { previous });
	if (!outcome.ok) throw new Error(outcome.detail);
	return outcome.record;
}

const summaryOf = (text: SessionText | string) => recordOf(text).summary;

const settle = (record: SummaryRecord) => withSettledName(file(), record, summaryScratch(), new Pace());

function long(text: SessionText, bytes: number): SessionText {
	for (let done = 0; done < bytes; done += 20_000) text.padding(20_000);
	return text;
}

const recap = (fields: object = {}) => ({
	customType: "session-suite:recap",
	data: { ...recapOf(), ...fields },
});

describe("a summary", () => {
	it("hides the same secret as a card, even if the log reveals it far from both ends of the file", () => {
		const token = "zQ81LkvR7tW2xY9pM4";
		const begun = long(new SessionText().user("Hello!"), 300_000);
		const text = long(begun.bash("cat .env", `SHOP_API_KEY=${token}`), 700_000);
		const { work } = summaryOf(
			text.user(`Why does the server of the new shop not accept ${token} any more?`),
		);
		expect(work?.title).toBe("Why does the server of the new shop not accept [redacted] any more?");
	});

	const TASK = "Find out why the scheduler starts twice";
	const quiet =
		'git add -A && git commit -qm "$(cat <<\'EOF\'\nKeep the "retry" queue\n\nWhy: order\nEOF\n)"';
	it.each([
		["git commit", '[main 1a2b3c4] fix: "één" lock per file\n 1 file changed', ' · fix: "één" lock per file'],
		[quiet, "", " · Keep the"],
		[`node -e "hook = 'cd ~/app && git commit -m \\"sync: keep both sides\\"'"`, "", ""],
		["echo 'git commit -m \"sync: keep both sides\"' > .git/hooks/post-merge", "", ""],
		["curl -s https://example.com/install.sh", "hook = \"git commit -m 'sync: keep both sides'\"", ""],
	])(
		"names a commit that git printed or should have made, but none that is only quoted: %s",
		(command, output, named) => {
			const text = new SessionText()
				.user(TASK)
				.bash("grep -rn lock src", "src/lock.ts")
				.assistant("Found it.");
			text.user("fix and commit it").bash(command, output).bash("git push", "pushed").assistant("Pushed.");
			expect(summaryOf(text).work?.title).toBe(TASK + named);
		},
	);

	it("is the same for a short file and for a long one with the same beginning and end", () => {
		const short = summaryOf(new SessionText().user("Fix the parser").padding(100).assistant("Done."));
		const text = long(new SessionText().user("Fix the parser"), 400_000).assistant("Done.");
		const { size, changed, modified, last, nameSettled, ...rest } = summaryOf(text);
		expect(short).toMatchObject(rest);
		expect({ nameSettled, last: last?.id }).toEqual({ nameSettled: false, last: text.ids.at(-1) });
	});

	it("prefers the first request to a greeting", () => {
		const text = new SessionText().user("hi").assistant("Hello!").user("Please fix the parser of dates");
		expect(summaryOf(text).firstPrompt).toBe("Please fix the parser of dates");
		expect(summaryOf(new SessionText().user("hi").assistant("Hello!")).firstPrompt).toBe("hi");
	});

	it("finds the first prompt behind 200 KB of other entries", () => {
		const text = new SessionText()
			.entry("custom", { customType: "x", data: "y".repeat(200_000) })
			.user("Fix the parser");
		expect(summaryOf(long(text, 200_000)).firstPrompt).toBe("Fix the parser");
	});

	it("finds the first prompt in front of an image of a megabyte", () => {
		const image = { type: "image", data: "A".repeat(1_000_000), mimeType: "image/png" };
		const text = new SessionText().entry("message", {
			message: { role: "user", content: [{ type: "text", text: 'What is "this" é?' }, image] },
		});
		expect(summaryOf(text.assistant("A cat.")).firstPrompt).toBe('What is "this" é?');
	});

	it("is read in short steps from a prompt of 10 MB, whose secrets are hidden", async () => {
		const pasted = (count: number) => `Why does this fail: ${"password: Aa1!xZ9 ".repeat(count)}`;
		const log = (count: number) => new SessionText().user(pasted(count)).assistant("I see. Shall I fix it?");
		const { firstPrompt, work } = summaryOf(log(1_000));
		expect(firstPrompt).toMatch(/^Why does this fail: password: \[redacted\]/);
		let steps = 0;
		const step = async () => void steps++;
		const read = await summarizeSlowly(put(file(), String(log(600_000))), {}, { step });
		expect(read).toMatchObject({ ok: true, record: { summary: { firstPrompt, work } } });
		expect(steps).toBeGreaterThan(100);
	});

	it("sanitizes texts, and keeps the true path of its folder", () => {
		const text = new SessionText({ cwd: "/code/\u001b[31mapp" }).user(
			"Fix \u001b]0;owned\u0007 the\u202e parser now",
		);
		expect(summaryOf(text.name("evil \u001b[2Jname"))).toMatchObject({
			cwd: "/code/\x1b[31mapp",
			firstPrompt: "Fix the parser now",
			name: "evil name",
		});
	});

	it("takes the last message of the leaf's branch", () => {
		const text = new SessionText().user("one").assistant("kept").user("two").assistant("abandoned");
		text.raw({
			type: "label",
			id: "l1",
			parentId: "e0000001",
			timestamp: "2026-01-31T13:00:00.000Z",
			targetId: "e0000000",
		});
		expect(summaryOf(text).last?.id).toBe("e0000001");
	});

	it("recognizes a fork by its copied history, and a child by another agent's words", () => {
		const header = {
			parentSession: "/code/parent.jsonl",
			timestamp: new Date(START + 900_000).toISOString(),
		};
		expect(summaryOf(new SessionText(header).user("one"))).toMatchObject({
			kind: "fork",
			parentSession: "/code/parent.jsonl",
		});
		const kindAfter = (prompt: string) =>
			summaryOf(new SessionText({ parentSession: "/code/parent.jsonl" }).user(prompt)).kind;
		expect(kindAfter("one")).toBe("session");
		const delegated =
			"Task: You are a delegated subagent running from a fork of the session.\n\nTask: list the routes";
		expect([kindAfter(delegated), kindAfter("Task: list the routes\n---\nOutput: a table")]).toEqual([
			"child",
			"child",
		]);
		expect(summaryOf(new SessionText().user(delegated)).firstPrompt).toBe("list the routes");
		const launched =
			"Complete your task autonomously.\n\nlist the routes\n\nYour FINAL assistant message should summarize what you accomplished.";
		for (const prompt of [launched, `<file name="/tmp/task.md">\n${launched}\n</file>\n`]) {
			expect(kindAfter(prompt)).toBe("child");
			expect(summaryOf(new SessionText().user(prompt)).firstPrompt).toBe("list the routes");
		}
	});

	it("marks a file that the host would overwrite", () => {
		const text = new SessionText().user("one").toString();
		expect(summaryOf(text.replace("\n", "")).hostReads).toBe(false);
		expect(summaryOf(`{"torn\n${text}`).hostReads).toBe(false);
		expect(summaryOf(text).hostReads).toBe(true);
	});

	it("reads version 1", () => {
		expect(summaryOf(VERSION_1.slice(0, 2).join("\n"))).toMatchObject({
			id: "v1",
			firstPrompt: "Fix it",
			model: { provider: "acme", id: "m" },
			last: { role: "user", at: Date.UTC(2025, 10, 1, 10, 0, 1) },
		});
	});
});

it.each([300_000, 3_000_000, 12_000_000])("finds the end in a last entry of %i bytes", (bytes) => {
	const text = long(new SessionText().user("Fix the parser"), 200_000);
	text.user("Look at this").assistant("x ".repeat(bytes / 2), { stopReason: "aborted" });
	expect(summaryOf(text)).toMatchObject({
		last: { id: text.ids.at(-1), stopReason: "aborted" },
		modified: START + text.ids.length * 1_000,
	});
});

it.each([20_000, 300_000, 2_000_000])("lists a session whose header has %i bytes", (bytes) => {
	const text = long(new SessionText({ cwd: "/x" }).user("Fix the parser"), 200_000).toString();
	const summary = summaryOf(
		text.replace('"cwd":"/x"', `"cwd":"/x","systemPrompt":"${"x ".repeat(bytes / 2)}"`),
	);
	expect(summary).toMatchObject({ id: "s-1", cwd: "/x", firstPrompt: "Fix the parser", hostReads: true });
});

describe("the age in a summary", () => {
	const ONE = new SessionText().user("one");
	const untimed = (text: string) => text.replaceAll(/"timestamp":"[^"]*",?/g, "");
	const HEADER = `${JSON.stringify({ type: "session", id: "s-1", timestamp: new Date(START).toISOString() })}\n`;

	it.each([
		["the last message", String(new SessionText().user("one").name("later")), START + 1_000],
		["an earlier message if the last line is torn", `${ONE}{"type":"message","id":"torn","ti`, START + 1_000],
		["the header if nothing else has a time", HEADER + untimed(ONE.lines[1] ?? ""), START],
	])("is that of %s, not of a copied file", (_, text, time) => {
		const { modified, changed } = summaryOf(text);
		expect(modified).toBe(time);
		expect(changed).toBeGreaterThan(time);
	});

	it("is that of the file if nothing in it has a time, or if a time in it is later than the file", () => {
		const future = new SessionText().user("one").assistant("two", { timestamp: Date.UTC(2099, 0, 1) });
		for (const text of [untimed(String(ONE)), String(future)]) {
			const { modified, changed } = summaryOf(text);
			expect(modified).toBe(changed);
		}
	});
});

describe("the recap in a summary", () => {
	it("is the newest that matches the schema", () => {
		const text = new SessionText().user("one").assistant("two");
		text
			.entry("custom", recap())
			.entry("custom", recap({ headline: "Newer" }))
			.entry("custom", recap({ outcome: "great" }));
		expect(summaryOf(text).recap?.headline).toBe("Newer");
	});

	it("of a job makes the session headless", () =>
		expect(summaryOf(new SessionText().user("one").entry("custom", recap({ kind: "job" }))).kind).toBe(
			"headless",
		));
});

describe("the name in a summary", () => {
	const named = (build: (text: SessionText) => SessionText) => {
		const { name, nameSource } = summaryOf(build(new SessionText().user("one").assistant("two")));
		return [name, nameSource];
	};

	it.each<[string, (text: SessionText) => SessionText, unknown[]]>([
		["a session without a name", (text) => text, [undefined, undefined]],
		["the user named", (text) => text.name("Mine"), ["Mine", "manual"]],
		["titled automatically", (text) => text.title("Auto", "auto").name("Auto"), ["Auto", "auto"]],
		["renamed since", (text) => text.title("Auto", "auto").name("Auto").name("Mine"), ["Mine", "manual"]],
		["titled by command", (text) => text.title("Mine", "manual").name("Mine"), ["Mine", "manual"]],
		["whose name was cleared", (text) => text.name("Mine").name(""), [undefined, undefined]],
	])("of a session %s", (_, build, expected) => expect(named(build)).toEqual(expected));

	it("is found in the middle of a long file, in a second step", async () => {
		const text = long(new SessionText().user("Fix the parser"), 300_000).title("Deep", "auto").name("Deep");
		const record = recordOf(long(text, 300_000));
		expect(record.summary).toMatchObject({ name: undefined, nameSettled: false });
		expect((await settle(record)).summary).toMatchObject({
			name: "Deep",
			nameSource: "auto",
			nameSettled: true,
		});
	});

	it("at the beginning counts until a newer one is found in the middle", async () => {
		const text = new SessionText().user("Fix the parser").name("Early");
		const record = recordOf(long(text, 300_000).name("Later") && long(text, 300_000));
		expect(record.summary).toMatchObject({ name: "Early", nameSettled: false });
		expect((await settle(record)).summary).toMatchObject({ name: "Later", nameSettled: true });
	});

	it("is searched for again only in the part that was added to a file", async () => {
		const text = long(new SessionText().user("Fix the parser"), 300_000).name("Deep");
		const before = await settle(recordOf(long(text, 300_000)));
		appendFileSync(file(), long(new SessionText().name("Newer"), 300_000).lines.slice(1).join("\n"));
		const outcome = summarize(file(), { previous: before });
		if (!outcome.ok) throw new Error(outcome.detail);
		expect(outcome.record.names.gap).toBeGreaterThan(before.stamp.size - 100_000);
		expect((await settle(outcome.record)).summary.name).toBe("Newer");
	});
});

it("a session waits for the answer to its closing question, but not once an answer of 300 KB is given", () => {
	const question = "Should it throw a RangeError, or return undefined?";
	const text = new SessionText().user("Reject days that do not exist in the date parser");
	text.assistant(`I have read the parser.\n\n${question}`);
	expect(summaryOf(text).work).toMatchObject({ waits: true, next: { kind: "question", text: question } });
	text.user(`It should throw, as in this log:\n\n${"RangeError: no such day\n".repeat(13_000)}`);
	expect(summaryOf(text).work?.waits).toBe(false);
});
