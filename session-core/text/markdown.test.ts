import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { inert, readBlocks, stripMarks } from "./markdown.ts";
import { joinText, sentencesOf } from "./words.ts";

const brief = (markdown: string): string[] =>
	readBlocks(markdown).map(({ kind, text, depth, open }) => `${kind}${depth}${open ? " open" : ""}: ${text}`);

describe("readBlocks", () => {
	it("reads headings, paragraphs, nested items, open boxes, rows and code", () => {
		const list = "- [ ] `a.ts`: the lock\n  - deeper";
		const table = "| # | tool | state |\n|---|---|---|\n| 1 | Orca | ✅ done |";
		expect(
			brief(`## Result\nIt **works** now.\n\n${list}\n\n${table}\n\n\`\`\`sh\nnpm test\n\`\`\``),
		).toEqual([
			"heading2: Result",
			"text0: It works now.",
			"item0 open: a.ts: the lock",
			"item1: deeper",
			"row0: Orca | ✓ done",
			"code0: npm test",
		]);
	});

	it.each([
		["1. **A**:\n   - `a` with\n   parts\nAfter.", ["item0: A:", "item1: a with parts", "text0: After."]],
		["- `a.ts`, `b.ts`\n- `a.ts` is new", ["item0: a.ts, b.ts", "item0: a.ts is new"]],
	])("knows what belongs to an item, which may be only a name: %j", (markdown, blocks) => {
		expect(brief(markdown)).toEqual(blocks);
	});

	it.each([
		["The file:\n\n    - [ ] Run it\n\nDone.", ["text0: The file:", "code0: - [ ] Run it", "text0: Done."]],
		["<pre>\n- [ ] Run it\n</pre>\nDone.", ["code0: - [ ] Run it", "text0: Done."]],
		["<pre>ls</pre>\n- [ ] Test it", ["text0: <pre>ls</pre>", "item0 open: Test it"]],
		["- a\n\n    - [ ] b", ["item0: a", "item2 open: b"]],
	])("reads preformatted and indented text as code, and no open boxes in it: %j", (markdown, blocks) => {
		expect(brief(markdown)).toEqual(blocks);
	});

	it("keeps empty cells, and the header of a table with two columns, because it may contain two lists", () =>
		expect(brief("| Done | Open |\n|---|---|\n| a | b |\n| | c |")).toEqual([
			"row0: Done | Open",
			"row0: a | b",
			"row0: | c",
		]));

	it("keeps a symbol that may describe a status", () =>
		expect(brief("| timeout | **300** | ❓ |")).toEqual(["row0: timeout | 300 | ❓"]));

	it.each(["```\nnever closed", "| a", "- ", "#", "[ ](", "****", "|---|", "\u0000"])(
		"survives %j",
		(markdown) => expect(() => readBlocks(markdown)).not.toThrow(),
	);
});

it.each([
	["see `__init__.py`, __init__ and _this_ **one**", "see __init__.py, __init__ and this one"],
	["[the docs](https://a.dev/x(1)) and ![](a.png)", "the docs and a.png"],
	["~~old~~ <u>new</u> <b>bold</b><br>end", "old new bold end"],
	["use Map<string, number> and <branch>", "use Map<string, number> and <branch>"],
	["✅ done ✔ too", "done ✔ too"],
	["2 * 3 * 4 and a_b_c", "2 * 3 * 4 and a_b_c"],
])("without its marks, %j is %j", (text, plain) => expect(stripMarks(text)).toBe(plain));

it.each([
	["Use a.ts, e.g. here. Done! 끝났다。다음", ["Use a.ts, e.g. here.", "Done!", "끝났다。", "다음"]],
	["Version 1.2.3 is out. It works.", ["Version 1.2.3 is out.", "It works."]],
	["go test ./... passed. Daemon restarted.", ["go test ./... passed.", "Daemon restarted."]],
	['He said "no." Then he left.', ['He said "no."', "Then he left."]],
	["Test more (models, etc.) or move on?", ["Test more (models, etc.) or move on?"]],
	["文案是“好。”对吗？", ["文案是“好。”对吗？"]],
	["", []],
])("%j is divided into sentences", (text, sentences) => expect(sentencesOf(text)).toEqual(sentences));

it.each([
	["Done.", "Tests pass.", "Done. Tests pass."],
	["修正しました。", "テストも通ります。", "修正しました。テストも通ります。"],
	["他のモジュールを", "直しました", "他のモジュールを直しました"],
	["다 고쳤습니다.", "테스트도 통과합니다.", "다 고쳤습니다. 테스트도 통과합니다."],
])("%j and %j are joined as %j", (one, other, joined) => {
	expect(joinText([one, other])).toBe(joined);
	expect(readBlocks(`${one}\n${other}`)).toMatchObject([{ text: joined }]);
});

describe("text of a session", () => {
	test.each([
		["> no quotation", "\\> no quotation"],
		["1. no list", "\\1. no list"],
		["<img src=x onerror=alert(1)>", "\\<img src=x onerror=alert(1)>"],
		["![x](http://e.example/p.png)", "![x\\](http://e.example/p.png)"],
		["parse_date.js and a * b", "parse_date.js and a * b"],
		["\x1b[31mred\x1b[0m\nnext", "red next"],
	])("%j is inert as %j", (text, expected) => expect(inert(text)).toBe(expected));

	test("never begins a block, a link or HTML, and stays on one line", () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(..."#>-+*=~|<>[]()!\\1.) \n`a") }), (text) => {
				const out = inert(text);
				expect(out).not.toMatch(/\n|^(?:[#>+*|=-]|~~~)|^\d+[.)]|(?<!\\)(?:\\\\)*<|(?<!\\)(?:\\\\)*\][([:]/);
			}),
		);
	});
});
