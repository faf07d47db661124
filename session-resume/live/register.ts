import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { lazily } from "../../session-core/host/lazily.ts";
import { type Deferred, isStale } from "../../session-core/host/start-work.ts";
import type { Hub } from "../../session-core/hub/hub.ts";
import type { Permits } from "./permits.ts";
import type { LiveSession } from "./session.ts";

const later = () => lazily(() => import("./later.ts"));

/**
 * Registers live sessions: this process takes a lease on the session that it has open, so that other processes see the session and ask
 * before they write to it. Headless runs also take a lease, because they write to their session. A session that is not saved has no lease.
 */
export function registerLive(pi: ExtensionAPI, hub: Hub, permits: Permits): void {
	const over = new AbortController();
	/** Events that arrive before the code is loaded are dropped, because the code reads the state of the session when it starts. */
	let live: Deferred<LiveSession> | undefined;

	hub.follow("sessions", {
		opened(reason, ctx, shared) {
			// Without a lease, other processes do not see the session. This process is not affected, so no message is shown.
			const lease = shared.starts.add(async (isOver) => {
				const { openLive } = await lazily(() => import("./session.ts"));
				return isOver() ? undefined : openLive(pi, ctx, { reason, shared });
			});
			live = lease;
			shared.live = hub.safely("sessions", { focusReported: () => lease.started?.focusReported() });
			// A headless run soon writes to its session.
			if (!ctx.hasUI) setTimeout(lease.begin);
		},
		closed() {
			over.abort();
			live?.started?.end();
			live = undefined;
		},
		runStarted: () => live?.started?.dispatch({ type: "run_started" }),
		settled: (outcome) => live?.started?.settled(outcome),
		renamed: () => live?.started?.renamed(),
		submitted: () => live?.started?.lookForName(),
		dialog: (isOpen) => live?.started?.dispatch({ type: "dialog", isOpen }),
	});

	pi.on("session_before_switch", async ({ reason, targetSessionFile: path }, ctx) => {
		if (reason !== "resume" || path === undefined || !ctx.hasUI) return undefined;
		const { mayOpen } = await later();
		return cancelUnless(() => mayOpen(ctx, { path, permits, signal: over.signal }), ctx);
	});
	pi.on("session_before_fork", async (_event, ctx) => {
		if (!ctx.hasUI) return undefined;
		const { mayFork } = await later();
		return cancelUnless(() => mayFork(ctx), ctx);
	});
}

/**
 * Returns the answer to a hook that the host calls before it leaves the session. If the session was replaced during the check, its context
 * can no longer be used, and the switch is canceled.
 */
export async function cancelUnless(
	check: () => Promise<boolean>,
	ctx: Pick<ExtensionContext, "hasUI">,
): Promise<{ cancel: true } | undefined> {
	try {
		return (await check()) && !isStale(ctx) ? undefined : { cancel: true };
	} catch (error) {
		if (isStale(ctx)) return { cancel: true };
		throw error;
	}
}
