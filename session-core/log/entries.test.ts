import { describe, expect, it, test } from "vitest";
import { parseEntries } from "./entries.test-support.ts";
import { UNREADABLE } from "./entries.ts";
import { stopReasonOf } from "./entry.ts";
import { SessionText } from "./session.test-support.ts";

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

	it("keeps both headers if there is a second one in the middle of the file", () => {
		const text =
			new SessionText({ id: "first" }).user("one").toString() + new SessionText({ id: "second" }).toString();
		expect(parseEntries(text).headers.map((header) => header.id)).toEqual(["first", "second"]);
	});

	it("gives version 1 a linear chain with the same ids when lines are appended or only the end is read", () => {
		const lines = ['{"type":"session","id":"s"}', '{"type":"message","n":1}', '{"type":"message","n":2}'];
		const begin = `${lines.slice(0, 2).join("\n")}\n`;
		const [first, second] = parseEntries(lines.join("\n")).entries;
		expect([first?.parentId, second?.parentId]).toEqual([null, first?.id]);
		expect(parseEntries(begin).entries[0]?.id).toBe(first?.id);
		expect(parseEntries(lines[2] ?? "", begin.length).entries[0]?.id).toBe(second?.id);
	});

	it("reads version 1's origin of a branch as the parent session", () => {
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
])("%s is how it ended: %o", (end, message) => {
	expect(stopReasonOf(message)).toBe(end);
});
