import { atOnce, type Steps } from "./files/pace.ts";
import { COMMAND_ANCHORS, PIPED } from "./secrets/commands.ts";
import { FORM_RULES, readManifest } from "./secrets/forms.ts";
import { NAME_ANCHORS } from "./secrets/names.ts";
import { readPair } from "./secrets/pairs.ts";
import { finderFor } from "./secrets/rules.ts";
import { type Span, startsWord } from "./secrets/scan.ts";
import { TOKEN_RULES } from "./secrets/token-formats.ts";
import { isGenerated, isIdentifier, isUnmistakable } from "./secrets/values.ts";

export const REDACTED = "[redacted]";

let find: ReturnType<typeof finderFor> | undefined;

/**
 * Returns the positions of the secrets in a string, in order and without overlap. Takes linear time.
 */
function findSecrets(text: string): Steps<Span[]> {
	find ??= finderFor(
		[...FORM_RULES, ...TOKEN_RULES, ...PIPED],
		[
			...NAME_ANCHORS.map((literal) => ({ literal, value: readPair })),
			...COMMAND_ANCHORS,
			{ literal: "kind", exact: true, value: readManifest },
		],
	);
	// In text copied from a web page, a no-break space may stand for a space.
	return find(text.replaceAll("\u00a0", " "));
}

function* redactOnce(text: string): Steps<string> {
	let out = "";
	let read = 0;
	for (const { start, end } of yield* findSecrets(text)) {
		yield;
		// Redacted parts are skipped, because another pass could find new matches at their edges.
		if (text.slice(start, end).replaceAll(REDACTED, "") === "") continue;
		out += text.slice(read, start) + REDACTED;
		read = end;
	}
	return (out + text.slice(read)).replace(/(?:\[redacted\]){2,}/g, REDACTED);
}

/**
 * Replaces secrets with `[redacted]`: tokens in known formats, private keys, credentials in URLs, headers
 * and commands, and values that follow the name of a secret. Takes linear time. Redacting a short result
 * again changes nothing. `known` contains secrets from the rest of the session.
 */
export function redact(text: string, known?: ReadonlySet<string>): string {
	return atOnce(redactSteps(text, known));
}

/**
 * Caches the result for the most recent long string, because a session is read repeatedly and redacting
 * its longest request takes the most time.
 */
let last = { text: "", redacted: "" };
const LONG = 16 * 1024;

/** Like `redact`, but pauses regularly, so that the event loop is not blocked. */
export function* redactSteps(text: string, known?: ReadonlySet<string>): Steps<string> {
	const whole = known ? hideKnown(text, known) : text;
	if (whole === last.text) return last.redacted;
	let before = whole;
	let after = yield* redactOnce(before);
	// Short text may be redacted again later, so the search is repeated until nothing changes.
	for (let look = 0; look < 3 && after !== before && whole.length < LONG; look++) {
		before = after;
		after = yield* redactOnce(before);
	}
	if (whole.length >= LONG) last = { text: whole, redacted: after };
	return after;
}

/**
 * The minimum number of characters that must remain of a truncated secret for the secret to be
 * recognized.
 */
const SHORTEST = 6;
const LONGEST = 8_000;
/**
 * The minimum length of a line from a private key that is redacted even without the key's other lines.
 */
const SHORTEST_LINE = 24;

/**
 * Returns the secrets in the given strings, so that `redact` can hide these secrets in the rest of the
 * session. Only generated values are returned, because a password such as `postgres` may also be an
 * ordinary word.
 */
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

