import { cleanText } from "./sanitize.ts";

/** A leading `=` must be quoted in zsh, and a leading `%` must be quoted in older versions of fish. */
const PLAIN = /^[\w+:,./-][\w@%+=:,./-]*$/;

/**
 * Matches characters that a terminal interprets or hides. The tab character is included, because a pasted
 * tab may trigger completion.
 */
const UNSAFE =
	"[\\0-\\t\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufff9-\\ufffb\\p{Surrogate}\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}]+";
const HAS_UNSAFE = new RegExp(UNSAFE, "u");
const PARTS = new RegExp(`['\\\\$]|${UNSAFE}|(?:(?!['\\\\$]|${UNSAFE})[\\s\\S])+`, "gu");

/**
 * Returns a command line that is safe to print and can be pasted into sh, bash, zsh or fish. Unprintable
 * characters become octal escapes in a `printf` command, so that every byte is preserved.
 */
export function commandLine(words: readonly string[]): string {
	return words.map(quoted).join(" ");
}

/**
 * Single-quoted parts never contain `'`, `\` or `$`, because fish treats `\'` and `\\` as escapes, and
 * fish 3.6 misreads `$` on a line with a quoted command substitution. Two quoted parts are never adjacent,
 * because zsh may read `''` as a quotation mark.
 */
function quoted(word: string): string {
	if (PLAIN.test(word)) return word;
	if (word === "") return "''";
	// Text that matches `UNSAFE` may still be safe, because the pattern also matches the joiners in an emoji.
	const escapes = cleanText(word) !== word || word.includes("\t");
	const parts = escapes ? word.match(PARTS) : word.match(/['\\$]|[^'\\$]+/g);
	return (parts ?? [])
		.map((part) => {
			if (/^['\\$]$/.test(part)) return `\\${part}`;
			return escapes && HAS_UNSAFE.test(part) ? `"$(printf '${octal(part)}')"` : `'${part}'`;
		})
		.join("");
}

function octal(text: string): string {
	return [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
