import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { clipColumns, headUnits, tailUnits } from "./clip.ts";
import type { Steps } from "./files/pace.ts";
import { redact } from "./redact.ts";
import { safeSteps, safeText } from "./safe.ts";
import { cleanLine } from "./sanitize.ts";

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

/** An id that looks like a sentence, an option or a command is replaced by a hash: `session-0123456789ab`. */
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
