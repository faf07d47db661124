import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { registerShortcuts } from "../session-core/command/register-shortcuts.ts";
import type { StartReason } from "../session-core/host/host-events.ts";
import { lazily } from "../session-core/host/lazily.ts";
import { registerOwnCommand } from "../session-core/host/own-command.ts";
import { isStale, startWork } from "../session-core/host/start-work.ts";
import { createHub, type Hub } from "../session-core/hub/hub.ts";
import type { Shared } from "../session-core/hub/shared.ts";
import { registerFlags } from "../session-core/settings/flags.ts";
import { RECAP_FLAGS } from "./config.ts";
import type { PresenceEvent } from "./presence.ts";
import type { RecapExtension } from "./start.ts";

/** The imported module contains the whole extension, except for the code that reads conversations, calls models and runs `/recap`. */
const load = () => lazily(() => import("./start.ts"));

/**
 * session-recap: when the user returns to the terminal, one to three sentences above the editor describe the task, its state and what comes
 * next. This module only wires the parts together. In print and JSON mode, where no user is present, only `/recap` has an effect.
 */
export function recap(pi: ExtensionAPI, hub: Hub): void {
	let running: Running | undefined;
	let shared: Shared | undefined;

	registerFlags(pi, RECAP_FLAGS);

	hub.follow("recap", {
		opened(reason, ctx, opened) {
			shared = opened;
			if (!ctx.hasUI) return undefined;
			const mine = startSoon(pi, ctx, reason, shared);
			running = mine;
			shared.recap = hub.safely("recap", {
				giveWay: (stamp) => mine.recap?.session.giveWay(stamp),
				isLookedAt: () => mine.recap?.session.isLookedAt() ?? false,
			});
			const toggle = (keyCtx: ExtensionContext) => {
				const mine = running;
				startWork(keyCtx, async () => mine?.toggle(), { name: "recap", isOver: () => running !== mine });
			};
			return registerShortcuts(pi, { recap: toggle });
		},
		closed() {
			running?.end();
			running = undefined;
		},
		runStarted: () => running?.dispatch({ type: "run_start" }),
		settled: () => running?.dispatch({ type: "settled" }),
		submitted: () => running?.dispatch({ type: "submit" }),
		moved: () => running?.dispatch({ type: "submit" }),
	});

	registerOwnCommand(pi, "recap", {
		description: "Show a recap of this session (/recap --help for more)",
		getArgumentCompletions: async (prefix) => (await load()).completeRecap(prefix),
		handler: async (args, ctx) => {
			if (isStale(ctx)) return;
			if (!ctx.hasUI) {
				const { printRecap } = await load();
				return shared && printRecap(pi, ctx, args, shared);
			}
			const mine = running;
			return startWork(ctx, async () => mine?.command(args), {
				name: "recap",
				isOver: () => running !== mine,
			});
		},
	});
}

/** The extension alone, as a package of its own. */
export default function sessionRecap(pi: ExtensionAPI): void {
	recap(pi, createHub(pi));
}

/** The extension in one session instance of the host. It is created before most of its code is loaded. */
interface Running {
	/** Undefined until the extension has started. */
	readonly recap: RecapExtension | undefined;
	/** Dispatches an event. Events are ignored until the extension has started, because it inspects the session when it starts. */
	dispatch(event: PresenceEvent): void;
	/** Runs `/recap …`. Waits until the extension has started, but never for a model. */
	command(args: string): Promise<void>;
	/** Handles the key that shows or hides the recap. */
	toggle(): Promise<void>;
	end(): void;
}

/** Loads and starts the extension after the host's first paint. */
function startSoon(pi: ExtensionAPI, ctx: ExtensionContext, reason: StartReason, shared: Shared): Running {
	const later = shared.starts.add(
		async (isOver) => {
			const { startRecap } = await load();
			const started = await startRecap(pi, ctx, { reason, shared, isOver });
			started?.begin();
			return started;
		},
		(why) => ctx.ui.notify(`recap: cannot start (${why}). Reinstall the package.`, "warning"),
	);
	/** Commands run in the order in which they were typed, because "on" must not overtake an earlier "off". */
	let last: Promise<unknown> = Promise.resolve();
	const perform = (argsOf: (recap: RecapExtension) => string) => {
		const done = last.then(async () => {
			await later.begin();
			if (later.started) await later.started.command(argsOf(later.started));
		});
		// The failed command has already reported its error, and the next one is not affected.
		last = done.catch(() => undefined);
		return done;
	};
	return {
		get recap() {
			return later.started;
		},
		dispatch: (event) => later.started?.session.dispatch(event),
		command: (args) => perform(() => args),
		toggle: () => perform(({ session }) => (session.isShown() ? "clear" : "")),
		end: () => later.started?.end(),
	};
}
