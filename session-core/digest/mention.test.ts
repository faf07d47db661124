import { describe, expect, it } from "vitest";
import { mentionsIn } from "./mention.ts";

describe("mentionsIn", () => {
	it.each([
		["the whole path", "Changed src/modes/index.ts.", "src/modes/index.ts", true],
		["its end", "Changed modes/index.ts.", "src/modes/index.ts", true],
		["its name alone", "Changed index.ts.", "src/modes/index.ts", true],
		["the same name in another folder", "Changed modes/index.ts.", "src/core/index.ts", false],
		["both", "Changed modes/index.ts and core/index.ts.", "src/core/index.ts", true],
		["more of the path than the session does", "See /home/me/app/src/a.test.ts", "src/a.test.ts", true],
		["the class that it holds", "SessionDetector never sees it.", "core/session_detector.go", true],
		["a word that is no name", "The parser fails.", "src/parser.ts", false],
		["nothing", "", "src/parser.ts", false],
	])("%s", (_, text, path, isNamed) => {
		expect(mentionsIn(text)(path) > 0).toBe(isNamed);
	});

	it("counts more what is named first", () => {
		const mention = mentionsIn("a.test.ts was changed, and so was b.test.ts");
		expect(mention("src/a.test.ts")).toBeGreaterThan(mention("src/b.test.ts"));
	});
});
