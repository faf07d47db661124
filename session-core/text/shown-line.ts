import { clipColumns } from "./clip.ts";
import { redact } from "./redact.ts";
import { cleanLine } from "./sanitize.ts";

/** Number of characters that are read for one line: there is no need to clean a megabyte to show eighty columns. */
const LOOKED_AT = 800;

/** Maximum columns of a line that is stored for display. */
export const SHOWN_COLUMNS = 240;

/**
 * Session text as one line that may be shown or stored: sanitized, redacted (`known`: secrets found in other text), clipped.
 * Empty if nothing is left.
 */
export function shownLine(text: string, columns = SHOWN_COLUMNS, known?: ReadonlySet<string>): string {
	return clipColumns(redact(cleanLine(text.slice(0, LOOKED_AT)), known), columns);
}

/** Returns a name of a provider, model, tool or branch. None of these is a secret, so whatever looks like one is redacted. */
export function shownName(text: string): string {
	return redact(shownWord(text));
}

/** Returns an id or a role, safe to show. Not redacted, because it is used for lookups. */
export function shownWord(text: string): string {
	return cleanLine(text.slice(0, LOOKED_AT));
}

export interface ModelName {
	provider: string;
	id: string;
}

/** Returns a model, safe to show. Undefined unless both parts are text. */
export function modelNamed(provider: unknown, id: unknown): ModelName | undefined {
	if (typeof provider !== "string" || typeof id !== "string") return undefined;
	return { provider: shownName(provider), id: shownName(id) };
}
