import { statSync } from "node:fs";
import { lazily } from "../../session-core/lazily.ts";
import { fileLeafId } from "../../session-core/session/file-leaf.ts";
import type { CommandContext } from "../context.ts";
import { type Continuation, waitForInstance } from "../instances.ts";

/** Where a fork is cut: behind the entry, or before a prompt, which then is what one goes on with. */
export type Cut = { position: "at" } | { position: "before"; prompt: string };

const NOT_SAVED = "resume: this session is not saved yet, so there is nothing to fork.";
const NOT_IN_FILE = "resume: the session's file does not hold this point, so nothing was forked.";

/** Fork the session that is open, and go on there. After this the command's own instance is over. */
export async function fork(
	context: CommandContext,
	entryId: string | null,
	continuation: Continuation,
	cut: Cut = { position: "at" },
): Promise<void> {
	const { commandCtx, screen, host, session } = context;
	const obstacle = entryId === null ? NOT_SAVED : await obstacleTo(host.target.getSessionFile(), entryId);
	if (!session.isLive()) return;
	if (entryId === null || obstacle !== undefined) {
		screen.say(obstacle ?? NOT_SAVED, "warning");
		return;
	}
	let forked = "";
	let typed = "";
	const { cancelled } = await commandCtx.fork(entryId, {
		position: cut.position,
		withSession: async (next) => {
			forked = next.sessionManager.getSessionId();
			// After this the host puts its own text into the editor, or none: what was typed meanwhile would be lost.
			typed = next.ui.getEditorText();
		},
	});
	if (cancelled) return;
	const instance = await waitForInstance(forked);
	instance?.keepTyped(typed, cut.position === "before" ? cut.prompt : "");
	await instance?.goOn(cut.position === "before" ? { prompt: cut.prompt, send: false } : continuation);
}

/** The host forks from the file, and ends itself where that fails: so the file is looked at first. */
async function obstacleTo(file: string | undefined, entryId: string): Promise<string | undefined> {
	if (file === undefined || fileLeafId(file) === entryId) return undefined;
	if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return NOT_SAVED;
	const { readWholeSession } = await lazily(() => import("../../session-core/store/session-file.ts"));
	const opened = await readWholeSession(file);
	return opened.ok && opened.session.getEntry(entryId) ? undefined : NOT_IN_FILE;
}
