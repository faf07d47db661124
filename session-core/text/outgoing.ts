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
	const texts: string[] = [];
	const clean = mapTexts(value, (text) => {
		const it = cleanText(text);
		texts.push(it);
		return it;
	});
	// One look at all texts costs half of a look at each, and secrets are rare.
	const together = texts.join(BETWEEN);
	if (redact(together) === together) return clean;
	// Only what would be taken is worth an exception: a word is no way around the filter.
	const kept = own.filter((text) => redact(text) !== text);
	return mapTexts(clean, (text) => redactBut(text, kept));
}

function redactBut(text: string, [own, ...more]: readonly string[]): string {
	if (own === undefined) return redact(text);
	return text
		.split(own)
		.map((part) => redactBut(part, more))
		.join(own);
}

/** A copy with its texts changed; the value itself where none is. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === "string") return change(value);
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map((part) => mapTexts(part, change));
	return Object.fromEntries(
		Object.entries(value).map(([key, part]) => [change(key), mapTexts(part, change)]),
	);
}
