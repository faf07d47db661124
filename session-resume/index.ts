import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { endedInError, onNewerEvent } from "../session-core/host/events.ts";
import { lazily } from "../session-core/lazily.ts";
import { registerShortcuts } from "../session-core/shortcuts/shortcuts.ts";
import { startWork } from "../session-core/start-work.ts";
import { registerBoard } from "./board/register.ts";
import type { CommandName } from "./extension.ts";
import { registerLive } from "./live/register.ts";
import { type Running, startSoon } from "./start-later.ts";

const COMMANDS: Readonly<Record<CommandName, string>> = {
	"recap-card": "Write, show or edit this session's card (/recap-card --help for more)",
	"resume-here": "Go on with the next step, as an editable prompt (/resume-here --help for more)",
	"resume-from": "Go on from another session or an earlier point (/resume-from --help for more)",
};

/** A key that does what a command does, which the host lets nobody but a typed command do. */
function typing(command: string) {
	return async ({ ui }: Pick<ExtensionContext, "ui">): Promise<void> => {
		const { submitCommand } = await lazily(() => import("../session-core/terminal/submit.ts"));
		if (!submitCommand(ui, command))
			ui.notify(`resume: the key cannot do that here. Type ${command}.`, "warning");
	};
}

/**
 * session-resume: open a session days later, see in four blocks where it stands, and go on with one explicit act.
 * Wiring only; a headless run only writes its record.
 */
export default function sessionResume(pi: ExtensionAPI): void {
	let running: Running | undefined;

	registerBoard(pi);
	registerLive(pi);

	pi.on("session_start", (event, ctx) => {
		running = startSoon(pi, ctx, event.reason);
		if (!ctx.hasUI) return undefined;
		const card = (keyCtx: ExtensionContext) => {
			const mine = running;
			const isOver = () => running !== mine;
			startWork(keyCtx, async () => mine?.toggleCard(), { name: "recap-card", isOver });
		};
		const keys = { card, next: typing("/resume-here"), board: typing("/sessions") };
		return registerShortcuts(pi, keys, async (agentDir) => {
			const { readShortcuts } = await lazily(() => import("../session-core/shortcuts/read.ts"));
			return readShortcuts(agentDir).keys;
		});
	});
	pi.on("session_shutdown", (event) => {
		const ending = running?.end(event.reason);
		running = undefined;
		return ending;
	});

	pi.on("agent_start", () => running?.happened("run_start"));
	pi.on("agent_end", ({ messages }) => running?.happened(endedInError(messages) ? "run_failed" : "run_end"));
	// Hosts from 0.86 on say themselves when a run is over; older ones never send this.
	onNewerEvent(pi, "agent_settled", () => running?.happened("run_settled"));
	pi.on("input", () => running?.happened("submit"));
	pi.on("user_bash", () => running?.happened("submit"));
	pi.on("session_tree", () => running?.happened("moved"));

	for (const name of Object.keys(COMMANDS) as CommandName[]) {
		pi.registerCommand(name, {
			description: COMMANDS[name],
			getArgumentCompletions: async (prefix) => running?.complete(name, prefix) ?? null,
			handler: async (args, ctx) => {
				const mine = running;
				return startWork(ctx, async () => mine?.command(name, args, ctx), {
					name,
					isOver: () => running !== mine,
				});
			},
		});
	}
}
