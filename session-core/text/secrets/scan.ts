import { isPlaceholder } from "./classify.ts";

/** A range of a text that is to be redacted. */
export interface Span {
	start: number;
	end: number;
}

/** Describes how one kind of secret is recognized: a literal locates a candidate, and the text around the literal confirms it. */
export interface Rule {
	/** The literals to search for. Unless `exact` is set, they are in lower case here and match in any letter case. */
	anchors: readonly string[];
	exact?: boolean;
	/** Whether the anchor is so distinctive that it may be inside a word, as in `TOKENghp_…`. */
	isGlued?: boolean;
	/** Matches each character before the anchor that is still part of the token. */
	lead?: RegExp;
	/**
	 * The pattern of the token, matched from the anchor or, if `lead` is set, from the first character that `lead` matches. The secret is
	 * the last group that matched, or the whole match if the pattern has no group. The length of a match is limited, so a failed attempt
	 * has a constant cost.
	 */
	form: RegExp;
	/** Matches the individual secrets within a match of `form` if the match may contain several. */
	each?: RegExp;
	/** Whether a value is a secret. Default: all values except placeholders. */
	accepts?: (value: string) => boolean;
}

const LONGEST_LEAD = 40;

/** The state of one pass over a text: the spans that were found, and the position that each reader has reached. */
export class Scan {
	readonly spans: Span[] = [];
	readonly text: string;
	readonly #reached = new Map<unknown, number>();

	constructor(text: string) {
		this.text = text;
	}

	hide(start: number, end: number): void {
		if (end <= start) return;
		this.spans.push({ start, end });
	}

	/** Whether a position is inside the span that was redacted last. A match that begins there does not need to be checked. */
	isHidden(at: number): boolean {
		const last = this.spans.at(-1);
		return last !== undefined && at >= last.start && at < last.end;
	}

