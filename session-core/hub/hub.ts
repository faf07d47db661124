import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { followSession, type SessionHandlers, type StartReason } from "../host/host-events.ts";
import { whyOf } from "../host/start-work.ts";
import { type Guarded, type Shared, safely, shareSession } from "./shared.ts";

/** The handlers of one extension. `shared` is what it shares with the others while the session is open. */
interface PartHandlers extends Omit<SessionHandlers, "opened"> {
	opened(reason: StartReason, ctx: ExtensionContext, shared: Shared): unknown;
}

export type Hub = ReturnType<typeof createHub>;

/**
 * Connects the extensions of the package with the host, and keeps a fault in one of them from the others. The hub subscribes to the host's
 * events once for all extensions, which hear of them in the order in which they joined.
 */
export function createHub(pi: Pick<ExtensionAPI, "on">) {
	let ui: ExtensionContext["ui"] | undefined;
	let shared: Shared | undefined;

	/** Wraps the functions that an extension offers to others. Its name begins the messages about its faults. */
	const wrap = <Functions extends object>(name: string, functions: Functions) =>
		safely(functions, (error) => {
			const text = `${name}: failed (${whyOf(error)}).`;
			if (!ui) process.stderr.write(`${text}\n`);
			// After the end of its session, the UI throws when it is used.
			else if (shared?.isOver === false) ui.notify(text, "error");
		});
	/** Returns a promise only if there is something to wait for. */
	const all = (results: unknown[]) =>
		results.some((result) => result instanceof Promise) ? Promise.all(results) : undefined;
	const parts: Guarded<PartHandlers>[] = [];

	followSession(pi, {
		opened(reason, ctx) {
			ui = ctx.hasUI ? ctx.ui : undefined;
			const now = shareSession(ctx);
			shared = now;
			return all(parts.map((part) => part.opened(reason, ctx, now)));
		},
		closed(reason) {
			shared?.end();
			return all(parts.map((part) => part.closed(reason)));
		},
		runStarted: (started) => parts.forEach((part) => void part.runStarted?.(started)),
		settled: (outcome) => parts.forEach((part) => void part.settled?.(outcome)),
		submitted: () => parts.forEach((part) => void part.submitted?.()),
		moved: () => parts.forEach((part) => void part.moved?.()),
		renamed: () => parts.forEach((part) => void part.renamed?.()),
		dialog: (isOpen) => parts.forEach((part) => void part.dialog?.(isOpen)),
	});

	return {
		/** Follows the host's session on behalf of an extension. */
		follow: (name: string, handlers: PartHandlers) => void parts.push(wrap(name, handlers)),
		safely: wrap,
	};
}
