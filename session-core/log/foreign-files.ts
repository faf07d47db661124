/** Handles the files that other programs keep next to a log, and logs that consist of several files or are compressed. */
import { canDecompress, nameIndex, newerRollout, readNames, withoutOlderRollouts } from "./codex-files.ts";
import { CODEX, type Format } from "./format.ts";

/**
 * Returns a function that gives a session its name from the index that the session's own program keeps outside the log, unless the log
 * itself contains a name. The index is read when it is first needed.
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

/** Returns the files, except those that a newer file of the same session replaces. */
export const currentLogs = withoutOlderRollouts;

/** Returns the file with the session's newest state, unless that is the given file. */
export const newerLog = newerRollout;

/** Whether a log is compressed in a way that this version of Node cannot read. */
export function isUnreadable(name: string): boolean {
	return name.endsWith(".zst") && !canDecompress();
}
