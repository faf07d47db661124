import { atOnce, type Steps } from "./files/pace.ts";
import { COMMAND_ANCHORS, PIPED } from "./secrets/commands.ts";
import { FORM_RULES } from "./secrets/forms.ts";
import { Layer, type Span } from "./secrets/layers.ts";
import { scannerFor } from "./secrets/literals.ts";
import { NAME_ANCHORS } from "./secrets/names.ts";
import { readPair } from "./secrets/pairs.ts";
import { finderFor } from "./secrets/rules.ts";
import { isAfterEscape } from "./secrets/scan.ts";
import { readManifest } from "./secrets/structures.ts";
import { TOKEN_RULES } from "./secrets/token-formats.ts";
import { isGenerated, isIdentifier, isUnmistakable } from "./secrets/values.ts";

export const REDACTED = "[redacted]";

let find: ReturnType<typeof finderFor> | undefined;

/** Returns the positions of secrets in the text, in order and without overlap. Takes linear time. */
function findSecrets(text: string): Steps<Span[]> {
	find ??= finderFor(
		[...FORM_RULES, ...TOKEN_RULES, ...PIPED],
		[
			...NAME_ANCHORS.map((literal) => ({ literal, value: readPair })),
			...COMMAND_ANCHORS,
			{ literal: "kind", exact: true, value: readManifest },
		],
	);
	// A no-break space, as in text copied from a web page, counts as a space.
	return find(text.replaceAll("\u00a0", " "));
}

function* redactIn(text: string, parts: readonly Span[]): Steps<string> {
	let out = "";
	let read = 0;
	for (const part of parts)
		for (const secret of yield* findSecrets(text.slice(part.start, part.end))) {
			yield;
			const [start, end] = [part.start + secret.start, part.start + secret.end];
			// Redacted text is skipped. Otherwise, another pass would find new matches at its edges.
			if (text.slice(start, end).replaceAll(REDACTED, "") === "") continue;
			out += text.slice(read, start) + REDACTED;
			read = end;
		}
	return (out + text.slice(read)).replace(/(?:\[redacted\]){2,}/g, REDACTED);
}

const AROUND = 1_000;

function nearRedacted(text: string): Span[] {
	const layer = new Layer(undefined, text);
	for (let at = text.indexOf(REDACTED); at >= 0; at = text.indexOf(REDACTED, at + 1))
		layer.look(at - AROUND, at + AROUND);
	return [...layer.parts()];
}

/**
 * Replaces secrets with `[redacted]`: tokens in known formats, private keys, credentials in URLs,
 * headers and commands, and values that follow the name of a secret. Takes linear time, and redacting
 * the result again changes nothing. `known` contains secrets from the rest of the session.
 */
export function redact(text: string, known?: ReadonlySet<string>): string {
	return atOnce(redactSteps(text, known));
}

/**
 * Long texts are cached, because a session is read repeatedly, and its longest request takes most of
 * the time.
 */
const redacted = new Map<string, string>();
const LONG = 16 * 1024;
const MOST_REDACTED = 4;

/** Like `redact`, but runs in steps that can be interrupted. */
export function* redactSteps(text: string, known?: ReadonlySet<string>): Steps<string> {
	const whole = known ? hideKnown(text, known) : text;
	const same = redacted.get(whole);
	if (same !== undefined) return same;
	let before = whole;
	let after = yield* redactIn(before, [{ start: 0, end: before.length }]);
	// Text next to a redacted secret is searched again, because its context has changed.
	for (let look = 0; look < 3 && after !== before; look++) {
		before = after;
		after = yield* redactIn(before, nearRedacted(before));
	}
	if (whole.length >= LONG) {
		const [oldest] = redacted.keys();
		if (redacted.size >= MOST_REDACTED && oldest !== undefined) redacted.delete(oldest);
		redacted.set(whole, after);
	}
	return after;
}

/** The minimum number of remaining characters by which a secret that was cut off is recognized. */
const SHORTEST = 6;
const LONGEST = 8_000;
/** The minimum number of characters in a line of a private key that is redacted on its own. */
const SHORTEST_LINE = 24;

/**
 * Returns the secrets in the given texts, so that `redact` can hide them in the rest of the session.
 * Only generated values are returned, because a password such as `postgres` may also be an ordinary
 * word.
 */
export function secretsIn(texts: Iterable<string>): ReadonlySet<string> {
	return atOnce(secretSteps(texts));
}

/** Like `secretsIn`, but runs in steps that can be interrupted. */
export function* secretSteps(texts: Iterable<string>): Steps<ReadonlySet<string>> {
	const secrets = new Set<string>();
	for (const text of texts) {
		yield;
		for (const { start, end } of yield* findSecrets(text)) {
			yield;
			const secret = text.slice(start, end);
			for (const one of [secret, unescaped(secret)]) if (isDistinctive(one)) secrets.add(one);
			if (/[\n\\]/.test(secret)) for (const [line] of secret.matchAll(BASE64_LINE)) secrets.add(line);
			if (secrets.size >= MOST_KNOWN) return secrets;
		}
	}
	return secrets;
}

