import { type ExtensionAPI, getAgentDir } from "@mariozechner/pi-coding-agent";
import { endedInError, onNewerEvent } from "../../session-core/host/events.ts";
import { lazily } from "../../session-core/lazily.ts";
import { hostTui } from "../../session-core/terminal/host-tui.ts";
import { permitsOf } from "./permits.ts";
import { type RunningLive, startSoon } from "./running.ts";

const DAMAGED =
	"The file of this session is damaged: pi would put an empty session in its place. /sessions opens a repaired copy.";

/**
 * Live sessions: this process leases the session that it has open, so that others see it and ask before they write into it.
 * Wiring only. Headless runs lease theirs too (they write into it all the same); sessions that are not saved have none.
 */
export function registerLive(pi: ExtensionAPI): void {
	const permits = permitsOf(pi);
	let live: RunningLive | undefined;

	pi.on("session_start", ({ reason }, ctx) => {
		live = startSoon(pi, ctx, reason);
	});
	pi.on("session_shutdown", () => {
		live?.end();
		live = undefined;
	});
	pi.on("agent_start", () => live?.dispatch({ type: "run_start" }));
	pi.on("agent_end", ({ messages }) => live?.dispatch({ type: "run_end", failed: endedInError(messages) }));
	// Hosts from 0.86 on say themselves when a run is over; older ones never send this.
	onNewerEvent(pi, "agent_settled", () => live?.dispatch({ type: "run_settled" }));

	pi.on("session_before_switch", async ({ reason, targetSessionFile }, ctx) => {
		if (reason !== "resume" || targetSessionFile === undefined || !ctx.hasUI) return undefined;
		if (permits.has(targetSessionFile)) return undefined;
		const { isReplaced } = await lazily(() => import("../../session-core/store/host-reading.ts"));
		if (isReplaced(targetSessionFile)) {
			ctx.ui.notify(DAMAGED, "warning");
			return { cancel: true };
		}
		const { otherWriter } = await lazily(() => import("./writers.ts"));
		const { guardSwitch, refuseSwitch } = await lazily(() => import("./gate.ts"));
		const lease = otherWriter(getAgentDir(), { sessionFile: targetSessionFile }, Date.now());
		if (!lease) return undefined;
		if (hostTui(ctx.ui, "session-resume:live") === undefined) {
			refuseSwitch(ctx.ui, lease, Date.now());
			return { cancel: true };
		}
		const { wayTo } = await lazily(() => import("./go-there.ts"));
		const { sharedWords } = await lazily(() => import("../instance-words.ts"));
		const words = await sharedWords(pi);
		const way = wayTo(getAgentDir(), lease, words);
		const decision = await guardSwitch(ctx.ui, { lease, way, now: Date.now(), words });
		if (decision !== "open") return { cancel: true };
		// The host comes past here a second time where it has to ask for another folder.
		permits.allow(targetSessionFile);
		return undefined;
	});
}
