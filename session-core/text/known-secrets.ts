import { REDACTED } from "./redacted.ts";
import { type Anchor, scannerFor } from "./secrets/anchors.ts";
import { findSecrets } from "./secrets/find.ts";
import { passwordShape } from "./secrets/shape.ts";

/** Shorter values, and words, stand for something else as well. */
const SHORTEST = 6;
const SHORTEST_WORD = 8;
const LONGEST = 4_096;
/** What is left of a known value where a text was cut off: at least so much of it. */
const SHORTEST_PART = 6;

/**
 * The values that are secrets somewhere in these texts (all of a session's, or those of a part of it), for `redact` to
 * hide wherever else they stand. Left out are values so short or so ordinary that hiding them everywhere would take words
 * of the language. Linear; text without anything of interest is read at more than 100 MB/s.
 */
export function secretsIn(texts: Iterable<string>): ReadonlySet<string> {
	const secrets = new Set<string>();
	for (const text of texts) {
		for (const { start, end, value } of findSecrets(text)) {
			const secret = (value ?? text.slice(start, end)).slice(0, LONGEST);
			if (isDistinctive(secret)) secrets.add(secret);
			// "password x and API_KEY=y": the second value is taken with its name before it.
			for (const inner of secret.includes("=") ? findSecrets(secret) : []) {
				const part = inner.value ?? secret.slice(inner.start, inner.end);
				if (isDistinctive(part)) secrets.add(part);
			}
		}
	}
	return secrets;
}

function isDistinctive(secret: string): boolean {
	if (secret.length < SHORTEST || secret.includes(REDACTED)) return false;
	if (passwordShape(secret) !== "none" || (/\d/.test(secret) && /\D/.test(secret))) return true;
	return secret.length >= SHORTEST_WORD && !/^\d+$/.test(secret);
}

type Matcher = (text: string) => string;
const matchers = new WeakMap<ReadonlySet<string>, Matcher>();

/** The text with the known values hidden where they stand as words of their own, as they are or encoded. */
export function knownIn(text: string, known: ReadonlySet<string>): string {
	if (known.size === 0) return text;
	let matcher = matchers.get(known);
	if (!matcher) {
		matcher = matcherFor(known);
		matchers.set(known, matcher);
	}
	return matcher(text);
}

function matcherFor(known: ReadonlySet<string>): Matcher {
	const spellings = new Set([...known].flatMap(spellingsOf));
	const scan = scannerFor(
		[...spellings].map((literal): Anchor<string> => ({ literal, exact: true, value: literal })),
	);
	return (text) => {
		// One may be the beginning of another, as where an answer was stopped: the longest counts.
		const ends = new Map<number, number>();
		scan(text, (at, value) => {
			const end = at + value.length;
			if (end > (ends.get(at) ?? 0) && standsAlone(text, at, end)) ends.set(at, end);
		});
		let out = "";
		let read = 0;
		for (const [at, end] of ends) {
			if (at < read) continue;
			out += text.slice(read, at) + REDACTED;
			read = end;
		}
		return withoutCutEnd(out + text.slice(read), spellings);
	};
}

/** As it stands, in JSON and in a URL. */
function spellingsOf(value: string): string[] {
	return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())];
}

/** Letters and digits go on neither before nor behind, except behind an escape: `\n` or `%3D`. */
function standsAlone(text: string, start: number, end: number): boolean {
	const isWord = (at: number) => /[\p{L}\p{N}]/u.test(text.charAt(at));
	const opens =
		isWord(start) &&
		isWord(start - 1) &&
		!/(?:\\[nrtbf]|%[0-9A-Fa-f]{2})$/.test(text.slice(Math.max(0, start - 3), start));
	return !opens && !(isWord(end - 1) && isWord(end));
}

/** A text that was cut in the middle of a known value still holds most of it. */
function withoutCutEnd(text: string, spellings: ReadonlySet<string>): string {
	const tail = /\S{1,200}$/.exec(text.slice(-200).replace(/…$/, ""))?.[0] ?? "";
	if (tail.length < SHORTEST_PART) return text;
	const isPart = [...spellings].some((value) => value.length > tail.length && value.startsWith(tail));
	return isPart ? text.slice(0, text.lastIndexOf(tail)) + REDACTED + (text.endsWith("…") ? "…" : "") : text;
}
