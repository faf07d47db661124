import { describe, expect, it } from "vitest";
import { changeLine, diffCounts, diffOf } from "./diff.ts";

const ROOM = 120;

describe("what an edit changed", () => {
	it.each<[string, string, string, string]>([
		[
			"one value",
			`-4     "link": "green",`,
			`+4     "link": "#666666",`,
			`"link": "green", → "link": "#666666",`,
		],
		[
			"a number in the host's other form",
			"-378|| Emdash | 8 systems |",
			"+378|| Emdash | 12 systems |",
			"| Emdash | 8 systems | → | Emdash | 12 systems |",
		],
		["only added", "", "+7 const wait = 20;\n+8 }\n+9 retry(wait);", "const wait = 20; / retry(wait);"],
		["only removed", "-7 const wait = 20;\n-8", "", "removed: const wait = 20;"],
		[
			"several, one for one",
			`-1 "a": 1,\n-2 "b": 2,`,
			`+1 "a": 3,\n+2 "b": 4,`,
			`"a": 1, / "b": 2, → "a": 3, / "b": 4,`,
		],
		["other lines than before", "-1 one\n-2 two", "+1 three words here", "one / two → three words here"],
		["a line that only moved", "-1 kept();\n-2 gone();", "+1 new();\n+2 kept();", "gone(); → new();"],
		["marks only", "-1 }", "+1 });", ""],
		["nothing that can be read", "", `+1 ${"x".repeat(200)}`, ""],
	])("%s", (_, gone, came, line) => {
		expect(changeLine([gone, came].join("\n"), ROOM)).toBe(line);
	});

	it("keeps to its room, and hides a secret before it cuts", () => {
		const diff = diffOf("key", `const key = "AKIAIOSFODNN7EXAMPLE"; ${"more words ".repeat(40)}`);
		expect(changeLine(diff, 40)).not.toMatch(/AKIA\w{4}/);
		for (const room of [40, 80, 160]) expect(changeLine(diff, room).length).toBeLessThanOrEqual(room);
	});

	it("is read from the texts of a call, too", () => {
		expect(changeLine(diffOf("wait = 10", "wait = 20"), ROOM)).toBe("wait = 10 → wait = 20");
		expect(diffCounts(diffOf("a\nb", "c"))).toEqual({ added: 1, removed: 2 });
		expect(diffCounts(diffOf("", ""))).toEqual({ added: 0, removed: 0 });
	});
});
