import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { lazily } from "../session-core/host/lazily.ts";
import type { StartReason } from "../session-core/host/lifecycle.ts";
import { FIRST_PAINT_MS, startLater } from "../session-core/host/start-work.ts";
import type { PresenceEvent } from "./presence/types.ts";
import type { RecapExtension } from "./start.ts";

/** The extension in one session instance of the host, from before it is loaded until the instance ends. */
export interface Running {
	/** Earlier events are not kept, because it inspects the session itself when it starts. */
	dispatch(event: PresenceEvent): void;
	/** `/recap …`; waits until the extension has started, never for a model. */
	command(args: string): Promise<void>;
	/** Handles the key, which shows or hides the recap. */
	toggle(): Promise<void>;
	end(): void;
}

/** Everything that the extension does, except reading conversations, calling models and `/recap`. */
export const load = () => lazily(() => import("./start.ts"));

/** Loads and starts after the host's first paint, and after the card, which may be shown in place of a recap. */
export function startSoon(pi: ExtensionAPI, ctx: ExtensionContext, reason: StartReason): Running {
	const later = startLater(
		async (isOver) => {
			const { startRecap } = await load();
			const recap = await startRecap(pi, ctx, reason, isOver);
			recap?.begin();
			return recap;
		},
		{
			afterMs: FIRST_PAINT_MS + 20,
			failed: (why) => ctx.ui.notify(`recap: cannot start (${why}). Reinstall the package.`, "warning"),
		},
	);
	/** Commands run one after the other, in the order typed: "on" must not overtake an earlier "off". */
	let last: Promise<unknown> = Promise.resolve();
	const perform = (argsOf: (recap: RecapExtension) => string) => {
		const done = last.then(async () => {
			await later.begin();
			if (later.started) await later.started.command(argsOf(later.started));
		});
		// The failed command has reported its error itself; the next one is not affected.
		last = done.catch(() => undefined);
		return done;
	};
	return {
		dispatch: (event) => later.started?.session.dispatch(event),
		command: (args) => perform(() => args),
		toggle: () => perform(({ session }) => (session.isShown() ? "clear" : "")),
		end() {
			later.end();
			later.started?.end();
		},
	};
}
