import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type {
	DoctorRequested,
	RecapCleared,
	RecapDrafted,
	SessionReopened,
} from "../session-core/extension-bus.ts";
import type { EndReason, StartReason } from "../session-core/host/host-events.ts";
import { lazily } from "../session-core/host/lazily.ts";
import { FIRST_PAINT_MS, startLater } from "../session-core/host/start-work.ts";
import { lastMessageId } from "../session-core/session-file/branch.ts";
import { hostSource } from "../session-core/session-file/entry.ts";
import type { ResumeExtension } from "./context.ts";
import { stopWaiting } from "./instances.ts";
import type { Happening, ResumeSession } from "./session.ts";

/** Controls the extension in one session of the host, from before the extension is loaded until the session ends. */
export interface Running {
	happened(what: Happening): void;
	/** Loads the extension now, unless loading has already begun. Resolves to undefined if the extension could not start. */
	loaded(): Promise<ResumeExtension | undefined>;
	end(reason: EndReason): Promise<void> | undefined;
}

/**
 * Number of milliseconds to wait in a headless run before the extension is loaded, so that the run can send its first request. Loading then
 * causes no delay, because the model is working.
 */
const FIRST_REQUEST_MS = 200;

/** Loads and starts the extension after the host's first paint, so that startup does not wait for a card. */
export function startSoon(pi: ExtensionAPI, ctx: ExtensionContext, reason: StartReason): Running {
	const { hasUI } = ctx;
	const sessionId = ctx.sessionManager.getSessionId();
	/** The id of the last message that was in the session when a headless run began. */
	const lastBefore = hasUI ? undefined : lastMessageId(hostSource(ctx.sessionManager));
	const queued: ((session: ResumeSession) => void)[] = [];
	const later = startLater<ResumeExtension>(
		async (isOver) => {
			if (!hasUI) return (await lazily(() => import("./headless.ts"))).startHeadless(pi, ctx, lastBefore);
			const resume = await (await lazily(() => import("./start.ts"))).startResume(pi, ctx, reason, isOver);
			for (const use of queued.splice(0)) if (resume?.interactive) use(resume.interactive.session);
			return resume;
		},
		{
			afterMs: hasUI ? FIRST_PAINT_MS + 10 : FIRST_REQUEST_MS,
			failed: (why) => ctx.ui.notify(`resume: cannot start (${why}). Reinstall the package.`, "warning"),
		},
	);
	const current = () => later.started?.interactive?.session;
	/** Events are queued until the extension has been loaded. */
	const dispatch = (use: (session: ResumeSession) => void) => {
		const session = current();
		if (session) use(session);
		else if (hasUI) queued.push(use);
	};
	// Only this suite uses these channels, so the payloads have the declared types.
	const stops = [
		pi.events.on("session-suite:reopened", (data) => {
			const offer = data as SessionReopened;
			const answer = () => {
				offer.claimed ||= current()?.claims() ?? false;
				offer.shown ||= current()?.card.shown?.stamp === offer.stamp;
			};
			// Whether a card is shown depends on the settings, which may not have been read yet.
			if (later.started || !hasUI) answer();
			else offer.undecided.push(later.begin().then(answer));
		}),
		pi.events.on("session-suite:recap-drafted", (data) =>
			dispatch((it) => it.card.setDrafted(data as RecapDrafted)),
		),
		pi.events.on("session-suite:recap-cleared", (data) => {
			const request = data as RecapCleared;
			request.cleared ||= current()?.clear() ?? false;
		}),
		pi.events.on("session-suite:doctor", (data) => {
			const answer = later.started?.interactive?.doctor();
			if (answer) (data as DoctorRequested).answers.push(answer);
		}),
		pi.events.on("session-suite:recap-shown", () => dispatch((it) => it.hide())),
	];
	/** A headless run may end before the extension is loaded. Its record must be written in that case, too. */
	const endHeadless = (why: EndReason) => later.begin().then(() => later.started?.end(why));
	// SIGHUP (a closed terminal) ends the host without `session_shutdown`, so only synchronous writes are completed.
	const exiting = () => {
		later.end();
		later.started?.end("quit");
	};
	// Without a listener, Ctrl+C ends a headless run immediately. If there is a listener, the listener has to end the run.
	const interrupted = () => {
		const again = () => process.kill(process.pid, "SIGINT");
		endHeadless("quit").then(again, again);
	};
	process.once("exit", exiting);
	if (!hasUI) process.once("SIGINT", interrupted);

	return {
		happened: (what) => dispatch((it) => it.happened(what)),
		async loaded() {
			await later.begin();
			return later.started;
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
