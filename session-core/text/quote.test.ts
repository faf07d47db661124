import { describe, expect, it } from "vitest";
import { headAndTail } from "./quote.ts";

describe("headAndTail", () => {
	const filler = Array.from({ length: 60 }, (_, index) => `Module ${index} now reads the shared clock.`);
	const reply = ["The port is done.", ...filler, "Next: docs."].join("\n");

	it("is the reply itself where it fits", () => {
		expect(headAndTail("All is done.\nNext: docs.", 100)).toBe("All is done.\nNext: docs.");
	});

	it("leaves out what only sets the text in type", () => {
		const reply =
			"## Result\n\n---\n| a | b |\n|---|:-:|\n| **1** | 2 |\n\n```sh\nmake x\n```\n- `y` **is** z";
		expect(headAndTail(reply, 100)).toBe("Result\n|a|b|\n|1|2|\nmake x\n- `y` is z");
	});

	it("keeps the beginning and the end", () => {
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
