import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { lazily } from "../../session-core/host/lazily.ts";
import { registerOwnCommand } from "../../session-core/host/own-command.ts";
import { needsUser } from "../../session-core/host/print-ui.ts";
import { isStale, startWork } from "../../session-core/host/start-work.ts";
import type { Hub } from "../../session-core/hub/hub.ts";
import type { Permits } from "../live/permits.ts";

const command = () => lazily(() => import("./command.ts"));

/** Registers `/sessions`, the board. The board's code is loaded on first use. */
export function registerBoard(pi: ExtensionAPI, hub: Hub, permits: Permits): void {
	const over = new AbortController();
	hub.follow("sessions", { opened: () => undefined, closed: () => over.abort() });
	registerOwnCommand(pi, "sessions", {
		description: "Find, resume, fork or rename sessions, live ones included (/sessions --help for more)",
		getArgumentCompletions: async (prefix) => (await command()).completeCommand(prefix),
		handler: async (args, ctx) => {
			if (isStale(ctx)) return;
			if (!ctx.hasUI) return needsUser("sessions");
			const work = async () => {
				const { runSessions } = await command();
				await runSessions(args, { pi, ctx, permits, over: over.signal });
			};
			return startWork(ctx, work, { name: "sessions", isOver: () => over.signal.aborted });
		},
	});
}
