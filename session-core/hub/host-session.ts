import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { isSameFolder } from "../regular-file.ts";
import { hostSource } from "../session-file/entry.ts";
import type { HeaderOrigin } from "../session-view/read-session.ts";

/** What the extensions use of a session of the host. */
export type HostSession = ReturnType<typeof hostSession>;

export function hostSession(ctx: Pick<ExtensionContext, "sessionManager" | "cwd">) {
	const manager = ctx.sessionManager;
	const header = manager.getHeader();
	const id = manager.getSessionId();
	const ownCwd = header?.cwd || undefined;
	const origin: HeaderOrigin = { timestamp: header?.timestamp, parentSession: header?.parentSession };
	return {
		id,
		/** The folder in which pi is working now. */
		cwd: ctx.cwd,
		/** The folder of the session's file, even if that file does not exist yet. */
		folder: manager.getSessionDir(),
		/** The folder in which the session began, according to its header; undefined if unknown. */
		ownCwd,
		/** Whether pi works in another folder than the one in which the session began. */
		isMoved: ownCwd !== undefined && !isSameFolder(ownCwd, ctx.cwd),
		source: hostSource(manager),
		origin,
		/** Whether the session manager still has this session open and has not replaced it with a fork in memory. */
		isCurrent: () => manager.getSessionId() === id,
	};
}
