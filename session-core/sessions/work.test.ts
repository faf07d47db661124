import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { all, put, SessionText, useTemporaryFolder } from "../log/session.test-support.ts";
import { projectFolder, sessionsRoot } from "./folders.ts";
import { scanSessions } from "./listing.ts";
import { type SessionSummary, type SummaryOutcome, summarize } from "./summary.ts";
import type { SessionWork } from "./work.ts";

const agentDir = useTemporaryFolder();
const pathOf = (id: string) => join(projectFolder(sessionsRoot(agentDir()), "/code/app"), `${id}.jsonl`);

function summaryOf(outcome: SummaryOutcome): SessionSummary {
	if (!outcome.ok) throw new Error(outcome.detail);
	return outcome.record.summary;
}

function placed(text: SessionText, id = "one"): SessionWork {
	const { work } = summaryOf(summarize(put(pathOf(id), text.toString())));
	if (!work) throw new Error("nothing is known of the session");
	return work;
}

async function works(): Promise<{ batches: SessionSummary[][]; rows: Map<string, SessionSummary> }> {
	const batches = await all(scanSessions({ agentDir: agentDir() }));
	return { batches, rows: new Map(batches.flat().map((row) => [row.id, row])) };
}

describe("what a session is about", () => {
	test("the larger work that a short request belongs to", () => {
		const text = new SessionText()
			.user("Move the retry queue of the worker from Redis to the SQLite database, with its tests")
			.edit("src/queue.ts", "a", "b")
			.assistant("The queue lives in SQLite now.")
			.user("also rename the lock helper")
			.edit("src/queue.ts", "b", "c")
			.assistant("Renamed.");
		expect(placed(text).title).toMatch(/^Move the retry queue of the worker from Redis/);
	});

	test("the slash command that began it if only short answers follow", () => {
		const text = new SessionText().user("/code-review").edit("src/queue.ts", "a", "b");
		text.assistant("Keep the expression, or throw?\n\n1. Keep it\n2. Throw").user("1 keep the expression");
		text.assistant("Kept it.");
		expect(placed(text).title).toBe("/code-review");
	});

	test("a heading is quoted without its marks", () => {
		const prompt =
			"## Research Plan\n\n**Question**: \n\nFind out why the nightly import of the parish registers takes four hours";
		const { title } = placed(new SessionText().user(prompt).assistant("It reads every file twice."));
		expect(title).toMatch(/Find out why the nightly import/);
		expect(title).not.toMatch(/[#*]/);
	});

	test("a closing question is told, and that it waits", () => {
		const text = new SessionText().user("Reject days that do not exist in the date parser");
		text.assistant("I have read the parser.\n\nShould it throw a RangeError, or return undefined?");
		expect(placed(text)).toMatchObject({
			waits: true,
			next: { kind: "question", text: "Should it throw a RangeError, or return undefined?" },
		});
	});

	test("an answer of 300 KB is an answer", () => {
		const text = new SessionText().user("Reject days that do not exist in the date parser");
		text.assistant("I have read the parser.\n\nShould it throw a RangeError, or return undefined?");
		text.user(`It should throw, as in this log:\n\n${"RangeError: no such day\n".repeat(13_000)}`);
		expect(placed(text).waits).toBe(false);
	});
});

describe("a listing", () => {
	const asks = (id: string) =>
		new SessionText({ id })
			.user("Sort the shelves of the library by colour")
			.assistant("By hue or by brightness?");

	test("says it of sessions, keeps it, and reads again what was continued", async () => {
		placed(asks("one"), "one");
		placed(asks("two").name("Shelves"), "two");
		const first = await works();
		expect(first.batches).toHaveLength(1);
		expect(first.rows.get("one")?.work).toMatchObject({
			title: "Sort the shelves of the library by colour",
			waits: true,
		});
		expect(first.rows.get("two")?.work).toMatchObject({ waits: true });
		const second = await works();
		expect(second.batches).toHaveLength(1);
		expect(second.rows.get("one")?.work).toEqual(first.rows.get("one")?.work);
		const more = asks("one")
			.user("By hue, from red to violet, and the black ones last of all")
			.assistant("Sorted.");
		appendFileSync(pathOf("one"), `${more.lines.slice(3).join("\n")}\n`);
		const third = await works();
		expect(third.batches).toHaveLength(2);
		expect(third.rows.get("one")?.work).toMatchObject({ waits: false });
	});
});
