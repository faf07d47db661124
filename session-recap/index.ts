import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { registerFlags } from "../session-core/flags.ts";
import { endedInError, onNewerEvent } from "../session-core/host/events.ts";
import { lazily } from "../session-core/lazily.ts";
import { registerShortcuts } from "../session-core/shortcuts/shortcuts.ts";
import { startWork } from "../session-core/start-work.ts";
import { RECAP_FLAGS } from "./config/flags.ts";
import { type Running, startSoon } from "./start-later.ts";

/**
 * session-recap: look away, come back, and 1–3 true sentences above the editor say where the session stands.
 * Wiring only; where no user is in front of the session (print and JSON mode) nothing happens but what `/recap` asks for.
 */
export default function sessionRecap(pi: ExtensionAPI): void {
	let running: Running | undefined;

	registerFlags(pi, RECAP_FLAGS);

	pi.on("session_start", (event, ctx) => {
		if (!ctx.hasUI) return undefined;
		running = startSoon(pi, ctx, event.reason);
		const recap = (keyCtx: ExtensionContext) => {
			const mine = running;
			startWork(keyCtx, async () => mine?.toggle(), { name: "recap", isOver: () => running !== mine });
		};
		return registerShortcuts(pi, { recap }, async (agentDir) => {
			const { readShortcuts } = await lazily(() => import("../session-core/shortcuts/read.ts"));
			return readShortcuts(agentDir).keys;
		});
	});
	pi.on("session_shutdown", () => {
		running?.end();
		running = undefined;
	});

	pi.on("agent_start", () => running?.dispatch({ type: "run_start" }));
	pi.on("agent_end", ({ messages }) =>
		running?.dispatch({ type: "run_end", failed: endedInError(messages) }),
	);
	// Hosts from 0.86 on say themselves when a run is over; older ones never send this.
	onNewerEvent(pi, "agent_settled", () => running?.dispatch({ type: "run_settled" }));
	pi.on("input", () => running?.dispatch({ type: "submit" }));
	pi.on("user_bash", () => running?.dispatch({ type: "submit" }));
	pi.on("session_tree", () => running?.dispatch({ type: "submit" }));

	pi.registerCommand("recap", {
		description: "Say where this session stands (/recap --help for more)",
		getArgumentCompletions: async (prefix) =>
			(await lazily(() => import("./command/parse.ts"))).completeCommand(prefix),
		handler: async (args, ctx) => {
			if (!ctx.hasUI) {
				const { printRecap } = await lazily(() => import("./print.ts"));
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
