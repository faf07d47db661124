/** What other programs keep beside a log, and in several files or forms. */
import { canDecompress, nameIndex, newerRollout, readNames, withoutOlderRollouts } from "./codex-files.ts";
import { CODEX, type Format } from "./format.ts";

/**
 * Returns a function that adds to a session the name that its own program keeps in an index outside the log, unless the log itself names it.
 * The index is read when it is first needed.
 */
export function outsideNames(): <Row extends Named>(row: Row) => Row {
	const known = new Map<string, ReadonlyMap<string, string>>();
	return (row) => {
		const index = row.format === CODEX && row.name === undefined ? nameIndex(row.path) : undefined;
		if (index === undefined) return row;
		const names = known.get(index) ?? readNames(index);
		known.set(index, names);
		const name = names.get(row.id);
		return name === undefined ? row : { ...row, name, nameSource: "manual" };
	};
}

interface Named {
	path: string;
	id: string;
	format: Format;
	name: string | undefined;
	nameSource: "auto" | "manual" | undefined;
}

/** Returns the files without those that a newer file of the same session replaces. */
export const currentLogs = withoutOlderRollouts;

/** Returns the file with the newest state of the session in a file if it is another one. */
export const newerLog = newerRollout;

/** Whether a log is compressed in a way that this version of Node cannot read. */
export function isUnreadable(name: string): boolean {
	return name.endsWith(".zst") && !canDecompress();
}
