import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { lazily } from "../session-core/lazily.ts";
import type { PresenceEvent } from "./presence/types.ts";
import type { RecapExtension, StartReason } from "./start.ts";

/** The extension in one session instance of the host, from before it is loaded until the instance ends. */
export interface Running {
	/** What happens before it is loaded is not kept: it looks at the session itself when it starts. */
	dispatch(event: PresenceEvent): void;
	/** `/recap …`; waits for the start, never for a model. */
	command(args: string): Promise<void>;
	end(): void;
}

/** Time for the host to paint its first frames, in ms. Loading is work on the same thread. */
const FIRST_PAINT_MS = 120;

/** Load and start after the host's first paint: nobody waits at start-up for a recap to be ready. */
export function startLater(pi: ExtensionAPI, ctx: ExtensionContext, reason: StartReason): Running {
	let recap: RecapExtension | undefined;
	let isOver = false;
	const start = async () => {
		const { startRecap } = await lazily(() => import("./start.ts"));
		recap = await startRecap(pi, ctx, reason, () => isOver);
		recap?.begin();
	};
	let handle: NodeJS.Timeout | undefined;
	const ready = new Promise<void>((resolve) => {
		handle = setTimeout(() => start().catch(complain).then(resolve), FIRST_PAINT_MS);
	});
	const complain = (error: unknown) => {
		const why = error instanceof Error ? error.message.split("\n", 1)[0] : "unknown error";
		if (!isOver) ctx.ui.notify(`recap: cannot start (${why}). Reinstall the package.`, "warning");
	};
	/** One after the other, as typed: "on" behind "off" must not overtake it. */
	let last: Promise<unknown> = ready;
	return {
		dispatch: (event) => recap?.session.dispatch(event),
		command(args) {
			const done = last.then(async () => void (await recap?.command(args)));
			// That one failed is said by who typed it; the next one does not suffer.
			last = done.catch(() => undefined);
			return done;
		},
		end() {
			isOver = true;
			clearTimeout(handle);
			recap?.end();
		},
	};
}
