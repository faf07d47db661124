import { type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { lazily } from "../../session-core/lazily.ts";
import type { LiveDeps, LiveSession } from "./session.ts";
import type { LiveEvent } from "./types.ts";

/** The lease of one session instance of the host, from before its code is loaded until the instance ends. */
export interface RunningLive {
	/** What happens before it is loaded is not kept: it looks at the session itself when it starts. */
	dispatch(event: LiveEvent): void;
	end(): void;
}

/** Time for the host to paint its first frames, in ms; less than the card waits, for who opens a session claims it first. */
const FIRST_PAINT_MS = 100;

/** Load and claim after the host's first paint: nobody waits at start-up for a lease. */
export function startSoon(
	pi: LiveDeps["pi"],
	ctx: ExtensionContext,
	reason: LiveDeps["reason"],
): RunningLive {
	let live: LiveSession | undefined;
	let isOver = false;
	const start = async () => {
		const { openLive } = await lazily(() => import("./session.ts"));
		if (isOver) return;
		live = openLive({
			pi,
			ctx,
			reason,
			agentDir: getAgentDir(),
			now: Date.now,
			loadLook: async () => (await lazily(() => import("./look.ts"))).lookAtEnd,
			loadWayTo: async () => (await lazily(() => import("./go-there.ts"))).wayTo,
			loadTakeName: async () => (await lazily(() => import("./take-name.ts"))).takeName,
		});
	};
	const wait = ctx.hasUI ? FIRST_PAINT_MS : 0;
	const handle = setTimeout(() => {
		// Without its lease a session is only less visible to others: nothing that a user at work must hear of.
		start().catch(() => undefined);
	}, wait);
	return {
		dispatch: (event) => live?.dispatch(event),
		end() {
			isOver = true;
			clearTimeout(handle);
			live?.end();
		},
	};
}