	/** Whether `reader` has not reached the position `at` yet. No reader reads a position twice, so the running time is linear. */
	isFresh(reader: unknown, at: number): boolean {
		return at >= (this.#reached.get(reader) ?? 0);
	}

	reach(reader: unknown, end: number): void {
		this.#reached.set(reader, Math.max(end, this.#reached.get(reader) ?? 0));
	}
}

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
export const ESCAPE_END =
	/(?:\\[nrtbf]|\\u[\dA-F]{4}|\\x[\dA-F]{2}|%[\dA-F]{2}|(?:\u001b|\\u001b|\\x1b|\\033|\\e)\[[\d;]{0,12}[A-Za-z])$/i;
/** Number of characters in which an escape sequence is looked for. */
export const ESCAPE_LENGTH = 24;

/**
 * Whether a word can begin at a position: the character before it is neither a letter nor a digit, or ends an escape sequence such as `\n`
 * or `%3D`.
 */
export function startsWord(text: string, at: number): boolean {
	if (at === 0 || !/[A-Za-z0-9]/.test(text.charAt(at - 1)) || !/[A-Za-z0-9]/.test(text.charAt(at)))
		return true;
	return ESCAPE_END.test(text.slice(Math.max(0, at - ESCAPE_LENGTH), at));
}

function readerOf(rule: Rule): Reader {
	const { lead, accepts = () => true } = rule;
	const flags = rule.form.flags.replace(/[yd]/g, "");
	const form = new RegExp(rule.form.source, `${flags}yd`);
	const each = rule.each && new RegExp(rule.each.source, `${rule.each.flags.replace(/[gd]/g, "")}gd`);
	const hide = (scan: Scan, match: RegExpExecArray, from: number): void => {
		const group = match.findLastIndex((part) => part !== undefined);
		const value = match[group] ?? "";
		const [start = 0, end = 0] = match.indices?.[group] ?? [];
		if (!isPlaceholder(value) && accepts(value)) scan.hide(from + start, from + end);
	};
	return (scan, at) => {
		const { text } = scan;
		let start = at;
		while (lead && start > 0 && at - start < LONGEST_LEAD && lead.test(text.charAt(start - 1))) start--;
		if (!scan.isFresh(rule, start) || !(rule.isGlued || startsWord(text, start))) return;
		const match = matchAt(form, text, start);
		if (!match) return;
		scan.reach(rule, start + match[0].length);
		if (!each) hide(scan, match, 0);
		else for (const inner of match[0].matchAll(each)) hide(scan, inner, start);
	};
}

/** Number of characters that are searched in one step. */
const STEP = 32 * 1024;

/**
 * Returns a function that finds, in linear time, all secrets in a text that are recognized by one of the rules or readers. It yields
 * wherever it may be interrupted.
 */
export function finderFor(
	rules: readonly Rule[],
	readers: readonly (readonly [read: Reader, anchors: readonly string[]])[],
): (text: string) => Generator<undefined, Span[], void> {
	const anchors = rules.flatMap((rule): Anchor<Reader>[] => {
		const value = readerOf(rule);
		return rule.anchors.map((literal) => ({ literal, exact: rule.exact ?? false, value }));
	});
	for (const [value, literals] of readers) for (const literal of literals) anchors.push({ literal, value });
	const find = scannerFor(anchors);
	return function* (text) {
		const scan = new Scan(text);
		const visit: Visit<Reader> = (at, read, literal) => {
			if (!scan.isHidden(at)) read(scan, at, literal);
		};
		for (let from = 0; from < text.length; from += STEP) {
			if (from > 0) yield;
			find(text, visit, from, from + STEP);
		}
		return apart(scan.spans);
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

interface Anchor<T> {
	/** The text to search for: at least two characters, in lower case unless `exact` is set. */
	literal: string;
	/** The case has to match. */
	exact?: boolean;
	value: T;
}

/** A function that is called for each occurrence of an anchor, in order. */
type Visit<T> = (at: number, value: T, literal: string) => void;

/**
 * Maps a UTF-16 code unit to seven bits: an ASCII character to its lowercase form, and any other code unit to a control character that
 * serves as its hash.
 */
function sevenBits(code: number): number {
	if (code >= 128) return code & 31;
	return code >= 65 && code <= 90 ? code + 32 : code;
}

const FOLDED = Uint8Array.from({ length: 65_536 }, (_, code) => sevenBits(code));
const BITS = 7;
const MASK = (1 << (3 * BITS)) - 1;

/**
 * Creates a function that searches for all anchors at once. A table of their first three characters rules out nearly every position with one
 * lookup, so text without literals is read at several hundred MB/s. A regular expression with as many alternatives takes ten times as long.
 * It finds those that begin from `from` up to `to` (default: anywhere).
 */
export function scannerFor<T>(
	anchors: Iterable<Anchor<T>>,
): (text: string, visit: Visit<T>, from?: number, to?: number) => void {
	const starts = new Uint8Array((MASK + 1) >> 3);
	const byStart = new Map<number, Anchor<T>[]>();
	for (const anchor of anchors) {
		for (const key of new Set([...spellings(anchor)].flatMap(keysOf))) {
			starts[key >> 3] = (starts[key >> 3] ?? 0) | (1 << (key & 7));
			byStart.set(key, [...(byStart.get(key) ?? []), anchor]);
		}
	}
	const visitThose = (text: string, at: number, key: number, visit: Visit<T>): void => {
		for (const { literal, exact, value } of byStart.get(key) ?? []) {
			const found = text.slice(at, at + literal.length);
			if (found === literal || (!exact && found.toLowerCase() === literal)) visit(at, value, literal);
		}
	};
	return (text, visit, from = 0, to = text.length) => {
		const { length } = text;
		const end = Math.min(length, to + 1);
		let key = ((FOLDED[text.charCodeAt(from)] ?? 0) << BITS) | (FOLDED[text.charCodeAt(from + 1)] ?? 0);
		for (let next = from + 2; next <= end; next++) {
			key = ((key << BITS) | (next === length ? 0 : (FOLDED[text.charCodeAt(next)] ?? 0))) & MASK;
			if (((starts[key >> 3] ?? 0) >> (key & 7)) & 1) visitThose(text, next - 2, key, visit);
		}
	};
}

/**
 * Returns the first three characters of a literal in three spellings: lowercase, capitalized and uppercase. They are all needed because the
 * uppercase and lowercase forms of a non-ASCII character have different hashes.
 */
function spellings<T>({ literal, exact }: Anchor<T>): Set<string> {
	const start = literal.slice(0, 3);
	if (exact) return new Set([start]);
	return new Set([
		start,
		start.charAt(0).toUpperCase() + start.slice(1),
		start.toUpperCase().slice(0, start.length),
	]);
}

/**
 * Returns the table keys for the start of a literal. Three characters have one key. Two characters have one key for each possible third
 * character.
 */
function keysOf(start: string): number[] {
	const pair = (sevenBits(start.charCodeAt(0)) << BITS) | sevenBits(start.charCodeAt(1));
	if (start.length > 2) return [(pair << BITS) | sevenBits(start.charCodeAt(2))];
	return Array.from({ length: 1 << BITS }, (_, third) => (pair << BITS) | third);
}
