import type { ExtensionAPI, ExtensionCommandContext, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Completion } from "../session-core/command/options.ts";
import type { DoctorAsked, RecapCleared, RecapDrafted, SessionReopened } from "../session-core/events.ts";
import { lazily } from "../session-core/host/lazily.ts";
import type { EndReason, StartReason } from "../session-core/host/lifecycle.ts";
import { FIRST_PAINT_MS, startLater } from "../session-core/host/start-work.ts";
import { lastMessageId } from "../session-core/session-file/branch.ts";
import { hostSource } from "../session-core/session-file/entry.ts";
import type { CommandName, ResumeExtension } from "./extension.ts";
import { stopWaiting } from "./instances.ts";
import type { Happening } from "./session.ts";

/** The extension in one session of the host from before it is loaded until the instance ends. */
export interface Running {
	happened(what: Happening): void;
	command(name: CommandName, args: string, ctx: ExtensionCommandContext): Promise<void>;
	toggleCard(): Promise<void>;
	complete(name: CommandName, prefix: string): Promise<Completion[] | null>;
	end(reason: EndReason): Promise<void> | undefined;
}

/** Time for a headless run to send its first request, in ms; while the model thinks, nobody waits for us. */
const FIRST_REQUEST_MS = 200;

/** Load and start after the host's first paint: nobody waits at start-up for a card to be ready. */
export function startSoon(pi: ExtensionAPI, ctx: ExtensionContext, reason: StartReason): Running {
	const { hasUI } = ctx;
	const sessionId = ctx.sessionManager.getSessionId();
	/** What a headless run finds in its session before it says anything. */
	const saidBefore = hasUI ? undefined : lastMessageId(hostSource(ctx.sessionManager));
	const unheard: ((resume: ResumeExtension) => void)[] = [];
	const later = startLater<ResumeExtension>(
		async (isOver) => {
			const resume = hasUI
				? await (await lazily(() => import("./start.ts"))).startResume(pi, ctx, reason, isOver)
				: await (await lazily(() => import("./headless.ts"))).startHeadless(pi, ctx, saidBefore);
			for (const use of unheard.splice(0)) if (resume) use(resume);
			return resume;
		},
		{
			afterMs: hasUI ? FIRST_PAINT_MS + 10 : FIRST_REQUEST_MS,
			failed: (why) => ctx.ui.notify(`resume: cannot start (${why}). Reinstall the package.`, "warning"),
		},
	);
	/** What happens before it is loaded is told to it then. */
	const tell = (use: (resume: ResumeExtension) => void) => {
		if (later.started) use(later.started);
		else unheard.push(use);
	};
	// Only this suite sends on these channels, with these payloads.
	const stops = [
		pi.events.on("session-suite:reopened", (data) => {
			const offer = data as SessionReopened;
			const answer = () => {
				offer.claimed ||= later.started?.claims() ?? false;
				offer.shown ||= later.started?.shows(offer.stamp) ?? false;
			};
			// The settings decide, and they may not be read yet.
			if (later.started || !hasUI) answer();
			else offer.undecided.push(later.begin().then(answer));
		}),
		pi.events.on("session-suite:recap-drafted", (data) => tell((it) => it.drafted(data as RecapDrafted))),
		pi.events.on("session-suite:recap-cleared", (data) => {
			const wish = data as RecapCleared;
			wish.cleared ||= later.started?.clear() ?? false;
		}),
		pi.events.on("session-suite:doctor", (data) => {
			const answer = later.started?.doctor();
			if (answer) (data as DoctorAsked).answers.push(answer);
		}),
		pi.events.on("session-suite:recap-shown", () => tell((it) => it.recapShown())),
	];
	/** A headless run may be over before this is loaded, and its record is why it is loaded at all. */
	const endHeadless = (why: EndReason) => later.begin().then(() => later.started?.end(why));
	// A terminal that is closed (SIGHUP) ends the host without `session_shutdown`: only what is written at once is written.
	const exiting = () => {
		later.end();
		later.started?.end("quit");
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
			await later.begin();
			await later.started?.command(name, args, commandCtx);
		},
		async toggleCard() {
			await later.begin();
			await later.started?.toggleCard();
		},
		async complete(name, prefix) {
			await later.begin();
			return later.started?.complete(name, prefix) ?? null;
		},
		end(why) {
			later.end();
			stopWaiting(sessionId);
			for (const stop of stops) stop();
			process.off("exit", exiting);
			process.off("SIGINT", interrupted);
			if (!later.started && !hasUI) return endHeadless(why);
			later.started?.end(why);
			return undefined;
		},
	};
}
