import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { lazily } from "../session-core/host/lazily.ts";
import type { StartReason } from "../session-core/host/lifecycle.ts";
import { FIRST_PAINT_MS, startLater } from "../session-core/host/start-work.ts";
import type { PresenceEvent } from "./presence/types.ts";
import type { RecapExtension } from "./start.ts";

/** The extension in one session instance of the host, from before it is loaded until the instance ends. */
export interface Running {
	/** What happens before it is loaded is not kept: it looks at the session itself when it starts. */
	dispatch(event: PresenceEvent): void;
	/** `/recap …`; waits for the start, never for a model. */
	command(args: string): Promise<void>;
	/** The key: the recap on the screen, or off it. */
	toggle(): Promise<void>;
	end(): void;
}

/** Everything that the extension does, apart from reading conversations, asking models and `/recap`. */
export const load = () => lazily(() => import("./start.ts"));

/** Load and start after the host's first paint, and after the card, which may show in a recap's place. */
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
	/** One after the other, as typed: "on" behind "off" must not overtake it. */
	let last: Promise<unknown> = Promise.resolve();
	const perform = (argsOf: (recap: RecapExtension) => string) => {
		const done = last.then(async () => {
			await later.begin();
			if (later.started) await later.started.command(argsOf(later.started));
		});
		// That one failed is said by who typed it; the next one does not suffer.
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
