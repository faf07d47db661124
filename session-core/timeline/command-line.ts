import { cleanText } from "../text/sanitize.ts";

/** Matches words that need no quotes in a POSIX shell. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/**
 * Matches the characters that a terminal interprets or hides, except for newline and tab. `cleanText` removes or replaces the same
 * characters.
 */
const UNSAFE =
	/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Surrogate}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]+/gu;

/**
 * Returns a command as one line that can be pasted into a POSIX shell, with every word intact. The line is safe to print: characters that
 * `cleanText` would remove are written as octal escapes for `printf`, which gives the shell the exact bytes.
 */
export function commandLine(words: readonly string[]): string {
	return words.map(quoted).join(" ");
}

function quoted(word: string): string {
	if (PLAIN.test(word)) return word;
	const text = `'${word.replaceAll("'", "'\\''")}'`;
	return cleanText(word) === word ? text : text.replace(UNSAFE, (part) => `'"$(printf '${octal(part)}')"'`);
}

function octal(text: string): string {
	return [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
