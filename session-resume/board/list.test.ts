import { describe, expect, test } from "vitest";
import { aRow, NOW, summary } from "./board.test-support.ts";
import { rowOf } from "./rows.ts";

const last = (fields: object) => ({
	id: "m9",
	role: "assistant",
	stopReason: "stop",
	errorMessage: undefined,
	at: NOW,
	...fields,
});

describe("a row", () => {
	test.each([
		[{ name: "Mine", nameSource: "manual" }, "Mine", "manual"],
		[{ name: "Its", nameSource: "auto" }, "Its", "auto"],
		[{ name: undefined, firstPrompt: "Fix it" }, "Fix it", "prompt"],
		[{ name: "\x1b[31m\u200b", firstPrompt: undefined }, "(no messages)", "none"],
	] as const)("%j is called %s", (fields, title, titleSource) => {
		expect(rowOf(summary("one", fields), true)).toMatchObject({ title, titleSource });
	});

	test.each([
		[last({ stopReason: "error", errorMessage: "overloaded" }), { outcome: "error", reason: "overloaded" }],
		[last({ stopReason: "error" }), { outcome: "error", reason: "" }],
		[last({ stopReason: "aborted" }), { outcome: "aborted" }],
		[last({ stopReason: "toolUse" }), { outcome: "running" }],
		[last({ role: "user", stopReason: undefined }), { outcome: "running" }],
		[last({}), undefined],
	])("without a record, its ending comes from its last message: %j", (message, ending) => {
		expect(rowOf(summary("one", { last: message }), true).ending).toEqual(ending);
	});
});

describe("the topic of a session", () => {
	const work = {
		title: "Move the queue",
		source: "topic" as const,
		waits: true,
		next: { kind: "question" as const, text: "SQLite or files?" },
	};

	test("is the title of a session without a name, and its question is the next step", () => {
		expect(aRow("one", { work })).toMatchObject({
			title: "Move the queue",
			titleSource: "topic",
			waits: true,
			next: { kind: "question", text: "SQLite or files?" },
			ending: { outcome: "waiting" },
		});
		expect(aRow("one", { work, name: "Queue" }).title).toBe("Queue");
		expect(aRow("one", { work: { ...work, title: "" } }).title).toBe("Task of one");
	});
});
