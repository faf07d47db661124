import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { isSameFolder } from "../regular-file.ts";
import { type AppendTarget, appendTarget } from "../session-file/append.ts";
import { hostSource, type SessionSource } from "../session-file/entry.ts";
import type { HeaderOrigin } from "../session-view/read-session.ts";

export interface HostSession {
	id: string;
	/** The folder in which pi is working now. */
	cwd: string;
	/** The folder of the session's file, even if that file does not exist yet. */
	folder: string;
	/** The folder in which the session began, according to its header; undefined if unknown. */
	ownCwd: string | undefined;
	/** Whether pi works in another folder than the one in which the session began. */
	isMoved: boolean;
	source: SessionSource;
	origin: HeaderOrigin;
	target: AppendTarget;
	/** Whether the session manager still has this session open and has not replaced it with a fork in memory. */
	isCurrent(): boolean;
}

export function hostSession(ctx: Pick<ExtensionContext, "sessionManager" | "cwd">): HostSession {
	const manager = ctx.sessionManager;
	const header = manager.getHeader();
	const id = manager.getSessionId();
	const ownCwd = header?.cwd || undefined;
	return {
		id,
		cwd: ctx.cwd,
		folder: manager.getSessionDir(),
		ownCwd,
		isMoved: ownCwd !== undefined && !isSameFolder(ownCwd, ctx.cwd),
		source: hostSource(manager),
		origin: { timestamp: header?.timestamp, parentSession: header?.parentSession },
		target: appendTarget(manager),
		isCurrent: () => manager.getSessionId() === id,
	};
}
