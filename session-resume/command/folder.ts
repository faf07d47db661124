import { type ExtensionContext, ownDialog } from "../../session-core/pi/host/index.ts";
import { isFolder, isSameFolder } from "../../session-core/text/files/index.ts";
import { cleanLine } from "../../session-core/text/index.ts";

/**
 * Asks for confirmation if a session is about to continue outside its own folder, or if its folder no longer exists. Returns false if the
 * user declines.
 */
export async function confirmsFolder(
	ownCwd: string | undefined,
	{ cwd, ui }: Pick<ExtensionContext, "cwd" | "ui">,
): Promise<boolean> {
	const question = folderQuestion(ownCwd, cwd);
	return question === undefined || ownDialog(() => ui.confirm("Resume", question));
}

/**
 * Returns the question to ask before a session continues in pi's current folder; undefined if that folder is the session's own and exists.
 */
export function folderQuestion(ownCwd: string | undefined, cwd: string): string | undefined {
	const here = cleanLine(cwd);
	if (ownCwd === undefined || isSameFolder(ownCwd, cwd)) {
		return isFolder(cwd) ? undefined : `This session's folder is gone: ${here}. Continue without it?`;
	}
	const own = cleanLine(ownCwd);
	return isFolder(ownCwd)
		? `This session belongs to ${own}, and pi is now running in ${here}. Continue here?`
		: `This session's folder is gone: ${own}. Continue in ${here}?`;
}
