import type { ExtensionAPI, ExtensionCommandContext, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Completion } from "../session-core/command/options.ts";
import type { RecapCleared, RecapDrafted, SessionReopened } from "../session-core/events.ts";
import { lazily } from "../session-core/lazily.ts";
import { hostSource } from "../session-core/session/host-source.ts";
import { lastMessageId } from "../session-core/session/stamp.ts";
import type { CommandName, EndReason, ResumeExtension, StartReason } from "./extension.ts";
import type { Happening } from "./session.ts";

/** The extension in one session of the host from before it is loaded until the instance ends. */
export interface Running {
	happened(what: Happening): void;
	command(name: CommandName, args: string, ctx: ExtensionCommandContext): Promise<void>;
	complete(name: CommandName, prefix: string): Promise<Completion[] | null>;
	end(reason: EndReason): Promise<void> | undefined;
}

/** Time for the host to paint its first frames, in ms. Loading is work on the same thread. */
const FIRST_PAINT_MS = 110;

/** Time for a headless run to send its first request, in ms; while the model thinks, nobody waits for us. */
const FIRST_REQUEST_MS = 200;

/** Load and start after the host's first paint: nobody waits at start-up for a card to be ready. */
export function startLater(pi: ExtensionAPI, ctx: ExtensionContext, reason: StartReason): Running {
	const { hasUI } = ctx;
	/** What a headless run finds in its session before it says anything. */
	const saidBefore = hasUI ? undefined : lastMessageId(hostSource(ctx.sessionManager));
	const unheard: ((resume: ResumeExtension) => void)[] = [];
	let resume: ResumeExtension | undefined;
	let isOver = false;

	/** What happens before it is loaded is told to it then. */
	const tell = (use: (resume: ResumeExtension) => void) => {
		if (resume) use(resume);
		else unheard.push(use);
	};
	const start = async () => {
		if (hasUI) {
			const { startResume } = await lazily(() => import("./start.ts"));
			resume = await startResume(pi, ctx, reason, () => isOver);
		} else {
			const { startHeadless } = await lazily(() => import("./headless.ts"));
			resume = await startHeadless(pi, ctx, saidBefore);
		}
		for (const use of unheard.splice(0)) if (resume) use(resume);
	};
	const complain = (error: unknown) => {
		const why = error instanceof Error ? error.message.split("\n", 1)[0] : "unknown error";
		if (!isOver) ctx.ui.notify(`resume: cannot start (${why}). Reinstall the package.`, "warning");
	};
	let started: Promise<void> | undefined;
	const begin = (): Promise<void> => {
		clearTimeout(handle);
		started ??= start().catch(complain);
		return started;
	};
	const handle = setTimeout(begin, hasUI ? FIRST_PAINT_MS : FIRST_REQUEST_MS);
	// Only this suite sends on these channels, with these payloads.
	const stops = [
		pi.events.on("session-suite:reopened", (data) => {
			// Asked before the settings are read, the answer is the default's.
			const offer = data as SessionReopened;
			offer.claimed ||= resume ? resume.claims() : hasUI;
			offer.shown ||= resume?.shows(offer.stamp) ?? false;
		}),
		pi.events.on("session-suite:recap-drafted", (data) => tell((it) => it.drafted(data as RecapDrafted))),
		pi.events.on("session-suite:recap-cleared", (data) => {
			const wish = data as RecapCleared;
			wish.cleared ||= resume?.clear() ?? false;
		}),
		pi.events.on("session-suite:recap-shown", () => tell((it) => it.recapShown())),
	];
	/** A headless run may be over before this is loaded, and its record is why it is loaded at all. */
	const endHeadless = (why: EndReason) => begin().then(() => resume?.end(why));
	// A terminal that is closed (SIGHUP) ends the host without `session_shutdown`: only what is written at once is written.
	const exiting = () => {
		isOver = true;
		resume?.end("quit");
	};
	// Ctrl+C ends a headless run at once where nobody listens. Whoever listens has to end it.
	const interrupted = () => {
		const again = () => process.kill(process.pid, "SIGINT");
		endHeadless("quit").then(again, again);
	};
	process.once("exit", exiting);
	if (!hasUI) process.once("SIGINT", interrupted);

	return {
		happened: (what) => tell((it) => it.happened(what)),
		async command(name, args, commandCtx) {
			await begin();
			await resume?.command(name, args, commandCtx);
		},
		async complete(name, prefix) {
			await begin();
			return resume?.complete(name, prefix) ?? null;
		},
		end(why) {
			isOver = true;
			for (const stop of stops) stop();
			clearTimeout(handle);
			process.off("exit", exiting);
			process.off("SIGINT", interrupted);
			if (!resume && !hasUI) return endHeadless(why);
			resume?.end(why);
			return undefined;
		},
	};
}
