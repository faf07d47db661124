import { clipColumns } from "../text/clip.ts";
import { redact } from "../text/redact.ts";
import { cleanLine } from "../text/sanitize.ts";

/** Characters looked at for one shown line: a paste of a megabyte must not be cleaned to show eighty columns of it. */
const LOOKED_AT = 800;

/** Columns of any line that is kept for showing. */
export const SHOWN_COLUMNS = 240;

/**
 * Session text as one line that may be shown or stored: sanitised, secrets out (`known`: those of other text, too),
 * clipped. Empty if nothing is left.
 */
export function shownLine(text: string, columns = SHOWN_COLUMNS, known?: ReadonlySet<string>): string {
	return clipColumns(redact(cleanLine(text.slice(0, LOOKED_AT)), known), columns);
}

/** A name of a provider, a model, a tool, a branch: none of these is a secret, so what looks like one goes. */
export function shownName(text: string): string {
	return redact(shownWord(text));
}

/** An id or a role: as found, but safe to show. Not redacted: it has to be found again. */
export function shownWord(text: string): string {
	return cleanLine(text.slice(0, LOOKED_AT));
}