/** A value in a JSON string may occur elsewhere without its escape sequences. */
function unescaped(value: string): string {
	return value.replace(/\\(["'\\])/g, "$1");
}

/**
 * Text with more secrets than this limit is assumed to be test data, which takes seconds to compare.
 */
const MOST_KNOWN = 1_000;
const BASE64_LINE = new RegExp(`[A-Za-z0-9+/=]{${SHORTEST_LINE},}`, "g");

/** A long word with digits in two places is a hexadecimal or base32 key. */
const LONG_WORD = /^(?=[A-Za-z\d]{16,128}$)[A-Za-z]*\d+[A-Za-z]+\d/;

/** `isCut` means that the value may have been cut off, so a shorter value is accepted. */
export function isDistinctive(value: string, { isCut = false } = {}): boolean {
	return (
		value.length <= LONGEST &&
		(isGenerated(value, isCut ? SHORTEST : undefined) || LONG_WORD.test(value)) &&
		!isIdentifier(value) &&
		!value.includes(REDACTED)
	);
}

/**
 * Drops secrets that also occur as words in `texts`, such as the user's requests and paths. The texts
 * must already be redacted, because a secret next to its name is not an ordinary word.
 */
export function exceptWords(known: ReadonlySet<string>, texts: Iterable<string>): ReadonlySet<string> {
	const doubtful = [...known].filter((secret) => !isUnmistakable(secret));
	if (doubtful.length === 0) return known;
	const { find } = matcherFor(doubtful);
	const words = new Set<string>();
	for (const text of texts) for (const { start, end } of find(text)) words.add(text.slice(start, end));
	const isWord = (secret: string) => spellingsOf(secret).some((spelling) => words.has(spelling));
	return words.size === 0 ? known : new Set([...known].filter((secret) => !isWord(secret)));
}

/** Maps each prefix of `SHORTEST` characters to the values that begin with it, longest value first. */
type Spellings = Map<string, string[]>;
interface Matcher {
	spellings: Spellings;
	find: (text: string) => Span[];
}
const matchers = new WeakMap<ReadonlySet<string>, Matcher>();

/** Replaces known secrets and their JSON and URL encodings. A secret inside a longer word is kept. */
export function hideKnown(text: string, known: ReadonlySet<string>): string {
	if (known.size === 0) return text;
	const matcher = matchers.get(known) ?? matcherFor(known);
	matchers.set(known, matcher);
	let out = "";
	let read = 0;
	for (const { start, end } of matcher.find(text)) {
		out += text.slice(read, start) + REDACTED;
		read = end;
	}
	return withoutCutEnd(out + text.slice(read), matcher.spellings);
}

function matcherFor(known: Iterable<string>): Matcher {
	const spellings: Spellings = new Map();
	const values = new Set([...known].flatMap(spellingsOf));
	// A truncated value may be the beginning of another value, so the longest value is tried first.
	for (const value of [...values].sort((a, b) => b.length - a.length)) {
		const start = value.slice(0, SHORTEST);
		spellings.set(start, [...(spellings.get(start) ?? []), value]);
	}
	const scan = scannerFor([...spellings].map(([literal, value]) => ({ literal, exact: true, value })));
	const find = (text: string): Span[] => {
		const found: Span[] = [];
		scan(text, (start, group) => {
			if (start < (found.at(-1)?.end ?? 0)) return;
			const isHere = (one: string) =>
				text.startsWith(one, start) && standsAlone(text, start, start + one.length);
			const value = group.find(isHere);
			if (value !== undefined) found.push({ start, end: start + value.length });
		});
		return found;
	};
	return { spellings, find };
}

function spellingsOf(value: string): string[] {
	return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())];
}

/** A letter directly before the value may end an escape sequence, as in `\nsecret`. */
function standsAlone(text: string, start: number, end: number): boolean {
	const isWord = (at: number) => /[\p{L}\p{N}]/u.test(text.charAt(at));
	const opens = isWord(start) && isWord(start - 1) && !isAfterEscape(text, start);
	return !opens && !(isWord(end - 1) && isWord(end));
}

/** A truncated text may end with the beginning of a known value, as in `PASSWORD=abc…`. */
function withoutCutEnd(text: string, spellings: Spellings): string {
	const tail = /\S{1,200}$/.exec(text.slice(-200).replace(/…$/, ""))?.[0] ?? "";
	const starts = [0, ...[...tail.matchAll(/[^\p{L}\p{N}]/gu)].map(({ index }) => index + 1)];
	const part = starts
		.map((start) => tail.slice(start))
		.filter((end) => end.length >= SHORTEST)
		.find((end) => {
			return spellings
				.get(end.slice(0, SHORTEST))
				?.some((value) => value.length > end.length && value.startsWith(end));
		});
	if (part === undefined) return text;
	return text.slice(0, text.lastIndexOf(part)) + REDACTED + (text.endsWith("…") ? "…" : "");
}
