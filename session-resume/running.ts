import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { EndReason, StartReason } from "../session-core/host/host-events.ts";
import { lazily } from "../session-core/host/lazily.ts";
import type { ResumePort, Shared } from "../session-core/hub/shared.ts";
import type { ResumeExtension } from "./context.ts";
import type { Happening, ResumeSession } from "./session.ts";

/** Controls the extension in one session of the host, from before the extension is loaded until the session ends. */
export interface Running {
	happened(what: Happening): void;
	/** Loads the extension now, unless loading has already begun. Resolves to undefined if the extension could not start. */
	loaded(): Promise<ResumeExtension | undefined>;
	/** What the extension does for others, apart from the lease. */
	port: ResumePort;
	end(reason: EndReason): Promise<void> | undefined;
}

/** Loads and starts the extension after the host's first paint, so that startup does not wait for a card. */
export function startSoon(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	{ reason, shared }: { reason: StartReason; shared: Shared },
): Running {
	const { hasUI } = ctx;
	/** The leaf when a headless run began. */
	const leafBefore = hasUI ? null : ctx.sessionManager.getLeafId();
	const queued: ((session: ResumeSession) => void)[] = [];
	const later = shared.starts.add<ResumeExtension>(
		async (isOver) => {
			if (!hasUI) return (await lazily(() => import("./headless.ts"))).startHeadless(pi, ctx, leafBefore);
			const { startResume } = await lazily(() => import("./start.ts"));
			const resume = await startResume(pi, ctx, { reason, shared, isOver });
			for (const use of queued.splice(0)) if (resume?.interactive) use(resume.interactive.session);
			return resume;
		},
		(why) => ctx.ui.notify(`resume: cannot start (${why}). Reinstall the package.`, "warning"),
	);
	const loaded = async () => {
		await later.begin();
		return later.started;
	};
	const interactive = async () => (await loaded())?.interactive;
	const current = () => later.started?.interactive?.session;
	/** Events are queued until the extension has been loaded. */
	const dispatch = (use: (session: ResumeSession) => void) => {
		const session = current();
		if (session) use(session);
		else if (hasUI) queued.push(use);
	};
	/** A headless run may end before the extension is loaded. Its record must be written in that case, too. */
	const endHeadless = (why: EndReason) => later.begin().then(() => later.started?.end(why));
	// SIGHUP (a closed terminal) ends the host without `session_shutdown`, so only synchronous writes are completed.
	const exiting = () => later.started?.end("quit");
	// Without a listener, Ctrl+C ends a headless run immediately. If there is a listener, the listener has to end the run.
	const interrupted = () => {
		const again = () => process.kill(process.pid, "SIGINT");
		endHeadless("quit").then(again, again);
	};
	process.once("exit", exiting);
	if (!hasUI) process.once("SIGINT", interrupted);
	shared.sections.push(() => later.started?.interactive?.doctor());

	return {
		happened: (what) => dispatch((it) => it.happened(what)),
		loaded,
		port: {
			async claims(stamp) {
				const session = (await interactive())?.session;
				return {
					claimed: session?.claims() ?? false,
					shown: session?.card.shown?.stamp === stamp,
				};
			},
			drafted: (recap) => dispatch((it) => it.card.setDrafted(recap)),
			giveWay: () => dispatch((it) => it.hide()),
			clear: () => current()?.clear() ?? false,
			goOn: async (continuation) => (await interactive())?.goOn(continuation),
			keepTyped: async (text, filled) => (await interactive())?.keepTyped(text, filled),
		},
		end(why) {
			process.off("exit", exiting);
			process.off("SIGINT", interrupted);
			if (!later.started && !hasUI) return endHeadless(why);
			later.started?.end(why);
			return undefined;
		},
	};
}
