import type { ExtensionAPI, ExtensionCommandContext, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { EndReason, StartReason } from "../session-core/host/host-events.ts";
import { lazily } from "../session-core/host/lazily.ts";
import type { ResumePort, Shared } from "../session-core/hub/shared.ts";
import type { startHeadless } from "./headless.ts";
import type { CommandName, Happening, ResumeSession } from "./session.ts";
import type { startResume } from "./start.ts";

type Headless = Awaited<ReturnType<typeof startHeadless>>;
type Interactive = NonNullable<Awaited<ReturnType<typeof startResume>>>;

export type Running = ReturnType<typeof startSoon>;

/**
 * Loads and starts the extension after the host's first paint, so that startup does not wait for a card. Returns what controls it in this
 * session of the host, from before it is loaded until the session ends.
 */
export function startSoon(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	options: { reason: StartReason; shared: Shared; isCardOff: boolean },
) {
	const { shared } = options;
	const { hasUI } = ctx;
	/** The leaf when a headless run began. */
	const leafBefore = hasUI ? null : ctx.sessionManager.getLeafId();
	const queued: ((session: ResumeSession) => void)[] = [];
	const later = shared.starts.add<Headless | Interactive>(
		async (isOver) => {
			if (!hasUI) return (await lazily(() => import("./headless.ts"))).startHeadless(pi, ctx, leafBefore);
			const { startResume } = await lazily(() => import("./start.ts"));
			const resume = await startResume(pi, ctx, { ...options, isOver });
			for (const use of queued.splice(0)) if (resume) use(resume.session);
			return resume;
		},
		(why) => ctx.ui.notify(`resume: cannot start (${why}). Reinstall the package.`, "warning"),
	);
	/** Undefined in a headless run, and until the extension has been loaded. */
	const started = () => (later.started && "session" in later.started ? later.started : undefined);
	/** Loads the extension now, unless loading has already begun. Resolves to undefined if it could not start or has no user. */
	const loaded = async () => {
		await later.begin();
		return started();
	};
	/** Events are queued until the extension has been loaded. */
	const dispatch = (use: (session: ResumeSession) => void) => {
		const session = started()?.session;
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
	shared.sections.push(() => started()?.doctor());

	const port: ResumePort = {
		async claims(stamp) {
			const session = (await loaded())?.session;
			return { claimed: session?.claims() ?? false, shown: session?.card.shown?.stamp === stamp };
		},
		drafted: (recap) => dispatch((it) => it.card.setDrafted(recap)),
		giveWay: () => dispatch((it) => it.hide()),
		clear: () => started()?.session.clear() ?? false,
		goOn: async (continuation) => (await loaded())?.goOn(continuation),
		keepTyped: async (text, filled) => (await loaded())?.keepTyped(text, filled),
	};
	return {
		port,
		loaded,
		happened: (what: Happening) => dispatch((it) => it.happened(what)),
		async command(name: CommandName, args: string, commandCtx: ExtensionCommandContext): Promise<void> {
			await later.begin();
			await later.started?.command(name, args, commandCtx);
		},
		end(why: EndReason): Promise<void> | undefined {
			process.off("exit", exiting);
			process.off("SIGINT", interrupted);
			if (!later.started && !hasUI) return endHeadless(why);
			later.started?.end(why);
			return undefined;
		},
	};
}
