import { type Layer, layersOf, type Span } from "./layers.ts";
import { isPlaceholder } from "./values.ts";

/**
 * Matches one kind of secret. A pattern begins with literals, which are used to find candidates; in a lookbehind before them, a group named
 * `lead` matches the part of the secret that precedes them. The secret is the last group that matched, or the whole match if the pattern
 * has no group. The length of a match is limited, so a failed attempt has a constant cost.
 */
export type Rule =
	| RegExp
	| {
			form: RegExp;
			/** Matches the individual secrets within a match of `form` if the match may contain several. */
			each?: RegExp;
			/** Whether a value is a secret. Default: all values except placeholders. */
			accepts?: (value: string) => boolean;
	  };

/** The state of one pass over a text: the spans that were found, and the position that each reader has reached. */
export class Scan {
	readonly spans: Span[] = [];
	readonly text: string;
	readonly #reached = new Map<unknown, number>();
	#read = 0;
	#lineEnd = -1;
	#mark = -1;
	#quote = "";

	readonly #layer: Layer;

	constructor(layer: Layer) {
		this.#layer = layer;
		this.text = layer.text;
	}

	/** Requests that the text under layers from `start` up to `end` be searched, too. */
	look(start: number, end: number): void {
		this.#layer.look(start, end);
	}

	hide(start: number, end: number): void {
		if (end > start) this.spans.push({ start, end });
	}

	/** Whether a position is inside the most recently redacted span. A match that begins inside that span does not need to be checked. */
	isHidden(at: number): boolean {
		const last = this.spans.at(-1);
		return last !== undefined && at >= last.start && at < last.end;
	}

	/** Whether `reader` has not reached the position `at` yet. No reader reads a position twice, so the running time is linear. */
	isFresh(reader: unknown, at: number): boolean {
		return at >= this.reachedBy(reader);
	}

	reach(reader: unknown, end: number): void {
		this.#reached.set(reader, Math.max(end, this.reachedBy(reader)));
	}

	reachedBy(reader: unknown): number {
		return this.#reached.get(reader) ?? 0;
	}

