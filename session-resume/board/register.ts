import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { lazily } from "../../session-core/lazily.ts";
import { startWork } from "../../session-core/start-work.ts";
import { permitsOf } from "../live/permits.ts";

/** `/sessions`, the board. Wiring only: its code is loaded when it is used. */
export function registerBoard(pi: ExtensionAPI): void {
	const permits = permitsOf(pi);
	const over = new AbortController();
	pi.on("session_shutdown", () => over.abort());
	pi.registerCommand("sessions", {
		description: "All sessions, live ones included: find, resume, fork, rename (/sessions --help for more)",
		getArgumentCompletions: async (prefix) =>
			(await lazily(() => import("./parse.ts"))).completeCommand(prefix),
		handler: async (args, ctx) => {
			if (!ctx.hasUI) {
				const { needsUser } = await lazily(() => import("../../session-core/terminal/print-ui.ts"));
				return needsUser("sessions");
			}
			const work = async () => {
				const { runSessions } = await lazily(() => import("./command.ts"));
				const { sharedWords } = await lazily(() => import("../instance-words.ts"));
				await runSessions(args, { pi, ctx, permits, words: await sharedWords(pi), over: over.signal });
			};
			return startWork(ctx, work, { name: "sessions", isOver: () => over.signal.aborted });
		},
	});
}
