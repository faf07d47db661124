import { statSync } from "node:fs";

/** Whether a path, whoever wrote it, leads to a folder. */
export function isFolder(path: string): boolean {
	try {
		return path !== "" && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
	} catch {
		// Not ours to enter, or no path at all: too long, or with a NUL in it.
		return false;
	}
}
