import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { DoctorAsked } from "../session-core/events.ts";
import { registerFlags } from "../session-core/flags.ts";
import { endedInError, onNewerEvent } from "../session-core/host/events.ts";
import { lazily } from "../session-core/lazily.ts";
import { loadedBytes } from "../session-core/naming/loaded-bytes.ts";
import { startWork } from "../session-core/start-work.ts";
import { TITLE_FLAGS } from "./config/flags.ts";
import type { TitleExtension } from "./start.ts";

/**
 * session-title: sessions that name themselves, and never overwrite a name that a person chose.
 * Wiring only. Everything else is loaded when the agent first starts to work, which hides the time that it takes, or
 * when `/rename` is typed: the host's start costs nothing.
 */
export default function sessionTitle(pi: ExtensionAPI): void {
	let starting: Promise<TitleExtension | undefined> | undefined;
	let title: TitleExtension | undefined;
	let isOver = false;
	let loaded = 0;
	let current: ExtensionContext | undefined;

	registerFlags(pi, TITLE_FLAGS);

	const start = async (ctx: ExtensionContext): Promise<TitleExtension | undefined> => {
		const { startTitle } = await lazily(() => import("./start.ts"));
		title = await startTitle(pi, ctx, { loaded, isOver: () => isOver });
		return title;
	};

	pi.on("session_start", ({ reason }, ctx) => {
		current = ctx;
		const { sessionManager } = ctx;
		// A reload keeps what the host loaded long ago; others may have written since.
		if (reason === "reload") return;
		loaded = loadedBytes(sessionManager.getSessionFile(), sessionManager.getLeafId());
	});
	// Only this suite sends on this channel, with this payload.
	const stopHearing = pi.events.on("session-suite:doctor", (data) => {
		const { answers } = data as DoctorAsked;
		if (current?.hasUI) answers.push(doctor(current));
	});
	const doctor = async (ctx: ExtensionContext) => {
		starting ??= start(ctx);
		const running = await starting;
		if (!running) throw new Error("the session is over");
		return running.doctor();
	};

	pi.on("session_shutdown", () => {
		stopHearing();
		isOver = true;
		title?.end();
		title = undefined;
	});

	pi.on("agent_start", (_event, ctx) => {
		title?.session.runStarted();
		if (!ctx.hasUI || starting) return;
		starting = start(ctx);
		// That it cannot be loaded is only said to those who type a command.
		starting.catch(() => undefined);
	});
	pi.on("agent_end", async (event) => {
		const running = await starting?.catch(() => undefined);
		running?.session.runEnded({ failed: endedInError(event.messages) });
	});
	pi.on("input", () => title?.session.submitted());
	pi.on("user_bash", () => title?.session.submitted());
	// Hosts from 0.86 on send these two; older ones never do.
	onNewerEvent(pi, "agent_settled", () => title?.session.runOver());
	onNewerEvent(pi, "session_info_changed", () => title?.session.renamed());

	pi.registerCommand("rename", {
		description: "Name this session (/rename --help for more)",
		getArgumentCompletions: async (prefix) =>
			(await lazily(() => import("./command/parse.ts"))).completeCommand(prefix),
		handler: async (args, ctx) => {
			if (!ctx.hasUI) {
				const { printRename } = await lazily(() => import("./print.ts"));
				return printRename(pi, ctx, { loaded, isOver: () => isOver }, args);
			}
			starting ??= start(ctx);
			const started = starting;
			const work = async () => (await started)?.command(args);
			return startWork(ctx, work, { name: "rename", isOver: () => isOver });
		},
	});
}
