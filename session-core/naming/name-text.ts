import { clipColumns } from "../text/clip.ts";
import { cleanLine } from "../text/sanitize.ts";

/** Columns of a name; more is a pasted text. */
const NAME_COLUMNS = 200;

/** A name as it is stored; empty if nothing of it can be shown. */
export function nameText(typed: string): string {
	return clipColumns(cleanLine(typed), NAME_COLUMNS);
}
