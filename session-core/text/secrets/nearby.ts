import type { Strength } from "./names.ts";
import { lineEnd, lineStart, matchAt, type Scan } from "./scan.ts";
import { isRandom, passwordShape } from "./shape.ts";
import { isPlaceholder, isSecretValue } from "./value.ts";

/** How far around the word a sentence is looked at: characters, and words. */
const AFTER = 120;
const BEFORE = 60;
const WORDS_AFTER = 12;
const WORDS_BEFORE = 5;

/** What introduces a value: a sign, or "is", "to", "from" and their like, which in any language are short. */
const INTRODUCES = /^(?:[=:：→-]|->|=>|\p{L}{1,4}|lautet|como|wird|wurde|now|this)$|[:：=]$/u;
const NAMES_ANOTHER = /pass(?!e[ds])|secret|token|\bkeys?\b/i;
const WRAPPED = /^[("'`“”„«‘「『[*_]+(.+?)[)"'`“”»’」』\]*_]+[.,;:!?)]*$/u;
const PLAIN = /^[=:：("'`“„«‘「『[*_]*(.+?)["'`”»’」』\])*_.,;:?…。，、）]*$/u;

interface Named {
	start: number;
	end: number;
	strength: Strength;
}

/**
 * Hides what looks like a secret in the neighbourhood of its name: "password hunter2x9", "changed from X to Y", "use X as
 * the password". Nothing but its looks tells it, so a word has to look less like language the further it stands away.
 */
export function readNearby(scan: Scan, name: Named): void {
	if (name.strength === "code") {
		readCode(scan, name);
		return;
	}
	const from = name.end;
	if (name.strength === "strong" && readQuotation(scan, from)) return;
	if (scan.isFresh("after", from)) scan.reach("after", readForward(scan, name, from));
	if (name.strength === "strong" && scan.isFresh("before", name.start)) readBackward(scan, name);
}

/** "the passphrase is “correct horse battery staple”" */
const QUOTATION =
	/[ \t](?:now[ \t])?\p{L}{1,4}[ \t](?:\p{L}{1,4}[ \t])?(?:"(?<a>[^"\n]{3,100})"|'(?<b>[^'\n]{3,100})'|`(?<c>[^`\n]{3,100})`|[“„«](?<d>[^”“»\n]{3,100})[”“»])/uy;

function readQuotation(scan: Scan, from: number): boolean {
	if (!/[ \t]/.test(scan.text.charAt(from))) return false;
	const match = matchAt(QUOTATION, scan.text, from);
	const value = Object.values(match?.groups ?? {}).find((group) => group !== undefined);
	if (!match || value === undefined) return false;
	if (!isSecretValue({ value, name: "strong", style: "quoted", next: "" })) return false;
	const end = from + match[0].length - 1;
	scan.hide(end - value.length, end);
	return true;
}

function readForward(scan: Scan, { strength }: Named, from: number): number {
	if (scan.loudFrom(from) > from + AFTER) return from;
	const end = lineEnd(scan.text, from, AFTER);
	const window = scan.text.slice(from, end);
	let previous = "";
	let count = 0;
	for (const match of window.matchAll(/\S+/g)) {
		const [word] = match;
		if (match.index > 0 && (count++ >= WORDS_AFTER || NAMES_ANOTHER.test(word))) return from + match.index;
		const isClose = count <= 1 || INTRODUCES.test(previous);
		hideIfSecret(scan, strength, word, from + match.index, isClose);
		previous = word;
	}
	return end;
}

function readBackward(scan: Scan, { start }: Named): void {
	scan.reach("before", start);
	if (!/[ (]/.test(scan.text.charAt(start - 1))) return;
	const begin = lineStart(scan.text, start, BEFORE);
	const window = scan.text.slice(begin, start);
	if (!/\d/.test(window)) return;
	const words = [...window.matchAll(/\S+/g)].slice(-WORDS_BEFORE);
	for (const { 0: word, index } of words) {
		if (begin + index === begin && begin > 0 && !/\s/.test(scan.text.charAt(begin - 1))) continue;
		hideIfSecret(scan, "strong", word, begin + index, false);
	}
}

function hideIfSecret(scan: Scan, strength: Strength, word: string, at: number, isClose: boolean): void {
	if (word.length < 4 || !/[\d!@#$%^&*?+]/.test(word)) return;
	const wrapped = WRAPPED.exec(word)?.[1];
	const whole = wrapped ?? PLAIN.exec(word)?.[1] ?? word;
	// The mark at the end of a sentence may be the end of a password.
	const candidates =
		wrapped === undefined
			? [whole, ...(/!$/.test(word) ? [] : [`${whole}!`].filter((v) => word.includes(v)))]
			: [whole];
	const value = candidates.find((candidate) =>
		isSecretWord(strength, candidate, isClose, wrapped !== undefined),
	);
	if (value === undefined) return;
	const start = at + word.indexOf(value);
	scan.hide(start, start + value.length);
}

function isSecretWord(strength: Strength, word: string, isClose: boolean, isWrapped: boolean): boolean {
	if (isPlaceholder(word)) return false;
	switch (strength) {
		case "strong": {
			const shape = passwordShape(word);
			return (
				shape === "strong" ||
				(shape === "weak" && isClose) ||
				isRandom(word, 16) ||
				(isWrapped && shape !== "none")
			);
		}
		case "short":
			return isClose && passwordShape(word) === "strong";
		case "weak":
			return isClose ? isKey(word, 12) : isKey(word, 24);
		default:
			return isClose && isKey(word, 20) && /[A-Z]/.test(word) && /[a-z]/.test(word);
	}
}

/** Letters and digits without a sign of a path, a name or an address. */
function isKey(word: string, length: number): boolean {
	return (
		isRandom(word, length) &&
		/^[\w+=~-]+$/.test(word) &&
		!/^[a-z]+(?:[-_][a-z\d]+)+$/i.test(word) &&
		!/^[A-Z]?[a-z]+(?:[A-Z][a-z]+)+\d*$/.test(word)
	);
}

/** "the code is 845 112" */
function readCode(scan: Scan, { end }: Named): void {
	const match =
		/^(?:[ -]code)?(?:\s(?:is|was|ist|es|est))?\s?[:=]?\s?(\d{3}[ -]?\d{3}|\d{4})(?![\w.:/-])/i.exec(
			scan.text.slice(end, end + 40),
		);
	const code = match?.[1];
	if (match && code !== undefined) scan.hide(end + match[0].length - code.length, end + match[0].length);
}
