import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileText } from "../../test/support/hostile-text.ts";
import { cleanLine, cleanText } from "./sanitize.ts";

const FORBIDDEN =
	/[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\p{Surrogate}\u{e0000}-\u{e007f}]/u;
const JOINER = /[\u200c\u200d]/;

describe("escape sequences", () => {
	const C1 = (code: number) => String.fromCharCode(code);
	it.each([
		["colour", "a\x1b[1;31mb\x1b[0m", "ab"],
		["cursor movement", "a\x1b[2Jb\x1b[10;20Hc", "abc"],
		["private modes", "a\x1b[?1004hb\x1b[>4;2mc", "abc"],
		["CSI with intermediates", "a\x1b[!pb\x1b[0 qc", "abc"],
		["a CSI cut off", "a\x1b[38;5", "a"],
		["a window title", "a\x1b]0;pwned\x07b", "ab"],
		["a hyperlink", "\x1b]8;;http://x.test\x1b\\link\x1b]8;;\x1b\\", "link"],
		["a clipboard write", "a\x1b]52;c;cm0gLXJm\x07b", "ab"],
		["an OSC that never ends, to the end of its line", "a\x1b]0;hidden\nb", "a\nb"],
		["an OSC that another sequence cuts off", "a\x1b]0;hidden\x1b[31mb", "ab"],
		["an OSC that is cancelled", "a\x1b]0;hidden\x18b", "ab"],
		["DCS over several lines", "a\x1bPq#0\n#1\x1b\\b", "ab"],
		["APC, PM and SOS", "a\x1b_G1\x1b\\b\x1b^p\x1b\\c\x1bXs\x1b\\d", "abcd"],
		["tmux pass-through", "a\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\b", "ab"],
		["single shifts", "a\x1bOAb\x1bNxc", "abc"],
		["two-character escapes", "a\x1bcb\x1b7c\x1b(0d", "abcd"],
		["a lone ESC", "a\x1b", "a"],
		["8-bit CSI", `a${C1(0x9b)}31mb`, "ab"],
		["8-bit OSC and ST", `a${C1(0x9d)}0;t${C1(0x9c)}b`, "ab"],
		[
			"8-bit DCS, APC, PM, SOS",
			`a${C1(0x90)}x\x07b${C1(0x9f)}x\x07c${C1(0x9e)}x\x07d${C1(0x98)}x\x07e`,
			"abcde",
		],
		["8-bit single shifts", `a${C1(0x8e)}xb${C1(0x8f)}yc`, "abc"],
	])("go: %s", (_name, text, expected) => expect(cleanText(text)).toBe(expected));

	it("a misencoded quotation mark does not remove the rest of its line", () => {
		const closingQuote = "â\x80\x9d";
		expect(cleanText(`said ${closingQuote}hello world`)).toBe("said âhello world");
	});

	it("are removed without joining the text around them into a new sequence", () => {
		expect(cleanText("\x1b\x1b[31m[31mx")).not.toMatch(FORBIDDEN);
		expect(cleanText("\ud83d\x1b[m\ude00")).toBe("");
		expect(cleanText("☺\x1b[m\ufe0f")).toBe("☺");
	});
});

describe("invisible characters", () => {
	it.each([
		["bidi controls", "a\u202eb\u2066c\u061cd\u200ee", "abcde"],
		["zero-width characters", "a\u200bb\u2060c\ufeffd\u00ade", "abcde"],
		["tag characters", "a\u{e0041}\u{e0042}b", "ab"],
		["interlinear annotation", "a\ufff9b\ufffac\ufffbd", "abcd"],
		["fillers that look like a space", "a\u3164b\uffa0c", "abc"],
		["lone surrogates, but no replacement character that was there", "a\ud800b\udc00c\ufffd", "abc\ufffd"],
		["joiners in Latin words", "pass\u200dword\u200c", "password"],
		["selectors after letters", "a\ufe0fb\ufe0ec", "abc"],
	])("go: %s", (_name, text, expected) => expect(cleanText(text)).toBe(expected));

	it.each([
		["emoji joined to a family", "👩‍👩‍👧‍👦"],
		["emoji presentation and keycaps", "❤️ ☺️ 1️⃣ #️⃣"],
		["skin tones and flags", "👍🏽 🇺🇸 🏳️‍🌈"],
		["Persian non-joiners", "می‌خواهم"],
		["Devanagari and Bengali joiners", "क्‍ष র‍্যাব"],
		["Sinhala joiners", "ශ්‍රී"],
		["combining marks", "e\u0301 ก็ ה\u05b8"],
		["private-use symbols of patched fonts", "\ue0b0 \uf113"],
		["what people write", "Naïve – “quoted” … 日本語。 한국어 ✓"],
	])("stay where they carry meaning: %s", (_name, text) => expect(cleanText(text)).toBe(text));
});

it("lines end in a newline and keep their tabs, or become one trimmed line", () => {
	expect(cleanText("\ta\r\nb\rc\vd\fe\x85f\u2028g\u2029h\n")).toBe("\ta\nb\nc\nd\ne\nf\ng\nh\n");
	expect(cleanLine(" \n a\t\tb\r\n\u00a0\u3000c\x1b[0m ")).toBe("a b c");
	expect(cleanLine("\u2800a\u2800\u2800b")).toBe("a b");
});

describe("for any input", () => {
	it("the result contains no unwanted character, and cleaning is idempotent", () => {
		fc.assert(
			fc.property(hostileText, (text) => {
				const cleaned = cleanText(text);
				const line = cleanLine(text);
				expect(cleaned).not.toMatch(FORBIDDEN);
				expect(line).not.toMatch(FORBIDDEN);
				expect(line).not.toMatch(/[\n\t]|^\s|\s$|\s\s/);
				expect(cleanText(cleaned)).toBe(cleaned);
				expect(cleanLine(line)).toBe(line);
				expect(cleanLine(cleaned)).toBe(line);
			}),
			{ numRuns: 2000 },
		);
	});

	it("a joiner is kept only inside an emoji or between letters", () => {
		fc.assert(
			fc.property(hostileText, (text) => {
				const rest = cleanText(text)
					.replace(
						/(?<=[\p{Extended_Pictographic}\p{M}\p{Emoji_Modifier}])\u200d(?=\p{Extended_Pictographic})/gu,
						"",
					)
					.replace(/(?<=[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])/gu, "");
				expect(rest).not.toMatch(JOINER);
			}),
			{ numRuns: 2000 },
		);
	});
});
