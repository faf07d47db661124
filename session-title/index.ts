import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { DoctorRequested } from "../session-core/extension-bus.ts";
import { followSession } from "../session-core/host/host-events.ts";
import { lazily } from "../session-core/host/lazily.ts";
import { registerOwnCommand } from "../session-core/host/own-command.ts";
import { isStale, startWork } from "../session-core/host/start-work.ts";
import { loadedBytes } from "../session-core/session-file/leaf.ts";
import { registerFlags } from "../session-core/settings/flags.ts";
import { TITLE_FLAGS } from "./config.ts";
import type { TitleSession } from "./session.ts";

const load = () => lazily(() => import("./start.ts"));

/**
 * session-title names each session once and never overwrites a name that a person chose. This module only wires things up. Everything
 * else is loaded during the agent's first run, which hides the loading time, or when `/rename` is typed, so the host's startup is not
 * delayed.
 */
export default function sessionTitle(pi: ExtensionAPI): void {
	let starting: Promise<TitleSession | undefined> | undefined;
	let title: TitleSession | undefined;
	let isOver = false;
	let loaded = 0;
	let current: ExtensionContext | undefined;

	registerFlags(pi, TITLE_FLAGS);

	const start = async (ctx: ExtensionContext): Promise<TitleSession | undefined> => {
		const { startTitle } = await load();
		title = await startTitle(pi, ctx, { loaded, isOver: () => isOver });
		return title;
	};

	// Only this suite uses this channel, so the payload always has the declared type.
	const stopHearing = pi.events.on("session-suite:doctor", (data) => {
		const { answers } = data as DoctorRequested;
		if (current?.hasUI) answers.push(doctor(current));
	});
	const doctor = async (ctx: ExtensionContext) => {
		starting ??= start(ctx);
		const running = await starting;
		if (!running) throw new Error("the session has ended");
		return running.doctor();
	};

	followSession(pi, {
		opened(reason, ctx) {
			current = ctx;
			const { sessionManager } = ctx;
			// After a reload, the entries are still in memory, but other processes may have written to the file, so the loaded size is
			// unknown.
			if (reason === "reload") return;
			loaded = loadedBytes(sessionManager.getSessionFile(), sessionManager.getLeafId());
		},
		closed() {
			stopHearing();
			isOver = true;
			title?.end();
			title = undefined;
		},
		runStarted(ctx) {
			if (ctx.hasUI) starting ??= start(ctx);
			// A failure to load is reported only for a typed command.
			starting?.catch(() => undefined);
		},
		// If the provider failed for the agent, it would fail for a title, too.
		settled: (outcome) => {
			if (outcome !== "failed")
				starting?.then(
					(running) => running?.settled(),
					() => undefined,
				);
		},
		submitted: () => title?.submitted(),
		renamed: () => title?.renamed(),
	});

	registerOwnCommand(pi, "rename", {
		description: "Name this session (/rename --help for more)",
		getArgumentCompletions: async (prefix) => (await load()).completeCommand(prefix),
		handler: async (args, ctx) => {
			if (isStale(ctx)) return;
			if (!ctx.hasUI) {
				const { printRename } = await load();
				return printRename(pi, ctx, { loaded, isOver: () => isOver }, args);
			}
			starting ??= start(ctx);
			const started = starting;
			const work = async () => (await started)?.command(args);
			return startWork(ctx, work, { name: "rename", isOver: () => isOver });
		},
	});
}
