import { atOnce, type Steps } from "./files/pace.ts";
import { REDACTED, redact, redactSteps } from "./redact.ts";
import { cleanText } from "./sanitize.ts";

/** The default number of characters that are kept at each end of long text. */
const ENDS = 64 * 1024;
/**
 * When long text is shortened, this many extra characters at each cut are redacted first, so that a secret
 * that crosses the cut is recognized.
 */
const MARGIN = 32 * 1024;

/**
 * Sanitizes and redacts text before it is shown, stored or sent. Callers must pass the complete text,
 * because an incomplete secret may not be recognized. If the text is long, only about `ends` characters
 * are kept at each end. `known` contains secrets that were found elsewhere in the session.
 */
export function safeText(text: string, known?: ReadonlySet<string>, ends = ENDS): string {
	if (text.length > SHORT || (known && known.size > 0)) return atOnce(safeSteps(text, known, ends));
	let safe = recent.get(text);
	if (safe === undefined) {
		safe = atOnce(safeSteps(text, known, ends));
		if (recent.size >= MOST_RECENT) recent.clear();
		// Caches a copy of the text, because a substring would keep the whole original string in memory.
		const copy: string = JSON.parse(JSON.stringify(text));
		recent.set(copy, safe === text ? copy : safe);
	}
	return safe;
}

/** Caches the results for short texts, which lists and cards show repeatedly. */
const recent = new Map<string, string>();
const MOST_RECENT = 4_000;
const SHORT = 400;

/** Does the same as `safeText`, but in steps that can be interrupted. */
export function* safeSteps(text: string, known?: ReadonlySet<string>, ends = ENDS): Steps<string> {
	function* safe(part: string): Steps<string> {
		const clean = cleanText(part);
		// Redacts text twice, because removing invisible characters can hide a secret or reveal one.
		const kept = clean === part ? clean : cleanText(yield* redactSteps(part, known));
		return yield* redactSteps(kept, known);
	}
	const room = ends + MARGIN;
	if (text.length <= 2 * room) return yield* safe(text);
	const head = yield* safe(text.slice(0, room));
	const tail = yield* safe(text.slice(-room).replace(/^\S+/, ""));
	// A redaction mark at the end may stand for a long secret, so the text is not shortened further.
	const begin = head.endsWith(REDACTED) ? head : head.slice(0, Math.max(0, head.length - MARGIN));
	return `${begin.toWellFormed()}\n…\n${tail.slice(MARGIN).toWellFormed()}`;
}

/** Redacts every string and key in a value, except the strings in `own`, which the recipient sent. */
export function outgoing(value: unknown, own: readonly string[] = []): unknown {
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
