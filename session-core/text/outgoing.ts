import { redact } from "./redact.ts";
import { cleanText } from "./sanitize.ts";

/** Stands between texts that are looked at as one; no secret reaches across it. */
const BETWEEN = "\n\u241e\n";

/**
 * The last gate of what leaves as JSON: every text in it sanitised and without secrets, its keys included. What is clean,
 * as nearly everything is by then, comes back as it is. Values are what JSON can hold.
 *
 * `own`: texts that the receiver has sent: they come back as they were.
 */
export function outgoing(value: unknown, own: readonly string[] = []): unknown {
	const texts = new Set<string>();
	gather(value, texts);
	const found = [...texts];
	const clean = found.map(cleanText);
	// One look at all texts costs half of a look at each, and secrets are rare.
	const together = clean.join(BETWEEN);
	const isSafe = redact(together) === together;
	if (isSafe && clean.every((text, at) => text === found[at])) return value;
	// Only what would be taken is worth an exception: a word is no way around the filter.
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

/** The texts of a value, each once: of a thousand sessions many say the same. */
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

/** A copy with its texts changed. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === "string") return change(value);
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map((part) => mapTexts(part, change));
	return Object.fromEntries(
		Object.entries(value).map(([key, part]) => [change(key), mapTexts(part, change)]),
	);
}
