import { describe, expect, it, test } from "vitest";
import { headAndTail, safeSessionId, shownLine, shownName, shownPath } from "./safe.ts";

test("a line is clean and fits, a name keeps its marks, and a secret is redacted before the line is cut", () => {
	expect(shownLine("a\n\u001b[31mb\u0007  c", 40)).toBe("a b c");
	expect(shownLine("word ".repeat(99), 30).length).toBeLessThanOrEqual(30);
	expect(shownName("`a` __init__.py\u0007")).toBe("`a` __init__.py");
	expect(shownLine("key AKIAIOSFODNN7EXAMPLE", 14)).not.toMatch(/AKIA\w{4}/);
});

test("a session's id is used unchanged unless it could be a sentence, an option or a command", () => {
	for (const id of ["0195a1b2-c3d4-7000-8000-000000000001", "s.1_x", "_a"])
		expect(safeSessionId(id)).toBe(id);
	const ids = ["x'; touch /tmp/a; #", "-rf", ".", "a b", "a\nb", "", "a".repeat(65), "é", "$(id)", "a/b"];
	const handles = ids.map(safeSessionId);
	for (const handle of handles) expect(handle).toMatch(/^session-[0-9a-f]{12}$/);
	expect(new Set(handles).size).toBe(ids.length);
	expect(handles.map(safeSessionId)).toEqual(handles);
});

describe("headAndTail", () => {
	const filler = Array.from({ length: 60 }, (_, index) => `Module ${index} now reads the shared clock.`);
	const reply = ["The port is done.", ...filler, "Next: docs."].join("\n");

	it("is the whole reply if it fits, and otherwise its beginning and its end", () => {
		expect(headAndTail("All is done.\nNext: docs.", 100)).toBe("All is done.\nNext: docs.");
		const text = headAndTail(reply, 800);
		expect(text).toMatch(/^The port is done\.\nModule 0 .*…\nModule \d+ .*\nNext: docs\.$/s);
	});

	it.each([
		["lines", reply],
		["one long line", "word ".repeat(2_000)],
		["no space at all", "x".repeat(9_000)],
		["a dense script", "모듈이 시계를 읽는다. ".repeat(500)],
	])("stays near its room: %s", (_, text) => {
		for (const room of [120, 420, 1_500])
			expect(headAndTail(text, room).length).toBeLessThanOrEqual(room + 8);
	});
});

test.each([
	["/home/u/code/app", "~/code/app"],
	["/home/u", "~"],
	["/home/user2/app", "/home/user2/app"],
	["/opt/\x1b[31mapp", "/opt/app"],
])("the folder %j is shown as %s", (path, text) => expect(shownPath(path, "/home/u")).toBe(text));
