import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileText } from "../../test/support/hostile-text.ts";
import { clippingBy, plainWidth, type WrapOptions, wrappingBy } from "./clip.ts";
import { cleanLine } from "./sanitize.ts";

const wrap = wrappingBy(clippingBy(plainWidth));

describe("wrapping", () => {
	it.each<[string, string, WrapOptions, string[]]>([
		["at spaces", "make the parser strict", { columns: 10 }, ["make the", "parser", "strict"]],
		["under an indent", "- make the parser", { columns: 10, indent: "  " }, ["- make the", "  parser"]],
		[
			"a text that is indented",
			"  2 make the parser",
			{ columns: 10, indent: "  " },
			["  2 make", "  the", "  parser"],
		],
		[
			"Chinese between characters, not early at a space",
			"运行 测试并修复解析器中的错误",
			{ columns: 12 },
			["运行 测试并", "修复解析器中", "的错误"],
		],
		[
			"no line before a closing mark",
			"修复解析器，然后测试",
			{ columns: 10 },
			["修复解析", "器，然后测", "试"],
		],
		["no line after an opening mark", "修复解析「器」", { columns: 10 }, ["修复解析", "「器」"]],
		[
			"names among Chinese as a whole",
			"请运行parse-date然后",
			{ columns: 12 },
			["请运行", "parse-date然", "后"],
		],
		["Korean at spaces", "날짜 파서를 고쳐", { columns: 11 }, ["날짜 파서를", "고쳐"]],
		[
			"a path inside, after which the line goes on",
			"in src/parse-date.js now",
			{ columns: 8 },
			["in", "src/pars", "e-date.j", "s now"],
		],
		["to a number of lines", "make the parser strict", { columns: 10, max: 2 }, ["make the", "parser…"]],
		["to one line", "make the parser strict", { columns: 10, max: 1 }, ["make the…"]],
	])("breaks %s", (_, text, options, lines) => {
		expect(wrap(text, options)).toEqual(lines);
	});

	it("loses nothing but spaces and never makes a line too wide, for any text", () => {
		fc.assert(
			fc.property(hostileText.map(cleanLine), fc.integer({ min: 4, max: 60 }), (text, columns) => {
				const lines = wrap(text, { columns });
				for (const line of lines) expect(plainWidth(line)).toBeLessThanOrEqual(columns);
				if (!lines.some((line) => line.endsWith("…")))
					expect(lines.join("").replace(/\s/gu, "")).toBe(text.replace(/\s/gu, ""));
				expect(wrap(text, { columns, max: 3 }).length).toBeLessThanOrEqual(3);
			}),
		);
	});
});
