import { REDACTED, redact } from "./redact.ts";
import { cleanText } from "./sanitize.ts";

/** Default number of characters that remain at each end of a long text. */
const ENDS = 64 * 1024;
/** Number of characters beside them that are redacted with them and then left out, because part of a secret might not be recognized. */
const MARGIN = 32 * 1024;

/**
 * Turns text of a session into text that may be shown, stored or sent: sanitized and redacted (`known` are secrets that the session reveals
 * elsewhere). It gets the whole text and is applied before any cut, because half a secret is still a secret. About `ends` characters
 * remain at each end of a long text, so a megabyte of which one line is shown does not keep the host waiting.
 */
export function safeText(text: string, known?: ReadonlySet<string>, ends = ENDS): string {
	const safe = (part: string) => {
		const clean = cleanText(part);
		// What is removed may be the only thing between a word and a secret, so such a text is also redacted before.
		return redact(clean === part ? clean : cleanText(redact(part, known)), known);
	};
	const room = ends + MARGIN;
	if (text.length <= 2 * room) return safe(text);
	const head = safe(text.slice(0, room));
	// A word that is cut off may be the end of a token.
	const tail = safe(text.slice(-room).replace(/^\S+/, ""));
	// If the cut is inside a secret, nothing of it is left.
	const begin = head.endsWith(REDACTED) ? head : head.slice(0, Math.max(0, head.length - MARGIN));
	return `${begin.toWellFormed()}\n…\n${tail.slice(MARGIN).toWellFormed()}`;
}

/** Separator between texts that are redacted in one pass. It prevents a secret from being recognized across two texts. */
const BETWEEN = "\n\u241e\n";

/**
 * Makes a JSON value safe to leave the process: every string, including every key, is sanitized and redacted. A value that is already safe
 * is returned unchanged, which is the case for nearly all values. Values must be JSON-compatible. `own` contains texts that the receiver
 * itself sent; they are not redacted.
 */
export function outgoing(value: unknown, own: readonly string[] = []): unknown {
	const texts = new Set<string>();
	gather(value, texts);
	const found = [...texts];
	const clean = found.map(cleanText);
	// Secrets are rare, so all texts are first redacted in one pass, which takes half as long as redacting them one by one.
	const together = clean.join(BETWEEN);
	const isSafe = redact(together) === together;
	if (isSafe && clean.every((text, at) => text === found[at])) return value;
	// Only texts in `own` that would otherwise be redacted are exempted. Exempting the other texts in `own`, such as very short ones, would
	// weaken the filter.
	const kept = isSafe ? [] : own.filter((text) => redact(text) !== text);
	const shown = new Map(
		found.map((text, at) => [text, isSafe ? (clean[at] ?? "") : redactBut(clean[at] ?? "", kept)]),
	);
	return mapTexts(value, (text) => shown.get(text) ?? "");
}

function redactBut(text: string, [own, ...more]: readonly string[]): string {
	if (own === undefined) return redact(text);
	return text
		.split(own)
		.map((part) => redactBut(part, more))
		.join(own);
}

/** Collects the strings in a value without duplicates, because many sessions contain the same strings. */
function gather(value: unknown, into: Set<string>): void {
	if (typeof value === "string") into.add(value);
	if (typeof value !== "object" || value === null) return;
	if (Array.isArray(value)) {
		for (const part of value) gather(part, into);
		return;
	}
	for (const [key, part] of Object.entries(value)) {
		into.add(key);
		gather(part, into);
	}
}

/** Returns a copy of the value in which every string, including every key, is replaced with the result of `change`. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === "string") return change(value);
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map((part) => mapTexts(part, change));
	return Object.fromEntries(
		Object.entries(value).map(([key, part]) => [change(key), mapTexts(part, change)]),
	);
}
