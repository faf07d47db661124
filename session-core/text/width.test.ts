import { visibleWidth } from "@mariozechner/pi-tui";
import fc from "fast-check";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { hostileText } from "../../test/support/hostile-text.ts";
import { cleanText } from "./sanitize.ts";
import { plainWidth } from "./width.ts";

test.each([
	["plain", 5],
	["日本語", 6],
	["👩‍👩‍👧", 2],
	["❤️", 2],
	["❤", 1],
	["🇩🇪", 2],
	["1️⃣", 2],
	["e\u0301", 1],
	["ｶﾅ", 2],
	["한국어", 6],
	["한".normalize("NFD"), 2],
	["ｆｕｌｌ", 8],
	["Здравствуй", 10],
	["กำ", 2],
	["", 0],
])("counts the columns of %j as %i, as a terminal does", (text, columns) => {
	expect(plainWidth(text)).toBe(columns);
	expect(visibleWidth(text)).toBe(columns);
});

test("no character takes fewer columns than the host or string-width say, and few take more", () => {
	let more = 0;
	for (let code = 0x20; code < 0x110000; code += code < 0x3400 || code > 0x1b000 ? 1 : 5) {
		if (code === 0x20000) code = 0xe0000;
		const char = String.fromCodePoint(code);
		const text = /[\p{Cn}\p{Co}\s]/u.test(char) ? "" : cleanText(char);
		if (text === "") continue;
		const width = plainWidth(text);
		if (width < visibleWidth(text) || width < stringWidth(text)) expect.fail(`U+${code.toString(16)}`);
		if (width > visibleWidth(text)) more++;
	}
	expect(more).toBeLessThan(2_000);
});

test("no text takes fewer columns than the host says", () => {
	fc.assert(
		fc.property(hostileText, (hostile) => {
			const text = cleanText(hostile).replace(/[\n\t]/g, " ");
			expect(plainWidth(text)).toBeGreaterThanOrEqual(visibleWidth(text));
		}),
		{ numRuns: 3_000 },
	);
});
