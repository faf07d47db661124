import { cleanText } from "./sanitize.ts";

/** Matches words that need no quotes. zsh expands words that begin with `=`, and older fish expands words that begin with `%`. */
const PLAIN = /^[\w+:,./-][\w@%+=:,./-]*$/;

/**
 * Matches the characters that a terminal interprets or hides, except for newline. `cleanText` removes or replaces the same characters,
 * except for tab. A tab would start a completion if the line is pasted into a shell without bracketed paste.
 */
const UNSAFE =
	"[\\0-\\t\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufff9-\\ufffb\\p{Surrogate}\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}]+";
const HAS_UNSAFE = new RegExp(UNSAFE, "u");
/** Matches the parts of a word that are quoted in different ways. */
const PARTS = new RegExp(`['\\\\$]|${UNSAFE}|(?:(?!['\\\\$]|${UNSAFE})[\\s\\S])+`, "gu");

/**
 * Returns a command as one line that can be pasted into sh, bash, zsh or fish, with every word intact. The line is safe to print: tabs and
 * the characters that `cleanText` would remove are written as octal escapes for `printf`, which gives the shell the exact bytes.
 */
export function commandLine(words: readonly string[]): string {
	return words.map(quoted).join(" ");
}

/**
 * Quotes a word so that all shells read it in the same way. Between single quotes, fish interprets `\'` and `\\`, zsh may read `''` as a
 * quote, and fish 3.6 misreads a `$` if a command substitution in double quotes is on the line. So none of these characters is ever between
 * single quotes, and no two parts in single quotes touch.
 */
function quoted(word: string): string {
	if (PLAIN.test(word)) return word;
	if (word === "") return "''";
	// Some clean texts contain characters from this class, such as the joiners within an emoji.
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
