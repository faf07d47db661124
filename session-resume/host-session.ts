import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { AppendTarget } from "../session-core/session-file/append.ts";
import { appendTarget } from "../session-core/session-file/append.ts";
import type { SessionSource } from "../session-core/session-file/entry.ts";
import { hostSource } from "../session-core/session-file/entry.ts";
import type { Origin } from "../session-core/session-view/read-session.ts";

/** One session of the host, as the parts of the extension use it. */
export interface HostSession {
	id: string;
	/** Where pi works for it now. */
	cwd: string;
	/** Where its file stands, or would. */
	folder: string;
	/** Where it was begun, by its header; undefined: not known. */
	ownCwd: string | undefined;
	source: SessionSource;
	origin: Origin;
	target: AppendTarget;
	/** The manager still holds this session: a fork in memory puts another one in its place. */
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
