import { type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { lazily } from "../../session-core/lazily.ts";
import { FIRST_PAINT_MS, startLater } from "../../session-core/start-work.ts";
import type { LiveDeps } from "./session.ts";
import type { LiveEvent } from "./types.ts";

/** The lease of one session instance of the host, from before its code is loaded until the instance ends. */
export interface RunningLive {
	/** What happens before it is loaded is not kept: it looks at the session itself when it starts. */
	dispatch(event: LiveEvent): void;
	end(): void;
}

/** Load and claim after the host's first paint, and before the card: who opens a session claims it first. */
export function startSoon(
	pi: LiveDeps["pi"],
	ctx: ExtensionContext,
	reason: LiveDeps["reason"],
): RunningLive {
	// Without its lease a session is only less visible to others: nothing that a user at work must hear of.
	const later = startLater(
		async (isOver) => {
			const { openLive } = await lazily(() => import("./session.ts"));
			return isOver()
				? undefined
				: openLive({
						pi,
						ctx,
						reason,
						agentDir: getAgentDir(),
						now: Date.now,
						loadLook: async () => (await lazily(() => import("./look.ts"))).lookAtEnd,
						loadWords: async () => (await lazily(() => import("../instance-words.ts"))).sharedWords(pi),
						loadNotify: async () => (await lazily(() => import("./notify.ts"))).notifyOfNeed,
						loadBringBack: async () => (await lazily(() => import("./bring-back.ts"))).bringBack,
						loadWayTo: async () => (await lazily(() => import("./go-there.ts"))).wayTo,
						loadTakeName: async () => (await lazily(() => import("./take-name.ts"))).takeName,
					});
		},
		{ afterMs: ctx.hasUI ? FIRST_PAINT_MS : 0 },
	);
	return {
		dispatch: (event) => later.started?.dispatch(event),
		end() {
			later.end();
			later.started?.end();
		},
	};
}