	/** Returns the quotation mark that is open at a position in a line; empty if there is none. Positions must not decrease by much. */
	quoteAt(position: number): string {
		const { text } = this;
		while (this.#lineEnd < position) {
			// A quotation mark that is open on one line does not enclose text on the next line.
			if (this.#lineEnd >= 0) [this.#read, this.#quote] = [this.#lineEnd + 1, ""];
			const end = text.indexOf("\n", this.#read);
			this.#lineEnd = end < 0 ? text.length : end;
		}
		for (;;) {
			if (this.#mark < this.#read) {
				MARK.lastIndex = this.#read;
				this.#mark = MARK.exec(text)?.index ?? text.length;
			}
			if (this.#mark >= position) return this.#quote;
			const mark = text.charAt(this.#mark);
			this.#read = this.#mark + (mark === "\\" ? 2 : 1);
			if (mark === this.#quote) this.#quote = "";
			// An apostrophe within a word is not a quotation mark.
			else if (
				this.#quote === "" &&
				mark !== "\\" &&
				!(mark === "'" && IN_WORD.test(text.charAt(this.#mark - 1)))
			)
				this.#quote = mark;
		}
	}
}

const MARK = /["'`\\]/g;
const IN_WORD = /[\p{L}\d]/u;

/** Checks the text at an anchor. */
export type Reader = (scan: Scan, at: number, literal: string) => void;

/** Matches a sticky pattern at a position. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
	pattern.lastIndex = at;
	return pattern.exec(text) ?? undefined;
}

/** Returns the end position of a sticky pattern's match at a position. This is cheaper than returning the match. */
export function endOf(pattern: RegExp, text: string, at: number): number | undefined {
	pattern.lastIndex = at;
	return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Matches an escape sequence at the end of a text: `\n`, `\u0022`, `%3D`, or a terminal color, as a control sequence or written out. */
const ESCAPE_END =
	/(?:\\[nrtbf]|\\u[\dA-F]{4}|\\x[\dA-F]{2}|%[\dA-F]{2}|(?:\u001b|\\u001b|\\x1b|\\033|\\e)\[[\d;]{0,12}[A-Za-z])$/i;

/** Whether an escape sequence ends at a position. */
export function isAfterEscape(text: string, at: number): boolean {
	return ESCAPE_END.test(text.slice(Math.max(0, at - 24), at));
}

/** Whether a code unit is an ASCII letter or digit. */
export function isAlphanumeric(code: number): boolean {
	return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** Whether a word can begin at a position. If a letter or digit is directly before it, that character must end an escape sequence. */
export function startsWord(text: string, at: number): boolean {
	if (at === 0 || !isAlphanumeric(text.charCodeAt(at - 1)) || !isAlphanumeric(text.charCodeAt(at)))
		return true;
	return isAfterEscape(text, at);
}

/** Number of characters before and after a literal within which its secret may be covered by a layer. */
const NEAR = 200;
const LONGEST_KEY = 6_000;

/** Matches a literal that no word contains, so the token may be inside a word, as in `TOKENghp_…`. */
const DISTINCTIVE = /^(?:gh._|.Q~|JQQJ99|.{4,}[-_])$/;

function readerOf(rule: Rule): Reader {
	const { form, each, accepts = () => true } = rule instanceof RegExp ? { form: rule } : rule;
	const sticky = new RegExp(form, `${form.flags}yd`);
	const inner = each && new RegExp(each, `${each.flags}gd`);
	const hide = (scan: Scan, match: RegExpExecArray, from: number): void => {
		const lead = match.indices?.groups?.["lead"]?.[0];
		const group = lead === undefined ? match.findLastIndex((part) => part !== undefined) : 0;
		const value = match[group] ?? "";
		const [start = 0, end = 0] = match.indices?.[group] ?? [];
		if (!isPlaceholder(value) && accepts(value)) scan.hide(from + (lead ?? start), from + end);
	};
	return (scan, at, literal) => {
		const { text } = scan;
		if (!scan.isFresh(rule, at) || !(startsWord(text, at) || DISTINCTIVE.test(literal))) return;
		const near = literal.startsWith("-----") ? LONGEST_KEY : NEAR;
		scan.look(at - near, at + near);
		const match = matchAt(sticky, text, at);
		if (!match) return;
		scan.reach(rule, at + match[0].length);
		if (!inner) hide(scan, match, 0);
		else for (const one of match[0].matchAll(inner)) hide(scan, one, at);
	};
}

/** Matches the next part of a pattern if it is a group of literals, a set of characters, or a character. */
const PART =
	/(?:\(\?:((?:\\\W|[^()[\]{}\\.*+?^$])+)\)|\[([^\]\\^-]+)\]|(\\\W|[^()[\]{}\\.*+?^$|]))(?![*+?{])/y;

/** Returns the literals with which a pattern begins: `ab` and `cb` for `(?:a|c)b+`. */
export function literalsOf({ source }: RegExp): string[] {
	let literals = [""];
	PART.lastIndex = 0;
	for (let part = PART.exec(source); part; part = PART.exec(source)) {
		const [, group, set, character = ""] = part;
		const options = group?.split("|") ?? (set === undefined ? [character] : [...set]);
		literals = literals.flatMap((start) => options.map((one) => start + one.replace(/\\(?=\W)/g, "")));
	}
	return literals;
}

/** Number of characters that are searched in one step. */
const STEP = 2 * 1024;

/**
 * Returns a function that finds, in linear time, all secrets in a text that are recognized by one of the rules, or by a reader at one of
 * its anchors. It yields wherever it can be interrupted.
 */
export function finderFor(
	rules: readonly Rule[],
	readers: readonly Anchor<Reader>[],
): (text: string) => Generator<undefined, Span[], void> {
	const anchors = rules.flatMap((rule): Anchor<Reader>[] => {
		const form = rule instanceof RegExp ? rule : rule.form;
		const value = readerOf(rule);
		return literalsOf(form).map((literal) => ({ literal, exact: !form.ignoreCase, value }));
	});
	const find = scannerFor([...anchors, ...readers]);
	return function* (whole) {
		const spans: Span[] = [];
		for (const layer of layersOf(whole)) {
			yield;
			if (!layer) continue;
			const scan = new Scan(layer);
			const visit: Visit<Reader> = (at, read, literal) => {
				if (!scan.isHidden(at)) read(scan, at, literal);
			};
			for (let from = 0; from < layer.text.length; from += STEP) {
				if (from > 0) yield;
				find(layer.text, visit, from, from + STEP);
			}
			for (const { start, end } of scan.spans) {
				spans.push(layer.toSource(start, end));
				yield;
			}
		}
		return apart(spans);
	};
}

/** Returns the spans in order, with adjacent ones merged. */
function apart(spans: readonly Span[]): Span[] {
	const merged: Span[] = [];
	for (const span of [...spans].sort((a, b) => a.start - b.start)) {
		const last = merged.at(-1);
		if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
		else merged.push({ ...span });
	}
	return merged;
}

export interface Anchor<T> {
	/** The text to search for: at least two characters, in lower case unless `exact` is set. */
	literal: string;
	/** Whether the case has to match. */
	exact?: boolean;
	value: T;
}

/** A function that is called for each occurrence of an anchor, in order. */
type Visit<T> = (at: number, value: T, literal: string) => void;

/** An anchor with its first character, the index of its last character, and the last character's entry in {@link CODES}. */
interface Indexed<T> extends Anchor<T> {
	first: number;
	end: number;
	last: number;
}

const BITS = 7;
const MASK = (1 << (3 * BITS)) - 1;
/**
 * Maps a UTF-16 code unit to seven bits that are the same for both cases of a letter: an ASCII character to its lowercase form, and any
 * other code unit to a control character that serves as its hash.
 */
const CODES = Uint8Array.from({ length: 65_536 }, (_, code) => {
	if (code >= 128) return code & 31;
	return code >= 65 && code <= 90 ? code + 32 : code;
});

function codeAt(text: string, at: number): number {
	return CODES[text.charCodeAt(at)] ?? 0;
}

/**
 * Creates a function that searches for all anchors at once. A table of their first three characters rules out nearly every position with
 * one lookup, so text without literals is read at several hundred MB/s. A regular expression with as many alternatives takes ten times as
 * long. The function finds anchors that begin between `from` and `to` (default: anywhere).
 */
export function scannerFor<T>(
	anchors: Iterable<Anchor<T>>,
): (text: string, visit: Visit<T>, from?: number, to?: number) => void {
	const starts = new Uint8Array((MASK + 1) >> 3);
	const byStart = new Map<number, Indexed<T>[]>();
	for (const one of anchors) {
		const { literal } = one;
		const end = literal.length - 1;
		const anchor = { ...one, first: literal.charCodeAt(0), end, last: codeAt(literal, end) };
		const pair = (codeAt(literal, 0) << BITS) | codeAt(literal, 1);
		// An anchor of two characters may be followed by any character.
		const thirds =
			literal.length > 2 ? [codeAt(literal, 2)] : Array.from({ length: 1 << BITS }, (_, third) => third);
		for (const key of thirds.map((third) => (pair << BITS) | third)) {
			starts[key >> 3] = (starts[key >> 3] ?? 0) | (1 << (key & 7));
			byStart.set(key, [...(byStart.get(key) ?? []), anchor]);
		}
	}
	const visitThose = (text: string, at: number, key: number, visit: Visit<T>): void => {
		for (const { literal, exact, value, first, end, last } of byStart.get(key) ?? []) {
			// These comparisons rule out nearly every candidate without creating a string.
			if (at + end >= text.length || CODES[text.charCodeAt(at + end)] !== last) continue;
			if (exact && text.charCodeAt(at) !== first) continue;
			const isFound =
				text.startsWith(literal, at) ||
				(!exact && text.slice(at, at + literal.length).toLowerCase() === literal);
			if (isFound) visit(at, value, literal);
		}
	};
	return (text, visit, from = 0, to = text.length) => {
		const { length } = text;
		const end = Math.min(length, to + 1);
		let key = (codeAt(text, from) << BITS) | codeAt(text, from + 1);
		for (let next = from + 2; next <= end; next++) {
			// Reading past the end of the text would make the loop four times slower.
			key = ((key << BITS) | (next === length ? 0 : (CODES[text.charCodeAt(next)] ?? 0))) & MASK;
			if (((starts[key >> 3] ?? 0) >> (key & 7)) & 1) visitThose(text, next - 2, key, visit);
		}
	};
}
