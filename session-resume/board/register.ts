import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { lazily } from "../../session-core/lazily.ts";
import { permitsOf } from "../live/permits.ts";
import { completeCommand } from "./parse.ts";

/** `/sessions`, the board. Wiring only: its code is loaded when it is used. */
export function registerBoard(pi: ExtensionAPI): void {
	const permits = permitsOf(pi);
	pi.registerCommand("sessions", {
		description: "All sessions, live ones included: find, resume, fork, rename (/sessions --help for more)",
		getArgumentCompletions: completeCommand,
		handler: async (args, ctx) => {
			if (!ctx.hasUI) return;
			const { runSessions } = await lazily(() => import("./command.ts"));
			await runSessions(args, { pi, ctx, permits });
		},
	});
}
