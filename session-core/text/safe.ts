import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { clipColumns, headUnits, tailUnits } from "./clip.ts";
import { atOnce, type Steps } from "./files/pace.ts";
import { REDACTED, redact, redactSteps } from "./redact.ts";
import { cleanLine, cleanText } from "./sanitize.ts";

/** The default number of characters that are kept at each end of long text. */
const ENDS = 64 * 1024;
/**
 * When long text is shortened, this many extra characters at each cut are redacted first. A secret that
 * crosses the cut can then be recognized.
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

/** Caches the results for short strings, because lists and cards show the same strings repeatedly. */
const recent = new Map<string, string>();
const MOST_RECENT = 4_000;
const SHORT = 400;

/** Like `safeText`, but works in steps, so that other work can run in between. */
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
	// `[redacted]` at the end may stand for a long secret, so the text is not shortened further.
	const begin = head.endsWith(REDACTED) ? head : head.slice(0, Math.max(0, head.length - MARGIN));
	return `${begin.toWellFormed()}\n…\n${tail.slice(MARGIN).toWellFormed()}`;
}

/**
 * Redacts every string and key in a value. The strings in `own` are not redacted, because the recipient
 * sent them.
 */
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

const TOKEN_LENGTH = 16;

/**
 * Encloses session text in `<name-token>…</name-token>`. The token is a hash of the text, so the text
 * cannot contain its own closing tag. The token contains only letters, because a tag whose name
 * contains digits would not be recognized as inserted text.
 */
export function inTags(name: string, text: string): string {
	const bytes = createHash("sha256").update(text).digest().subarray(0, TOKEN_LENGTH);
	const token = Array.from(bytes, (byte) => String.fromCharCode(97 + (byte % 26))).join("");
	return `<${name}-${token}>\n${text}\n</${name}-${token}>`;
}

const SHOWN_COLUMNS = 240;

/**
 * Returns a single sanitized, redacted and clipped line, or an empty string. `known` contains secrets that
 * were found in other text.
 */
export function shownLine(text: string, columns = SHOWN_COLUMNS, known?: ReadonlySet<string>): string {
	return clipColumns(cleanLine(safeText(text, known)), columns);
}

export function* shownLineSteps(text: string): Steps<string> {
	if (text.length <= SHOWN_COLUMNS) return shownLine(text);
	return clipColumns(cleanLine(yield* safeSteps(text)), SHOWN_COLUMNS);
}

export function headAndTail(reply: string, room: number): string {
	const lines = safeText(reply).split("\n");
	const text = lines.flatMap((line) => line.trimEnd() || []).join("\n");
	if (text.length <= room) return text;
	const tail = tailUnits(text, Math.floor(room * 0.6));
	return `${headUnits(text, room - tail.length)}\n${tail}`;
}

const NAME = 4_000;

/** Makes a name, path, hash or URL safe to show. Any part that looks like a secret is redacted. */
export function shownName(text: string): string {
	return cleanLine(safeText(text)).slice(0, NAME).toWellFormed();
}

const HOME = homedir();

export function shownPath(path: string, home = HOME): string {
	const clean = cleanLine(path);
	const isBelow = home !== "" && (clean === home || clean.startsWith(`${home}/`));
	return redact(isBelow ? `~${clean.slice(home.length)}` : clean);
}

/** Ids and roles are sanitized but not redacted, because they are needed for lookups. */
export function shownWord(text: string): string {
	return cleanLine(text.slice(0, NAME));
}

const SAFE_ID = /^[A-Za-z0-9_][\w.-]{0,63}$/;

/**
 * An id that looks like a sentence, an option or a command is replaced by a hash:
 * `session-0123456789ab`.
 */
export function safeSessionId(id: string): string {
	return SAFE_ID.test(id) ? id : `session-${createHash("sha256").update(id).digest("hex").slice(0, 12)}`;
}

export interface ModelName {
	provider: string;
	id: string;
}

export function modelNamed(provider: unknown, id: unknown): ModelName | undefined {
	if (typeof provider !== "string" || typeof id !== "string") return undefined;
	return { provider: shownName(provider), id: shownName(id) };
}
