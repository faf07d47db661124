import { readLastWord } from "./last-word.ts";
import type { Strength } from "./names.ts";
import { readBelow } from "./next-line.ts";
import { endOf, lineEnd, lineStart, matchAt, type Scan } from "./scan.ts";
import { entropy, isLoosePassword, isRandom, passwordShape } from "./shape.ts";
import { isPlaceholder, isSecretValue } from "./value.ts";

/** How far around the word a sentence is looked at: characters, and words. */
const AFTER = 120;
const BEFORE = 60;
const WORDS_AFTER = 12;
const WORDS_BEFORE = 5;

/** What introduces a value: a sign, or "is", "to", "from" and their like, which in any language are short. */
const INTRODUCES =
	/^(?:[=:：→«„“"'`(–—-]|->|=>|(?:\p{L}{1,2}['’])?\p{L}{1,4}|lautet|como|wird|wurde|now|this|using|typed?|enter|entered|called|simply|still|changed|currently|should|would|could|being|maintenant|ahora|jetzt)$|[:：=]$/u;
const NAMES_ANOTHER = /pass(?!e[ds])|secret|token|\bkeys?\b/i;
const WRAPPED = /^[("'`“”„«‘「『[*_]+(.+?)(?:\\[rnt])?[)"'`“”»’」』\]*_]+[.,;:!?)]*$/u;
/** `.type('…')` */
const INNER = /[("'`]["'`]([^"'`]{4,64})["'`]/;
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
	// Of a name that is said twice in a row, the second decides.
	const { text } = scan;
	if (text.startsWith(text.slice(name.start, from), from + 1) && text.charAt(from) === " ") return;
	if (name.strength !== "faint") readBelow(scan, from, name.strength !== "weak");
	if (name.strength === "strong" || name.strength === "short") {
		if (readQuotation(scan, from)) return;
		readLastWord(scan, from, name.strength === "short");
	}
	if (scan.isFresh("after", from)) scan.reach("after", readForward(scan, name, from));
	if (name.strength === "strong" && scan.isFresh("before", name.start)) readBackward(scan, name);
}

/** "the passphrase is “correct horse battery staple”" */
const QUOTATION =
	/[ \t](?:\((?=["']))?(?=["'][^"'\n]{3,80}["'])(?:"(?<e>[^"\n]+)"|'(?<f>[^'\n]+)')|[ \t](?:now[ \t])?\p{L}{1,10}[ \t](?:\p{L}{1,10}[ \t]){0,3}(?:"(?<a>[^"\n]{3,100})"|'(?<b>[^'\n]{3,100})'|`(?<c>[^`\n]{3,100})`|[“„«](?<d>[^”“»\n]{3,100})[”“»])/uy;

const QUOTE_SOON = /[^"'`“„«\n]{1,44}["'`“„«]/y;

function readQuotation(scan: Scan, from: number): boolean {
	if (!/[ \t]/.test(scan.text.charAt(from)) || endOf(QUOTE_SOON, scan.text, from) === undefined) return false;
	const match = matchAt(QUOTATION, scan.text, from);
	const value = Object.values(match?.groups ?? {}).find((group) => group !== undefined);
	if (!match || value === undefined) return false;
	if (!isSecretValue({ value, name: "strong", style: "quoted", next: "" })) return false;
	const link = match[0].slice(0, match[0].length - value.length - 2);
	const isClose = /^\s\(?$|^(?: (?:now|\p{L}{1,4}))+ $/u.test(link);
	const isLabel = /^[A-Za-z_$][\w$]*$/.test(value)
		? !/^[a-z]{4,40}$|\d/.test(value)
		: /[(){}<>=;/\\]/.test(value);
	if (
		isClose
			? match[0].endsWith("`") && isLabel
			: isLabel || !(isLoosePassword(value) || /\s.*\d|\d.*\s/.test(value))
	)
		return false;
	const end = from + match[0].length - 1;
	scan.hide(end - value.length, end);
	return true;
}

/** Up to a blank, or to a script that parts words without one. */
const WORD = /[^\s\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uff20]+/g;

/** How a word stands to the name: right behind it, behind a word that introduces a value, or somewhere near. */
type Place = "next" | "introduced" | "near";

function readForward(scan: Scan, { strength }: Named, from: number): number {
	if (scan.loudFrom("after", from) > from + AFTER) return from;
	const end = lineEnd(scan.text, from, AFTER);
	const window = scan.text.slice(from, end);
	let previous = "";
	let count = 0;
	for (const { 0: word, index } of window.matchAll(WORD)) {
		if (index > 0 && (count++ >= WORDS_AFTER || NAMES_ANOTHER.test(word))) return from + index;
		hideIfSecret(scan, strength, word, from + index, placeOf(count, previous));
		previous = word;
	}
	return end;
}

function placeOf(count: number, previous: string): Place {
	if (INTRODUCES.test(previous)) return "introduced";
	return count <= 1 ? "next" : "near";
}

/** "X as the …", "X is the …", "X to Y as …" */
const SAID_TO_BE =
	/(?:(\S{4,40}) (?:to|→|->) )?(\S{4,40}?)[,;]? (?:as|is|was|为|als|como|comme|=|that['’]s|for|\((?=the|my|our|is|as|$)) ?(?:\S{1,6} ){0,3}$/;

function readBackward(scan: Scan, { start }: Named): void {
	scan.reach("before", start);
	if (!/[ (]/.test(scan.text.charAt(start - 1))) return;
	if (scan.loudFrom("before", Math.max(0, start - BEFORE)) >= start) return;
	const begin = lineStart(scan.text, start, BEFORE);
	const window = scan.text.slice(begin, start);
	if (!/\d/.test(window)) return;
	const said = /\S (?:(?:as|is|was|为|als|como|comme|=|that['’]s|for) |\()/.test(window)
		? SAID_TO_BE.exec(window)
		: null;
	for (const value of [said?.[1], said?.[2]])
		if (said && value !== undefined)
			hideIfSecret(scan, "strong", value, begin + said.index + said[0].indexOf(value), "next");
	const isCut = begin > 0 && /\S/.test(scan.text.charAt(begin - 1));
	for (const { 0: word, index } of [...window.matchAll(WORD)].slice(-WORDS_BEFORE)) {
		if (index > 0 || !isCut) hideIfSecret(scan, "strong", word, begin + index, "near");
	}
}

function hideIfSecret(scan: Scan, strength: Strength, word: string, at: number, place: Place): void {
	if (word.length < 4 || !/[\d!@#$%^&*?+]|-.*-.*-/.test(word)) return;
	const quoted = WRAPPED.exec(word)?.[1] ?? INNER.exec(word)?.[1];
	const plain = PLAIN.exec(word)?.[1] ?? word;
	// The mark at the end of a sentence may be the end of a password.
	const candidates =
		quoted === undefined ? [plain, `${plain}!`].filter((part) => word.includes(part)) : [quoted];
	const value = candidates.find((candidate) =>
		isSecretWord(strength, candidate, place, quoted !== undefined),
	);
	if (value === undefined) return;
	const start = at + word.indexOf(value);
	scan.hide(start, start + value.length);
}

function isSecretWord(strength: Strength, word: string, place: Place, isQuoted: boolean): boolean {
	if (isPlaceholder(word)) return false;
	const shape = passwordShape(word);
	switch (strength) {
		case "strong":
			if (shape === "none")
				return (
					isKey(word, 16) ||
					isEncoded(word, place) ||
					(place !== "near" && isLoosePassword(word)) ||
					(place === "introduced" && /^\d{4,12}$|^[a-z]+(?:-[a-z]+){3,}$/.test(word))
				);
			return shape === "strong" || isQuoted || place !== "near";
		case "short":
			return place !== "near" && isLoosePassword(word);
		case "weak":
			if (place === "near") return isKey(word, 24);
			return isKey(word, 12) || shape === "strong" || (place === "introduced" && isLooseToken(word));
		default:
			return place !== "near" && isKey(word, 20) && /[A-Z]/.test(word) && /[a-z]/.test(word);
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

/** Letters and digits behind "the token is". */
function isLooseToken(word: string): boolean {
	return word.length >= 6 && /\d/.test(word) && !/\d\.\d/.test(word) && isLoosePassword(word);
}

/** Base64, which has the signs of a path. */
function isEncoded(word: string, place: Place): boolean {
	return place !== "near" && isRandom(word, 20) && /^[\w+/=~-]+$/.test(word) && entropy(word) >= 4.2;
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
