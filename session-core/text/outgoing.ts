import { redact } from "./redact.ts";
import { cleanText } from "./sanitize.ts";

/** Separates texts that are redacted together, so that no secret is recognized across two of them. */
const BETWEEN = "\n\u241e\n";

/**
 * Makes JSON safe to leave the process: every string, including keys, is sanitized and redacted. A value that is already safe, as nearly
 * all are, is returned unchanged. Values must be JSON-compatible. `own` contains texts that the receiver itself sent, which are not
 * redacted.
 */
export function outgoing(value: unknown, own: readonly string[] = []): unknown {
	const texts = new Set<string>();
	gather(value, texts);
	const found = [...texts];
	const clean = found.map(cleanText);
	// Redacting all texts at once takes half as long as redacting each, and secrets are rare.
	const together = clean.join(BETWEEN);
	const isSafe = redact(together) === together;
	if (isSafe && clean.every((text, at) => text === found[at])) return value;
	// Only a text in `own` that would be redacted needs an exception. Excepting others as well, such as very short ones, would weaken the filter.
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

/** Collects the distinct strings of a value, because many of a thousand sessions contain the same strings. */
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

/** Returns a copy in which every string is replaced by the function's result. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === "string") return change(value);
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map((part) => mapTexts(part, change));
	return Object.fromEntries(
		Object.entries(value).map(([key, part]) => [change(key), mapTexts(part, change)]),
	);
}
