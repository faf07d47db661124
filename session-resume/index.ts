import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { EndReason, StartReason } from "../session-core/pi/host/host-events.ts";
import { registerFlags, registerOwnCommand, registerShortcuts } from "../session-core/pi/host/register.ts";
import { type Deferred, isStale, lazily, startWork } from "../session-core/pi/host/start-work.ts";
import { type Hub, registerExtensions, type Shared } from "../session-core/pi/hub.ts";
import type { startHeadless } from "./headless.ts";
import type { LiveSession } from "./live/session.ts";
import type { CommandName, Happening } from "./session.ts";
import type { startResume } from "./start.ts";

const FLAGS = {
	"card-disable": ["boolean", "No card unless you type /recap-card show"],
} as const;

/** This variable has the same effect as `--card-disable`. Programs that read a terminal pane can set it to hide the card. */
const CARD_OFF_VARIABLE = "PI_DISABLE_SESSION_CARD";

const COMMANDS: Readonly<Record<CommandName, string>> = {
	"recap-card": "Write, show or edit this session's card (/recap-card --help for more)",
	"resume-here": "Continue with the next step, as an editable prompt (/resume-here --help for more)",
	"resume-from": "Continue from another session or an earlier point (/resume-from --help for more)",
	today: "Show what this project's sessions have done today (/today --help for more)",
};

const board = lazily(() => import("./board/command.ts"));
const forUser = lazily(() => import("./start.ts"));
const headless = lazily(() => import("./headless.ts"));
const liveModule = lazily(() => import("./live/session.ts"));

/** This module only connects the parts of session-resume to the host. In a headless run, the extension only writes a record. */
export function registerResume(pi: ExtensionAPI, hub: Hub): void {
	const flags = registerFlags(pi, FLAGS);
	let running: Running | undefined;

	function work(name: string, ctx: ExtensionContext, run: (started: Interactive) => Promise<void> | void) {
		const mine = running;
		const act = async () => {
			const started = await mine?.loaded();
			if (started) await run(started);
		};
		return startWork(ctx, act, { name, isOver: () => running !== mine });
	}

	const typing =
		(command: string) =>
		async ({ ui }: ExtensionContext) => {
			const { submitCommand } = await forUser();
			if (!submitCommand(ui, command))
				ui.notify(`resume: this key does not work here. Type ${command}.`, "warning");
		};

	registerSessions(pi, hub);

	hub.follow("resume", {
		opened(reason, ctx, shared) {
			const isCardOff = flags()["card-disable"] === true || process.env[CARD_OFF_VARIABLE] === "1";
			running = startSoon(pi, ctx, { reason, shared, isCardOff });
			if (!ctx.hasUI) return undefined;
			return registerShortcuts(pi, {
				card: (keyCtx) => void work("recap-card", keyCtx, (started) => started.toggleCard()),
				next: typing("/resume-here"),
				board: typing("/sessions"),
				waiting: (keyCtx) => void work("sessions", keyCtx, (started) => started.goToNextWaiting()),
			});
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
			needsUser: true,
			getArgumentCompletions: async (prefix) => (await running?.loaded())?.complete(name, prefix) ?? null,
			handler: async (args, ctx) => work(name, ctx, (started) => started.command(name, args, ctx)),
		});
	}
}

async function preloadCommands(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	isOver: () => boolean,
): Promise<void> {
	const { preload } = await forUser();
	for (const module of ["./command/run.ts", "./board/command.ts"])
		await preload(new URL(module, import.meta.url), isOver);
	const { warmUp } = await board();
	if (!isOver()) await warmUp(pi, ctx);
}

type Headless = Awaited<ReturnType<typeof startHeadless>>;
type Interactive = Awaited<ReturnType<typeof startResume>>;
type Running = ReturnType<typeof startSoon>;

