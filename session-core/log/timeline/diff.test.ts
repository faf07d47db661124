import { describe, expect, it } from "vitest";
import { changeLine, diffCounts, diffOf } from "./edits.ts";

const ROOM = 120;

describe("what an edit changed", () => {
	it.each([
		['-4     "link": "green",', '+4     "link": "#666",', '"link": "green", → "link": "#666",'],
		["-378|| Emdash | 8 |", "+378|| Emdash | 12 |", "| Emdash | 8 | → | Emdash | 12 |"],
		["", "+7 const wait = 20;\n+8 }\n+9 retry(wait);", "const wait = 20; / retry(wait);"],
		["-7 const wait = 20;\n-8", "", "removed: const wait = 20;"],
		["-1 one\n-2 two", "+1 three words here", "one / two → three words here"],
		["-1 kept();\n-2 gone();", "+1 new();\n+2 kept();", "gone(); → new();"],
		["-1 }", "+1 });", ""],
		["", `+1 ${"x".repeat(200)}`, ""],
	])("%j and %j", (gone, came, line) => expect(changeLine([gone, came].join("\n"), ROOM)).toBe(line));

	it("stays within its limit and redacts a secret before it cuts", () => {
		const diff = diffOf("key", `const key = "AKIAIOSFODNN7EXAMPLE"; ${"more words ".repeat(40)}`);
		expect(changeLine(diff, 40)).not.toMatch(/AKIA\w{4}/);
		for (const room of [40, 80, 160]) expect(changeLine(diff, room).length).toBeLessThanOrEqual(room);
	});

	it("is also read from the texts of a call", () => {
		expect(changeLine(diffOf("wait = 10", "wait = 20"), ROOM)).toBe("wait = 10 → wait = 20");
		expect(diffCounts(diffOf("a\nb", "c"))).toEqual({ added: 1, removed: 2 });
		expect(diffCounts(diffOf("", ""))).toEqual({ added: 0, removed: 0 });
	});
});
