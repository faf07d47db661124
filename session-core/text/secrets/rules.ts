import { layersOf } from "./layers.ts";
import { type Anchor, matchAt, type Reader, Scan, type Span, startsWord } from "./scan.ts";
import { isPlaceholder } from "./values.ts";

/**
 * A pattern must begin with literal strings, which are searched for first. The secret is the last group
 * that matched or, without groups, the whole match. A group named `lead` in a lookbehind matches a part of
 * the secret that precedes the literal strings. The length of a match must be limited, so that each failed
 * attempt has a constant cost.
 */
export type Rule =
	| RegExp
	| {
			form: RegExp;
			each?: RegExp;
			/**
			 * Returns true if a match is a secret. Without this function, every value except a placeholder is
			 * a secret.
			 */
			accepts?: (value: string) => boolean;
	  };

/**
 * These strings are assumed never to occur in ordinary words, so they are also found inside a word, as
 * in `TOKENghp_…`.
 */
const DISTINCTIVE = /^(?:gh._|.Q~|JQQJ99|.{4,}[-_])$/;

function anchorsOf(rule: Rule): Anchor[] {
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
	const read: Reader = (scan, at, literal) => {
		const { text } = scan;
		if (at < scan.reachedBy(rule) || !(startsWord(text, at) || DISTINCTIVE.test(literal))) return;
		scan.isPromising = true;
		const match = matchAt(sticky, text, at);
		if (!match) return;
		scan.reach(rule, at + match[0].length);
		if (!inner) hide(scan, match, 0);
		else for (const one of match[0].matchAll(inner)) hide(scan, one, at);
	};
	return literalsOf(form).map((literal) =>
		form.ignoreCase ? { literal: literal.toLowerCase(), value: read } : { literal, exact: true, value: read },
	);
}

const PART =
	/(?:\(\?:((?:\\\W|[^()[\]{}\\.*+?^$])+)\)|\[([^\]\\^-]+)\]|(\\\W|[^()[\]{}\\.*+?^$|]))(?![*+?{])/y;

/** Returns the strings with which a match of the pattern can begin: `ab` and `cb` for `(?:a|c)b+`. */
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

/**
 * The lookup table is indexed by the lowest 6 bits of each of the first three characters of a literal
 * string.
 */
const BITS = 6;
const MASK = (1 << (3 * BITS)) - 1;
const codeAt = (text: string, at: number): number => text.charCodeAt(at) & 63;

/**
 * Returns a function that searches for the literal strings of all anchors in a single pass. A table of the
 * strings' first three characters rules out nearly every position with one lookup. A regular expression
 * that lists all the strings as alternatives takes twice as long.
 */
function scannerFor(anchors: readonly Anchor[]): (scan: Scan, from: number, to: number) => void {
	const byStart = new Map<number, Anchor[]>();
	const isStart = new Uint8Array(MASK + 1);
	for (const anchor of anchors) {
		const lower = anchor.literal.toLowerCase();
		const pair = (codeAt(lower, 0) << BITS) | codeAt(lower, 1);
		for (let third = 0; third < 1 << BITS; third++) {
			if (lower.length > 2 && third !== codeAt(lower, 2)) continue;
			const key = (pair << BITS) | third;
			isStart[key] = 1;
			byStart.set(key, [...(byStart.get(key) ?? []), anchor]);
		}
	}
	return (scan, from, to) => {
		// `İ` is the only character whose lowercase form is longer than the character itself.
		const lower = scan.text
			.slice(from, to + LONGEST_LITERAL)
			.replaceAll("\u0130", "i")
			.toLowerCase();
		const end = Math.min(to - from, lower.length - 1);
		let key = (codeAt(lower, 0) << BITS) | codeAt(lower, 1);
		for (let at = 0; at < end; at++) {
			// Reading past the end of the string would make this loop four times slower in V8.
			key = ((key << BITS) | (at + 2 < lower.length ? codeAt(lower, at + 2) : 0)) & MASK;
			if (isStart[key] !== 1) continue;
			for (const { literal, exact, value } of byStart.get(key) ?? [])
				if (exact ? scan.text.startsWith(literal, from + at) : lower.startsWith(literal, at))
					if (!scan.isHidden(from + at)) value(scan, from + at, literal);
		}
	};
}

const LONGEST_LITERAL = 60;
const STEP = 2 * 1024;

/**
 * Returns a function that finds all secrets in a string in linear time, in order and without overlap.
 * The function yields wherever the search may pause.
 */
export function finderFor(
	rules: readonly Rule[],
	readers: readonly Anchor[],
): (text: string) => Generator<undefined, Span[], void> {
	const find = scannerFor([...rules.flatMap(anchorsOf), ...readers]);
	return function* (whole) {
		const spans: Span[] = [];
		for (const layer of layersOf(whole)) {
			yield;
			if (!layer) continue;
			const scan = new Scan(layer.text);
			for (let from = 0; from < layer.text.length; from += STEP) {
				find(scan, from, from + STEP);
				yield;
			}
			layer.isPromising = scan.isPromising;
			for (const { start, end } of scan.spans) {
				spans.push(layer.toSource(start, end));
				yield;
			}
		}
		return apart(spans);
	};
}

function apart(spans: readonly Span[]): Span[] {
	const merged: Span[] = [];
	for (const span of [...spans].sort((a, b) => a.start - b.start)) {
		const last = merged.at(-1);
		if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
		else merged.push({ ...span });
	}
	return merged;
}