function startSoon(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	{ reason, shared, isCardOff }: { reason: StartReason; shared: Shared; isCardOff: boolean },
) {
	const { hasUI } = ctx;
	const leafBefore = hasUI ? null : ctx.sessionManager.getLeafId();
	let isBegun = false;
	const later = shared.starts.add<Headless | Interactive>(
		async (isOver) => {
			if (!hasUI) return (await headless()).startHeadless(pi, ctx, leafBefore);
			const { startResume } = await forUser();
			shared.starts.add((isOver) => preloadCommands(pi, ctx, isOver));
			return isOver() ? undefined : startResume(pi, ctx, { reason, shared, isCardOff, isBegun });
		},
		{
			module: new URL(hasUI ? "./start.ts" : "./headless.ts", import.meta.url),
			failed: (why) => ctx.ui.notify(`resume: cannot start (${why}). Reinstall the package.`, "warning"),
		},
	);
	const started = () => (later.started && "session" in later.started ? later.started : undefined);
	const loaded = async () => {
		await later.begin();
		return started();
	};
	/** The record of a headless run must be written even if the run ends before the extension is loaded. */
	const endHeadless = (why: EndReason) => later.begin().then(() => later.started?.end(why));
	// SIGHUP ends the host without a `session_shutdown` event, so only synchronous writes are completed.
	const exiting = () => later.started?.end("quit");
	// Without a listener, Ctrl+C ends a headless run immediately. A listener replaces that behavior, so it must end the run itself.
	const interrupted = () => {
		const again = () => process.kill(process.pid, "SIGINT");
		endHeadless("quit").then(again, again);
	};
	process.once("exit", exiting);
	if (!hasUI) process.once("SIGINT", interrupted);
	const resume: Shared["ports"]["resume"] = {
		get isDamaged() {
			return started()?.session.isDamaged ?? false;
		},
		async claims(stamp) {
			const session = (await loaded())?.session;
			return { claimed: session?.claims() ?? false, shown: session?.card.stamp === stamp };
		},
		noted: () => started()?.session.card.noted(),
		hideCard: () => started()?.session.card.hide(),
		clearCard: () => started()?.session.clear() ?? false,
		continueWith: async (continuation) => (await loaded())?.continueWith(continuation),
		doctor: async () => started()?.doctor(),
	};
	shared.offer({ resume });
	return {
		loaded,
		happened(what: Happening) {
			isBegun = true;
			started()?.session.happened(what);
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

/**
 * A lease shows other processes that this session is open, so that they ask the user before they write to its file. A session that is not
 * saved has no lease.
 */
export function registerSessions(pi: ExtensionAPI, hub: Hub): void {
	const over = new AbortController();
	const { signal } = over;
	/** `LiveSession` reads the session's state when it starts, so events that arrive before its code is loaded can be dropped. */
	let live: Deferred<LiveSession> | undefined;
	let early: unknown[] | undefined;

	hub.follow("sessions", {
		opened(reason, ctx, shared) {
			early = [];
			// If the lease cannot be taken, only other processes are affected, so no message is shown.
			const lease = shared.starts.add(
				async (isOver) => {
					const { openLive } = await liveModule();
					const { Attention } = (ctx.hasUI && (await forUser())) || {};
					if (isOver()) return undefined;
					const earlier = early ?? [];
					early = undefined;
					const attention = Attention && new Attention(pi, ctx, shared);
					return openLive(ctx, { reason, shared, attention, earlier });
				},
				{ module: new URL(ctx.hasUI ? "./start.ts" : "./live/session.ts", import.meta.url) },
			);
			live = lease;
			// A headless run soon writes to its session, so it takes the lease immediately.
			if (!ctx.hasUI) setTimeout(lease.begin);
		},
		closed() {
			over.abort();
			live?.started?.end();
			live = undefined;
		},
		runStarted: () => live?.started?.dispatch({ type: "run_started" }),
		turnEnded: (messages) => void (early ? early.push(...messages) : live?.started?.turnEnded(messages)),
		settled: (outcome) => live?.started?.settled(outcome),
		renamed: () => live?.started?.renamed(),
		submitted: () => live?.started?.submitted(),
		dialog: (isOpen, title) => live?.started?.dispatch({ type: "dialog", isOpen, title }),
	});

	pi.on("session_before_switch", async ({ reason, targetSessionFile: path }, ctx) => {
		if (reason !== "resume" || path === undefined || !ctx.hasUI) return undefined;
		const { mayOpen } = await forUser();
		return cancelUnless(() => mayOpen(ctx, path, signal), ctx);
	});
	pi.on("session_before_fork", async (_event, ctx) => {
		if (!ctx.hasUI) return undefined;
		const { mayFork } = await forUser();
		return cancelUnless(() => mayFork(ctx), ctx);
	});

	registerOwnCommand(pi, "sessions", {
		description: "Find, resume, fork or rename sessions, live ones included (/sessions --help for more)",
		getArgumentCompletions: async (prefix) => (await board()).completeSessions(prefix),
		needsUser: true,
		handler: async (args, ctx) => {
			const work = async () => (await board()).runSessions(args, { pi, ctx, over: signal });
			return startWork(ctx, work, { name: "sessions", isOver: () => signal.aborted });
		},
	});
}

/** If the session was replaced during the check, its context is no longer valid, and the switch is canceled. */
export async function cancelUnless(
	check: () => Promise<boolean>,
	ctx: Pick<ExtensionContext, "hasUI">,
): Promise<{ cancel: true } | undefined> {
	try {
		return (await check()) && !isStale(ctx) ? undefined : { cancel: true };
	} catch (error) {
		if (isStale(ctx)) return { cancel: true };
		throw error;
	}
}

export default function sessionResume(pi: ExtensionAPI): void {
	registerExtensions(pi, import.meta.url, { "session-resume": registerResume });
}
