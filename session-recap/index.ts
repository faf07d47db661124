import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { registerShortcuts } from "../session-core/command/shortcuts.ts";
import { lazily } from "../session-core/host/lazily.ts";
import { registerOwnCommand } from "../session-core/host/own-command.ts";
import { type Deferred, isStale, startWork } from "../session-core/host/start-work.ts";
import { createHub, type Hub } from "../session-core/hub/hub.ts";
import type { Shared } from "../session-core/hub/shared.ts";
import { registerFlags } from "../session-core/settings/flags.ts";
import { RECAP_FLAGS } from "./config.ts";
import type { PresenceEvent } from "./presence.ts";
import type { RecapSession } from "./session.ts";

const load = () => lazily(() => import("./command.ts"));

/**
 * session-recap: when the user returns to the terminal, one to three sentences above the editor describe the task, its state and what comes
 * next. This module only wires the parts together. In print and JSON mode, where no user is present, only `/recap` has an effect.
 */
export function recap(pi: ExtensionAPI, hub: Hub): void {
	/** The extension in the open session. It starts after the host's first paint. */
	let running: Deferred<RecapSession> | undefined;
	let shared: Shared | undefined;

	registerFlags(pi, RECAP_FLAGS);

	/** Events are ignored until the extension has started, because it inspects the session when it starts. */
	const dispatch = (event: PresenceEvent) => running?.started?.dispatch(event);
	/** Runs `/recap …`. Waits until the extension has started, but never for a model. */
	const run = (ctx: ExtensionContext, argsOf: (recap: RecapSession) => string) => {
		const mine = running;
		const work = async () => {
			await mine?.begin();
			if (!mine?.started) return;
			const { runRecap } = await load();
			await runRecap(argsOf(mine.started), mine.started);
		};
		return startWork(ctx, work, { name: "recap", isOver: () => running !== mine });
	};

	hub.follow("recap", {
		opened(reason, ctx, opened) {
			shared = opened;
			if (!ctx.hasUI) return undefined;
			const mine = opened.starts.add(
				async (isOver) => {
					const { startRecap } = await load();
					if (isOver()) return undefined;
					const started = startRecap(pi, ctx, opened);
					void started.begin(reason);
					return started;
				},
				(why) => ctx.ui.notify(`recap: cannot start (${why}). Reinstall the package.`, "warning"),
			);
			running = mine;
			opened.recap = hub.safely("recap", {
				giveWay: (stamp) => mine.started?.giveWay(stamp),
				isLookedAt: () => mine.started?.isLookedAt() ?? false,
			});
			return registerShortcuts(pi, {
				recap: (keyCtx) => void run(keyCtx, ({ isShown }) => (isShown() ? "clear" : "")),
			});
		},
		closed() {
			running?.started?.end();
			running = undefined;
		},
		runStarted: () => dispatch({ type: "run_start" }),
		settled: () => dispatch({ type: "settled" }),
		submitted: () => dispatch({ type: "submit" }),
		moved: () => dispatch({ type: "submit" }),
	});

	registerOwnCommand(pi, "recap", {
		description: "Show a recap of this session (/recap --help for more)",
		getArgumentCompletions: async (prefix) => (await load()).completeRecap(prefix),
		handler: async (args, ctx) => {
			if (isStale(ctx)) return;
			if (ctx.hasUI) return run(ctx, () => args);
			const { printRecap } = await load();
			return shared && printRecap(pi, ctx, args, shared);
		},
	});
}

export default function sessionRecap(pi: ExtensionAPI): void {
	recap(pi, createHub(pi));
}
