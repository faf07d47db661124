import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { registerShortcuts } from "../session-core/command/register-shortcuts.ts";
import { lazily } from "../session-core/host/lazily.ts";
import { registerOwnCommand } from "../session-core/host/own-command.ts";
import { preload } from "../session-core/host/preload.ts";
import { submitCommand } from "../session-core/host/prompt.ts";
import { startWork } from "../session-core/host/start-work.ts";
import { createHub, type Hub } from "../session-core/hub/hub.ts";
import { registerFlags } from "../session-core/settings/flags.ts";
import { registerBoard } from "./board/register.ts";
import type { CommandName } from "./context.ts";
import { RESUME_FLAGS } from "./flags.ts";
import { createPermits } from "./live/permits.ts";
import { registerLive } from "./live/register.ts";
import { type Running, startSoon } from "./running.ts";

const COMMANDS: Readonly<Record<CommandName, string>> = {
	"recap-card": "Write, show or edit this session's card (/recap-card --help for more)",
	"resume-here": "Continue with the next step, as an editable prompt (/resume-here --help for more)",
	"resume-from": "Continue from another session or an earlier point (/resume-from --help for more)",
	today: "Show what this project's sessions have done today (/today --help for more)",
};

const nextWaiting = () => lazily(() => import("./live/next-waiting.ts"));

/** Returns a key handler that types a command, because the host allows only typed commands to replace the session. */
function typing(command: string) {
	return async ({ ui }: Pick<ExtensionContext, "ui">): Promise<void> => {
		if (!submitCommand(ui, command))
			ui.notify(`resume: this key does not work here. Type ${command}.`, "warning");
	};
}

/**
 * session-resume: open a session days later, see where you left off, and continue with one key. This module only wires things up. In a
 * headless run, the extension only writes a record.
 */
export function resume(pi: ExtensionAPI, hub: Hub): void {
	registerFlags(pi, RESUME_FLAGS);
	const permits = createPermits();
	let running: Running | undefined;

	registerBoard(pi, hub, permits);
	registerLive(pi, hub, permits);

	hub.follow("resume", {
		opened(reason, ctx, shared) {
			running = startSoon(pi, ctx, { reason, permits, shared });
			shared.resume = hub.safely("resume", running.port);
			if (!ctx.hasUI) return undefined;
			for (const module of ["./command/run.ts", "./board/command.ts"])
				shared.starts.idle((isOver) => preload(new URL(module, import.meta.url), isOver));
			const card = (keyCtx: ExtensionContext) => {
				const mine = running;
				const isOver = () => running !== mine;
				startWork(keyCtx, async () => (await mine?.loaded())?.interactive?.toggleCard(), {
					name: "recap-card",
					isOver,
				});
			};
			const waiting = (keyCtx: ExtensionContext) => {
				const mine = running;
				const go = async () => (await nextWaiting()).goToNextWaiting(keyCtx);
				startWork(keyCtx, go, { name: "sessions", isOver: () => running !== mine });
			};
			const keys = { card, next: typing("/resume-here"), board: typing("/sessions"), waiting };
			return registerShortcuts(pi, keys);
		},
		closed(reason) {
			const ending = running?.end(reason);
			running = undefined;
			return ending;
		},
		runStarted: () => running?.happened("run_started"),
		settled: () => running?.happened("settled"),
		submitted: () => running?.happened("submitted"),
		moved: () => running?.happened("moved"),
	});

	for (const name of Object.keys(COMMANDS) as CommandName[]) {
		registerOwnCommand(pi, name, {
			description: COMMANDS[name],
			getArgumentCompletions: async (prefix) =>
				(await running?.loaded())?.interactive?.complete(name, prefix) ?? null,
			handler: async (args, ctx) => {
				const mine = running;
				return startWork(ctx, async () => (await mine?.loaded())?.command(name, args, ctx), {
					name,
					isOver: () => running !== mine,
				});
			},
		});
	}
}

/** The extension alone, as a package of its own. */
export default function sessionResume(pi: ExtensionAPI): void {
	resume(pi, createHub(pi));
}
