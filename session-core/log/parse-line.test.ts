import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLine } from "./parse-line.ts";

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
		["one object", json("a"), ["a"], false],
		["white space around it", `  \t${json("a")}\r`, ["a"], false],
		["a byte order mark", `\ufeff${json("a")}`, ["a"], false],
		["nothing", " \r", [], false],
		["two objects glued together", json("a") + json("b"), ["a", "b"], false],
		["three, with blanks between", `${json("a")} ${json("b")}\t${json("c")}`, ["a", "b", "c"], false],
		["`}{` inside a string", json("a", "}{"), ["a"], false],
		["`}{` inside a string of a glued line", json("a", '}{"type":"') + json("b"), ["a", "b"], false],
		["U+2028 and U+2029 inside a string", json("a", "x\u2028y\u2029z"), ["a"], false],
		["an entry behind a torn one", json("a").slice(0, 40) + json("b"), ["b"], true],
		["an entry behind one torn inside a string", json("a").slice(0, -12) + json("b"), ["b"], true],
		["a torn entry behind a whole one", json("a") + json("b").slice(0, -3), ["a"], true],
		[
			"a whole one between torn ones",
			json("a").slice(0, 50) + json("b") + json("c").slice(0, 60),
			["b"],
			true,
		],
		["NULs in front", `\0\0\0\0${json("a")}`, ["a"], false],
		["a stray bracket in front", `[${json("a")}`, ["a"], true],
		["an array", "[1,2]", [], true],
		["a number", "17", [], true],
		["garbage", "}}}{{{", [], true],
	])("survives %s", (_, line, ids, damaged) => {
		const parsed = parseLine(line);
		expect(parsed.objects.map((object) => object["id"])).toEqual(ids);
		expect(parsed.damaged).toBe(damaged);
	});

	it("takes no block of a torn message's content for an entry", () => {
		const line =
			'{"type":"message","id":"a","message":{"content":[{"type":"text","text":"x"},{"type":"toolCall","id":"c"}';
		expect(parseLine(line).objects).toEqual([]);
	});

	it("finds an intact entry behind any torn beginning of another", () => {
		fc.assert(
			fc.property(fc.string(), fc.integer({ min: 1, max: 150 }), (text, cut) => {
				const torn = json("a", text).slice(0, cut);
				expect(parseLine(torn + json("b")).objects).toContainEqual(entry("b"));
			}),
		);
	});

	it("spends bounded time on a line that begins an entry everywhere", () => {
		const hostile = '{"type":"x","id":'.repeat(100_000);
		expect(parseLine(hostile).objects).toEqual([]);
	});
});
