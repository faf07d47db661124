import { describe, expect, it } from "vitest";
import { parseEntries } from "./entries.test-support.ts";
import { UNREADABLE } from "./entries.ts";
import { SessionText } from "./session.test-support.ts";

const ids = (text: string) => parseEntries(text).entries.map((entry) => entry.id);

describe("parsing entries", () => {
	it("gives header and entries in file order", () => {
		const session = new SessionText().user("one").assistant("two");
		const parsed = parseEntries(session.toString());
		expect(parsed.headers).toMatchObject([{ id: "s-1", version: 3, cwd: "/code/app" }]);
		expect(parsed.entries.map((entry) => entry.id)).toEqual(session.ids);
		expect(parsed).toMatchObject({ badLines: 0 });
	});

	it.each([
		["carriage returns", (text: string) => text.replaceAll("\n", "\r\n")],
		["a byte order mark", (text: string) => `\ufeff${text}`],
		["empty lines", (text: string) => text.replaceAll("\n", "\n\n\n")],
		["no newline at the end", (text: string) => text.trimEnd()],
		["U+2028 in a string", (text: string) => text.replace("one", "o\u2028ne")],
		["one line for all", (text: string) => text.replaceAll("\n", "")],
	])("does not mind %s", (_, change) => {
		const session = new SessionText().user("one").assistant("two").user("three");
		expect(ids(change(session.toString()))).toEqual(session.ids);
	});

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

	it("keeps orphans, cycles and duplicates as they are", () => {
		const lines = [
			{ type: "message", id: "a", parentId: "gone" },
			{ type: "message", id: "b", parentId: "c" },
			{ type: "message", id: "c", parentId: "b" },
			{ type: "message", id: "a", parentId: null },
		];
		const { entries } = parseEntries(lines.map((line) => JSON.stringify(line)).join("\n"));
		expect(entries).toEqual(lines);
	});

	it("gives version 1 a linear chain with ids that later lines do not change", () => {
		const lines = ['{"type":"session","id":"s"}', '{"type":"message","n":1}', '{"type":"message","n":2}'];
		const before = parseEntries(lines.slice(0, 2).join("\n")).entries;
		const after = parseEntries(`${lines.join("\n")}\n`).entries;
		expect(after[0]?.id).toBe(before[0]?.id);
		expect(after.map((entry) => entry.parentId)).toEqual([null, after[0]?.id]);
	});

	it("gives the same ids to version 1 when only the end is read", () => {
		const lines = ['{"type":"session","id":"s"}', '{"type":"message","n":1}', '{"type":"message","n":2}'];
		const offset = `${lines.slice(0, 2).join("\n")}\n`.length;
		const end = parseEntries(lines[2] ?? "", offset).entries[0];
		expect(end?.id).toBe(parseEntries(lines.join("\n")).entries[1]?.id);
	});

	it("reads version 1's origin of a branch as the parent session", () => {
		const { headers } = parseEntries('{"type":"session","id":"s","branchedFrom":"/old.jsonl","modelId":"m"}');
		expect(headers[0]).toMatchObject({ version: 1, parentSession: "/old.jsonl", modelId: "m" });
	});

	it("reads version 2's hook messages as custom ones", () => {
		const { entries } = parseEntries(
			'{"type":"message","id":"a","parentId":null,"message":{"role":"hookMessage"}}',
		);
		expect(entries[0]).toMatchObject({ message: { role: "custom" } });
	});
});
