import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { registerShortcuts } from "../session-core/command/register-shortcuts.ts";
import { followSession } from "../session-core/host/lifecycle.ts";
import { isStale, startWork } from "../session-core/host/start-work.ts";
import { registerFlags } from "../session-core/settings/flags.ts";
import { RECAP_FLAGS } from "./config.ts";
import { load, type Running, startSoon } from "./start-later.ts";

/**
 * session-recap: when the user returns to the terminal, 1–3 sentences above the editor give the task, its
 * state and the next step. Wiring only. Without a user in front of the session (print and JSON mode),
 * only `/recap` does anything.
 */
export default function sessionRecap(pi: ExtensionAPI): void {
	let running: Running | undefined;

	registerFlags(pi, RECAP_FLAGS);

	followSession(pi, {
		opened(reason, ctx) {
			if (!ctx.hasUI) return undefined;
			running = startSoon(pi, ctx, reason);
			const recap = (keyCtx: ExtensionContext) => {
				const mine = running;
				startWork(keyCtx, async () => mine?.toggle(), { name: "recap", isOver: () => running !== mine });
			};
			return registerShortcuts(pi, { recap });
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

	pi.registerCommand("recap", {
		description: "Show a recap of this session (/recap --help for more)",
		getArgumentCompletions: async (prefix) => (await load()).completeCommand(prefix),
		handler: async (args, ctx) => {
			if (isStale(ctx)) return;
			if (!ctx.hasUI) {
				const { printRecap } = await load();
				return printRecap(pi, ctx, args);
			}
			const mine = running;
			return startWork(ctx, async () => mine?.command(args), {
				name: "recap",
				isOver: () => running !== mine,
			});
		},
	});
}
