import { type ExtensionContext, ownDialog } from "../../session-core/pi/host/index.ts";
import { isFolder, isSameFolder } from "../../session-core/text/files/index.ts";
import { cleanLine } from "../../session-core/text/index.ts";

/** Returns false if the user declines. */
export async function confirmsFolder(
	ownCwd: string | undefined,
	{ cwd, ui }: Pick<ExtensionContext, "cwd" | "ui">,
): Promise<boolean> {
	const question = folderQuestion(ownCwd, cwd);
	return question === undefined || ownDialog(() => ui.confirm("Resume", question));
}

/** Undefined if pi runs in the session's own folder and that folder exists. */
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