/** A secret that was found in a JSON string may occur elsewhere without escape sequences. */
function unescaped(value: string): string {
	return value.replace(/\\(["'\\])/g, "$1");
}

/**
 * Text that contains more secrets than this limit is assumed to be test data. Comparing so many secrets
 * would take seconds.
 */
const MOST_KNOWN = 1_000;
const BASE64_LINE = new RegExp(`[A-Za-z0-9+/=]{${SHORTEST_LINE},}`, "g");

/** Matches a long word with digits in two places, which is probably a hexadecimal or base32 key. */
const LONG_WORD = /^(?=[A-Za-z\d]{16,128}$)[A-Za-z]*\d+[A-Za-z]+\d/;

/** `isCut` means that the end of the value may be missing, so a shorter value is accepted. */
export function isDistinctive(value: string, { isCut = false } = {}): boolean {
	return (
		value.length <= LONGEST &&
		(isGenerated(value, isCut ? SHORTEST : undefined) || LONG_WORD.test(value)) &&
		!isIdentifier(value) &&
		!value.includes(REDACTED)
	);
}

/**
 * Drops secrets that also occur as words in `texts`, such as the user's requests and paths. These
 * strings must already be redacted, because a secret next to its name is not an ordinary word.
 */
export function exceptWords(known: ReadonlySet<string>, texts: readonly string[]): ReadonlySet<string> {
	const words = texts.join("\n");
	const doubtful = new Set([...known].filter((secret) => !isUnmistakable(secret)));
	const likely = new Set(valuesLikelyIn(words, matcherFor(doubtful)));
	const isWord = (value: string) => likely.has(value) && hideValue(words, value) !== words;
	return new Set([...known].filter((one) => !doubtful.has(one) || !spellingsOf(one).some(isWord)));
}

function spellingsOf(value: string): string[] {
	return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())];
}

interface Matcher {
	/**
	 * The spellings of known secrets, longest first, because a short spelling may be the beginning of a
	 * longer one.
	 */
	values: readonly string[];
	/** Matches the beginnings of known secrets without consuming any text. */
	starts: RegExp;
}
const matchers = new WeakMap<ReadonlySet<string>, Matcher>();

function matcherFor(known: ReadonlySet<string>): Matcher {
	const values = [...new Set([...known].flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
	const starts = new Set(values.map((value) => value.slice(0, SHORTEST).replace(/[^\w\s]/g, "\\$&")));
	return { values, starts: new RegExp(`(?=(${[...starts].join("|")}))`, "g") };
}

/**
 * Returns the secrets whose beginnings occur in the text. A single search for the beginnings rules out most
 * secrets.
 */
function valuesLikelyIn(text: string, { values, starts }: Matcher): string[] {
	const found = new Set(values.length > 0 ? [...text.matchAll(starts)].map(([, start]) => start) : []);
	return found.size > 0 ? values.filter((value) => found.has(value.slice(0, SHORTEST))) : [];
}

/**
 * Replaces known secrets and their JSON and URL encodings with `[redacted]`. A match inside a longer word
 * is not replaced.
 */
export function hideKnown(text: string, known: ReadonlySet<string>): string {
	if (known.size === 0) return text;
	const matcher = matchers.get(known) ?? matcherFor(known);
	matchers.set(known, matcher);
	const values = valuesLikelyIn(text, matcher);
	return values.length > 0 ? withoutCutEnd(values.reduce(hideValue, text), values) : text;
}

function hideValue(text: string, value: string): string {
	return text.replaceAll(value, (_, start: number) => {
		const end = start + value.length;
		return startsWord(text, start) && !/[\p{L}\p{N}]{2}/u.test(text.slice(end - 1, end + 1))
			? REDACTED
			: value;
	});
}

/** Truncated text may end with the beginning of a known secret, as in `PASSWORD=abc…`. */
function withoutCutEnd(text: string, values: readonly string[]): string {
	const end = text.endsWith("…") ? "…" : "";
	const whole = text.slice(0, text.length - end.length);
	const tail = whole.slice(-LONGEST_CUT);
	for (const value of values) {
		const at = tail.lastIndexOf(value.slice(0, SHORTEST));
		if (at >= 0 && value.startsWith(tail.slice(at)) && startsWord(tail, at))
			return whole.slice(0, whole.length - tail.length + at) + REDACTED + end;
	}
	return text;
}

/** The maximum length of a truncated secret that is recognized at the end of a string. */
const LONGEST_CUT = 200;
