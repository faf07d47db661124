import fc from "fast-check";

/** Characters that break terminals, layouts and readers, and ordinary ones that they combine with. */
const TROUBLE = [
	..."\x00\x07\x08\n\r\t\x0b\x0c\x18\x1a\x1b\x7f\x80\x85\x8e\x8f\x90\x98\x9b\x9c\x9d\x9f",
	...["\x1b[", "\x1b]", "\x1bP", "\x1b\\", "\x1b_", "\x1b^", "\x1bX", "\x1bO"],
	...["\x1b[31m", "\x1b]0;title\x07", "\x1b[?1004h", "\ud83d", "\ude00", "\ud800", "\udfff"],
	..."\u061c\u200e\u200f\u202a\u202e\u2066\u2069",
	..."\u00ad\u034f\u180e\u200b\u200c\u200d\u2028\u2029\u2060\u2064\ufeff\ufff9\ufffb\ufffd\ufffe",
	..."\u{e0001}\u{e0067}\u{e007f}\u{e0100}\u{1d173}\ufe0e\ufe0f\u20e3\u{1f3fd}",
	...["👩", "☺", "❤", "🔥", "🏴", "🇺", "🇸", "#", "1", "©", "👩‍👩‍👧", "❤️"],
	...["a", "Z", " ", "\u00a0", "\u3000", ".", "。", "é", "\u0301", "语", "テ", "ｶ", "ก", "ำ"],
	...["م", "ی", "क", "ष", "\u094d", "\u0903", "ক", "\u09cd"],
	...["ᄀ", "ᅡ", "ᆨ", "가", "\u115f", "\u1160", "\u3164"],
];

/** Text that is likely to break a sanitizer: mostly these characters, mixed with arbitrary UTF-16. */
export const hostileText: fc.Arbitrary<string> = fc
	.array(
		fc.oneof(
			{ weight: 6, arbitrary: fc.constantFrom(...TROUBLE) },
			{ weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 3 }) },
			{ weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 3 }) },
			{ weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) },
		),
		{ maxLength: 40 },
	)
	.map((parts) => parts.join(""));
