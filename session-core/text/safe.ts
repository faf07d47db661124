import { atOnce, type Steps } from "./files/pace.ts";
import { REDACTED, redact, redactSteps } from "./redact.ts";
import { cleanText } from "./sanitize.ts";

/** Default number of characters that remain at each end of a long text. */
const ENDS = 64 * 1024;
/** Characters next to each end that are redacted with it and dropped, because a secret that is cut might not be recognized. */
const MARGIN = 32 * 1024;

/**
 * Sanitizes and redacts text that is shown, stored or sent (`known` are secrets that the session reveals elsewhere). It must be whole,
 * because half a secret is still a secret. About `ends` characters remain at each end, so that nobody waits for a megabyte of which one
 * line is shown.
 */
export function safeText(text: string, known?: ReadonlySet<string>, ends = ENDS): string {
	if (text.length > SHORT || (known && known.size > 0)) return atOnce(safeSteps(text, known, ends));
	let safe = recent.get(text);
	if (safe === undefined) {
		safe = atOnce(safeSteps(text, known, ends));
		if (recent.size >= MOST_RECENT) recent.clear();
		// The text is copied, because a slice would keep the whole text in memory.
		const copy: string = JSON.parse(JSON.stringify(text));
		recent.set(copy, safe === text ? copy : safe);
	}
	return safe;
}

/** Results for short texts are cached, because timelines and listings show the same requests, commands and paths again and again. */
const recent = new Map<string, string>();
const MOST_RECENT = 4_000;
const SHORT = 400;

/** Like {@link safeText}, but yields wherever it can be interrupted. */
export function* safeSteps(text: string, known?: ReadonlySet<string>, ends = ENDS): Steps<string> {
	function* safe(part: string): Steps<string> {
		const clean = cleanText(part);
		// The removed characters may be the only ones between a word and a secret, so such a text is also redacted before cleaning.
		const kept = clean === part ? clean : cleanText(yield* redactSteps(part, known));
		return yield* redactSteps(kept, known);
	}
	const room = ends + MARGIN;
	if (text.length <= 2 * room) return yield* safe(text);
	const head = yield* safe(text.slice(0, room));
	// A word that is cut off may be the end of a token.
	const tail = yield* safe(text.slice(-room).replace(/^\S+/, ""));
	// If the cut is inside a secret, no part of the secret is left.
	const begin = head.endsWith(REDACTED) ? head : head.slice(0, Math.max(0, head.length - MARGIN));
	return `${begin.toWellFormed()}\n…\n${tail.slice(MARGIN).toWellFormed()}`;
}

/** Makes every string and key of a value safe to leave the process, except the texts in `own`, which the receiver sent. */
export function outgoing(value: unknown, own: readonly string[] = []): unknown {
	// Very short strings in `own` would weaken the filter.
	const kept = own.filter((text) => redact(text) !== text);
	const shown = new Map<string, string>();
	const safe = (text: string): string => {
		const known = shown.get(text) ?? redactBut(cleanText(text), kept);
		shown.set(text, known);
		return known;
	};
	const change = (part: unknown): unknown => {
		if (typeof part === "string") return safe(part);
		if (typeof part !== "object" || part === null) return part;
		if (Array.isArray(part)) return part.map(change);
		return Object.fromEntries(Object.entries(part).map(([key, inner]) => [safe(key), change(inner)]));
	};
	return change(value);
}

function redactBut(text: string, [own, ...more]: readonly string[]): string {
	if (own === undefined) return redact(text);
	const parts = text.split(own);
	return parts.map((part) => redactBut(part, more)).join(own);
}
