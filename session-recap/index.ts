import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	type FlagTable,
	registerFlags,
	registerOwnCommand,
	registerShortcuts,
} from "../session-core/pi/host/register.ts";
import { type Deferred, lazily, startWork } from "../session-core/pi/host/start-work.ts";
import { type Hub, registerExtensions, type Shared } from "../session-core/pi/hub.ts";
import type { RecapSession } from "./session.ts";

export const RECAP_FLAGS = {
	"recap-model": [
		"string",
		"Model for recaps, as provider/id (default: recap.model, fastModel, /recap model, the cheapest in your model list, the active model)",
	],
	"recap-away-seconds": ["string", "Recap when you return after this long (default: 90)"],
	"recap-focus-min-seconds": [
		"string",
		"Recap when the agent finished while you were away at least this long (default: 3)",
	],
	"recap-idle-seconds": ["string", "Recap after this long without input or keystrokes (default: 120)"],
	"recap-disable-focus": ["boolean", "Do not ask the terminal for focus reports; only the idle time counts"],
	"recap-disable": ["boolean", "No recaps unless you type /recap"],
} satisfies FlagTable;

const load = lazily(() => import("./command.ts"));

/** This module only connects session-recap to the host. In print and JSON mode, there is no user, so only `/recap` has an effect. */
export function recap(pi: ExtensionAPI, hub: Hub): void {
	let running: Deferred<RecapSession> | undefined;
	let shared: Shared | undefined;

	const flags = registerFlags(pi, RECAP_FLAGS);

	/** The extension inspects the session when it starts, so it can ignore earlier events. */
	const dispatch = (type: "run_start" | "settled" | "submit") =>
		running?.started?.presence.dispatch({ type });
	const run = (ctx: ExtensionContext, argsOf: (recap: RecapSession) => string) => {
		const mine = running;
		const work = async () => {
			await mine?.begin();
			if (mine?.started) await (await load()).runRecap(argsOf(mine.started), mine.started);
		};
		return startWork(ctx, work, { name: "recap", isOver: () => running !== mine });
	};

	hub.follow("recap", {
		opened(reason, ctx, opened) {
			shared = opened;
			if (!ctx.hasUI) return undefined;
			const mine = opened.starts.add(
				async (isOver) => {
					const { RecapSession } = await load();
					if (isOver()) return undefined;
					const started = new RecapSession(pi, ctx, opened, flags());
					opened.offer({ recap: started });
					void started.begin(reason);
					return started;
				},
				{
					module: new URL("./command.ts", import.meta.url),
					failed: (why) => ctx.ui.notify(`recap: cannot start (${why}). Reinstall the package.`, "warning"),
				},
			);
			running = mine;
			return registerShortcuts(pi, {
				recap: (keyCtx) => void run(keyCtx, ({ isShown }) => (isShown ? "clear" : "")),
			});
		},
		closed() {
			running?.started?.end();
			running = undefined;
		},
		runStarted: () => dispatch("run_start"),
		settled: () => dispatch("settled"),
		submitted: () => dispatch("submit"),
		moved: () => dispatch("submit"),
	});

	registerOwnCommand(pi, "recap", {
		description: "Show a recap of this session (/recap --help for more)",
		getArgumentCompletions: async (prefix) => (await load()).completeRecap(prefix),
		handler: async (args, ctx) => {
			if (ctx.hasUI) return run(ctx, () => args);
			const { printMode, RecapSession, runRecap } = await load();
			const mine = shared;
			if (!mine) return;
			await printMode(
				ctx,
				(printing) => new RecapSession(pi, printing, mine, flags()),
				(started) => runRecap(args, started),
			);
		},
	});
}

export default function sessionRecap(pi: ExtensionAPI): void {
	registerExtensions(pi, import.meta.url, { "session-recap": recap });
}
