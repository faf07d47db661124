import { createHash } from "node:crypto";
import { clipColumns, headUnits, tailUnits } from "./clip.ts";
import { safeText } from "./safe.ts";
import { cleanLine } from "./sanitize.ts";

const SHOWN_COLUMNS = 240;

/** Returns one sanitized, redacted (`known` are secrets found in other text) and clipped line; empty if nothing is left. */
export function shownLine(text: string, columns = SHOWN_COLUMNS, known?: ReadonlySet<string>): string {
	return clipColumns(cleanLine(safeText(text, known)), columns);
}

/** Keeps a reply's beginning and, at greater length, its end, which states the results and the next steps. */
export function headAndTail(reply: string, room: number): string {
	const lines = safeText(reply).split("\n");
	const text = lines.flatMap((line) => line.trimEnd() || []).join("\n");
	if (text.length <= room) return text;
	const tail = tailUnits(text, Math.floor(room * 0.6));
	return `${headUnits(text, room - tail.length)}\n${tail}`;
}

const NAME = 4_000;

/** Returns a name, a path, a hash or an address. These contain no secrets, so anything that looks like one is redacted. */
export function shownName(text: string): string {
	return cleanLine(safeText(text)).slice(0, NAME).toWellFormed();
}

/** Returns an id or a role in a form that is safe to show. It is not redacted, because it is needed for lookups. */
export function shownWord(text: string): string {
	return cleanLine(text.slice(0, NAME));
}

const SAFE_ID = /^[A-Za-z0-9_][\w.-]{0,63}$/;

/** Returns a session's id or, if it could be mistaken for a sentence, an option or a command, a handle derived from it. */
export function safeSessionId(id: string): string {
	return SAFE_ID.test(id) ? id : `session-${createHash("sha256").update(id).digest("hex").slice(0, 12)}`;
}

export interface ModelName {
	provider: string;
	id: string;
}

/** Returns a model's name in a form that is safe to show; undefined unless both the provider and the id are strings. */
export function modelNamed(provider: unknown, id: unknown): ModelName | undefined {
	if (typeof provider !== "string" || typeof id !== "string") return undefined;
	return { provider: shownName(provider), id: shownName(id) };
}
