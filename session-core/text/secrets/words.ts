import { matchAt, type Scan } from "./scan.ts";
import { speaksOfSecret } from "./value.ts";

/** Several words up to the end of the line or sentence, as passphrases are made of them. */
const WORDS =
	/(?:\p{L}[\p{L}\p{M}\d'!-]{0,24}|\d{1,6})(?:[ ·-](?:\p{L}[\p{L}\p{M}\d'!-]{0,24}|\d{1,6})){2,14}(?=[.,;!)"'`]?(?:\s{0,3}(?:\r?\n|$)|\s\())/uy;

/** Hides words in a row behind the name of a passphrase; behind that of a password at least four plain ones. */
export function readWords(scan: Scan, name: { start: number; end: number }, at: number): boolean {
	const match = matchAt(WORDS, scan.text, at);
	if (!match) return false;
	const value = match[0];
	const count = value.split(/[ ·-]/).length;
	const isPhrase = /phrase|mnemonic|seed/i.test(scan.text.slice(name.start, name.end));
	if (speaksOfSecret(value)) return false;
	const isPlain = count <= 8 && (count >= 4 || /\d/.test(value)) && /^[\p{Ll}\d -]+$/u.test(value);
	if (!isPhrase && !isPlain) return false;
	scan.hide(at, at + value.length);
	return true;
}
