import { redact } from "./redact.ts";
import { cleanText } from "./sanitize.ts";

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
