import type { ExtensionContext } from "../session-core/host/index.ts";
import {
	type AppendTarget,
	appendTarget,
	hostSource,
	type SessionSource,
} from "../session-core/session-file/index.ts";
import type { HeaderOrigin } from "../session-core/session-view/read-session.ts";

/** The parts of a host session that the extension uses. */
export interface HostSession {
	id: string;
	/** The folder in which pi is working now. */
	cwd: string;
	/** The folder of the session's file, even if that file does not exist yet. */
	folder: string;
	/** The folder in which the session began, according to its header; undefined if unknown. */
	ownCwd: string | undefined;
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
	return {
		id,
		cwd: ctx.cwd,
		folder: manager.getSessionDir(),
		ownCwd: header?.cwd || undefined,
		source: hostSource(manager),
		origin: { timestamp: header?.timestamp, parentSession: header?.parentSession },
		target: appendTarget(manager),
		isCurrent: () => manager.getSessionId() === id,
	};
}
