import { realpathSync, statSync } from "node:fs";
import { cleanLine } from "../../session-core/text/sanitize.ts";

/** Why it has to be asked before a session goes on in the folder where pi is; undefined: it is the session's own. */
export function folderQuestion(ownCwd: string | undefined, cwd: string): string | undefined {
	const here = cleanLine(cwd);
	if (ownCwd === undefined || isSame(ownCwd, cwd)) {
		return isFolder(cwd) ? undefined : `This session's folder is gone: ${here}. Go on without it?`;
	}
	const own = cleanLine(ownCwd);
	return isFolder(ownCwd)
		? `This session belongs to ${own}, and pi works in ${here} now. Go on here?`
		: `This session's folder is gone: ${own}. Go on in ${here}?`;
}

function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A link to a folder is that folder. */
function isSame(one: string, other: string): boolean {
	if (one === other) return true;
	try {
		return realpathSync(one) === realpathSync(other);
	} catch {
		// One of them is not there.
		return false;
	}
}
