import { describe, expect, it, test } from "vitest";
import { parseEntries } from "./entries.test-support.ts";
import { parseLine, UNREADABLE } from "./entries.ts";
import { SessionText } from "./session.test-support.ts";
import { stopReasonOf } from "./stop-reason.ts";

describe("parsing entries", () => {
	it("keeps the chain of parents across a damaged line", () => {
		const session = new SessionText().user("one").assistant("two").user("three");
		session.lines[2] = session.lines[2]?.replace('"two"', '"tw\\x"') ?? "";
		const parsed = parseEntries(session.toString());
		expect(parsed.entries.map(({ type, id, parentId }) => ({ type, id, parentId }))).toEqual([
			{ type: "message", id: "e0000000", parentId: null },
			{ type: UNREADABLE, id: "e0000001", parentId: "e0000000" },
			{ type: "message", id: "e0000002", parentId: "e0000001" },
		]);
		expect(parsed.badLines).toBe(1);
	});

	it("keeps both headers if a second one is in the middle of the file", () => {
		const text =
			new SessionText({ id: "first" }).user("one").toString() + new SessionText({ id: "second" }).toString();
		expect(parseEntries(text).headers.map((header) => header.id)).toEqual(["first", "second"]);
	});

	it("adds the same chain of ids to version 1 if lines are appended or only the end is read", () => {
		const lines = ['{"type":"session","id":"s"}', '{"type":"message","n":1}', '{"type":"message","n":2}'];
		const begin = `${lines.slice(0, 2).join("\n")}\n`;
		const [first, second] = parseEntries(lines.join("\n")).entries;
		expect([first?.parentId, second?.parentId]).toEqual([null, first?.id]);
		expect(parseEntries(begin).entries[0]?.id).toBe(first?.id);
		expect(parseEntries(lines[2] ?? "", begin.length).entries[0]?.id).toBe(second?.id);
	});

	it("reads `branchedFrom` in version 1 as the parent session", () => {
		const { headers } = parseEntries('{"type":"session","id":"s","branchedFrom":"/old.jsonl","modelId":"m"}');
		expect(headers[0]).toMatchObject({ version: 1, parentSession: "/old.jsonl", modelId: "m" });
	});
});

test.each([
	["aborted", { stopReason: "error", errorMessage: "This operation was aborted" }],
	["aborted", { stopReason: "aborted", errorMessage: "Request was aborted" }],
	["error", { stopReason: "error", errorMessage: "The upstream said: This operation was aborted" }],
	["error", { stopReason: "error" }],
	["stop", { stopReason: "stop" }],
	["", { stopReason: 3 }],
])("an answer ended with %j: %o", (end, message) => expect(stopReasonOf(message)).toBe(end));

const entry = (id: string, text = "hi") => ({
	type: "message",
	id,
	parentId: null,
	timestamp: "2026-01-31T12:00:00.000Z",
	message: { role: "user", content: [{ type: "text", text }] },
});
const json = (id: string, text?: string) => JSON.stringify(entry(id, text));

describe("a line of a session file", () => {
	it.each([
		["a byte order mark", `\ufeff${json("a")}`, ["a"], false],
		["nothing", " \r", [], false],
		["two joined objects", json("a") + json("b"), ["a", "b"], false],
		["three objects with blanks", `${json("a")} ${json("b")}\t${json("c")}`, ["a", "b", "c"], false],
		["`}{` inside a string on a joined line", json("a", '}{"type":"') + json("b"), ["a", "b"], false],
		["an entry after a torn one", json("a").slice(0, 40) + json("b"), ["b"], true],
		["an entry after one that is torn inside a string", json("a").slice(0, -12) + json("b"), ["b"], true],
		["a torn entry after a whole one", json("a") + json("b").slice(0, -3), ["a"], true],
		["one between torn ones", json("a").slice(0, 50) + json("b") + json("c").slice(0, 60), ["b"], true],
		["an array", "[1,2]", [], true],
		["garbage", "}}}{{{", [], true],
	])("survives %s", (_, line, ids, damaged) => {
		const parsed = parseLine(line);
		expect(parsed.objects.map((object) => object["id"])).toEqual(ids);
		expect(parsed.damaged).toBe(damaged);
	});

	it("does not mistake a block of a torn message for an entry", () => {
		const line =
			'{"type":"message","id":"a","message":{"content":[{"type":"text","text":"x"},{"type":"toolCall","id":"c"}';
		expect(parseLine(line).objects).toEqual([]);
	});

	it("takes bounded time for a line on which entries could begin everywhere", () => {
		const hostile = '{"type":"x","id":'.repeat(100_000);
		expect(parseLine(hostile).objects).toEqual([]);
	});
});
