import type { ExtensionAPI, ExtensionCommandContext, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { EndReason, StartReason } from "../session-core/pi/host/host-events.ts";
import { registerFlags, registerOwnCommand, registerShortcuts } from "../session-core/pi/host/register.ts";
import { type Deferred, isStale, lazily, startWork } from "../session-core/pi/host/start-work.ts";
import { type Continuation, type Hub, registerExtensions, type Shared } from "../session-core/pi/hub.ts";
import { background, startTimer } from "../session-core/text/background.ts";
import type { HeadlessRun } from "./headless.ts";
import type { LiveSession } from "./live/session.ts";
import type { CommandName, Happening, ResumeSession } from "./session.ts";

const FLAGS = {
	"card-disable": ["boolean", "No card unless you type /recap-card show"],
} as const;

/**
 * This variable has the same effect as `--card-disable`. Programs that read a terminal pane can set it
 * to hide the card.
 */
const CARD_OFF_VARIABLE = "PI_DISABLE_SESSION_CARD";

const COMMANDS: Readonly<Record<CommandName, string>> = {
	"recap-card": "Write, show or edit this session's card (/recap-card --help for more)",
	"resume-here": "Continue with the next step, as an editable prompt (/resume-here --help for more)",
	"resume-from": "Continue from another session or an earlier point (/resume-from --help for more)",
	today: "Show what this project's sessions have done today (/today --help for more)",
};

const board = lazily(() => import("./board/command.ts"));
const forUser = lazily(() => import("./session.ts"));
const headless = lazily(() => import("./headless.ts"));
const commands = lazily(() => import("./command/run.ts"));
const doctor = lazily(() => import("./command/doctor.ts"));
const requested = lazily(() => import("./command/requested.ts"));
const attending = lazily(() => import("./live/attention.ts"));
const gate = lazily(() => import("./live/gate.ts"));
const liveModule = lazily(() => import("./live/session.ts"));

/**
 * This module only connects the parts of session-resume to the host. In a headless run, the extension
 * only writes a record.
 */
export function registerResume(pi: ExtensionAPI, hub: Hub): void {
	const flags = registerFlags(pi, FLAGS);
	let opened: OpenedSession | undefined;
	function work(name: string, ctx: ExtensionContext, run: (session: OpenedSession) => Promise<void>) {
		const mine = opened;
		const act = async () => mine && run(mine);
		return startWork(ctx, act, { name, isOver: () => opened !== mine });
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
			opened = new OpenedSession(pi, ctx, { reason, shared, isCardOff });
			opened.start();
			if (!ctx.hasUI) return undefined;
			return registerShortcuts(pi, {
				card: (keyCtx) =>
					background("recap-card", () => work("recap-card", keyCtx, (session) => session.toggleCard())),
				next: typing("/resume-here"),
				board: typing("/sessions"),
				waiting: (keyCtx) =>
					background("sessions", () => work("sessions", keyCtx, (session) => session.goToNextWaiting())),
			});
		},
		closed(reason) {
			const ending = opened?.end(reason);
			opened = undefined;
			return ending;
		},
		runStarted: () => opened?.happened("run_started"),
		settled: () => opened?.happened("settled"),
		submitted: () => opened?.happened("submitted"),
		moved: () => opened?.happened("moved"),
	});

	for (const name of Object.keys(COMMANDS) as CommandName[]) {
		registerOwnCommand(pi, name, {
			description: COMMANDS[name],
			needsUser: true,
			getArgumentCompletions: async (prefix) => (await opened?.complete(name, prefix)) ?? null,
			handler: async (args, ctx) => work(name, ctx, (session) => session.command(name, args, ctx)),
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
	if (!isOver()) await warmUp({ pi, ctx });
}

interface Opening {
	reason: StartReason;
	shared: Shared;
	isCardOff: boolean;
}

/** An open session, whose code is loaded after the host's first paint or as soon as it is needed. */
class OpenedSession {
	readonly #pi: ExtensionAPI;
	readonly #ctx: ExtensionContext;
	readonly #opening: Opening;
	readonly #hasUI: boolean;
	readonly #leafBefore: string | null;
	#isBegun = false;
	#part: Deferred<ResumeSession | HeadlessRun> | undefined;

	constructor(pi: ExtensionAPI, ctx: ExtensionContext, opening: Opening) {
		this.#pi = pi;
		this.#ctx = ctx;
		this.#opening = opening;
		this.#hasUI = ctx.hasUI;
		this.#leafBefore = ctx.hasUI ? null : ctx.sessionManager.getLeafId();
	}

	start(): void {
		const { shared } = this.#opening;
		const ctx = this.#ctx;
		this.#part = shared.starts.add<ResumeSession | HeadlessRun>((isOver) => this.#begin(isOver), {
			module: new URL(this.#hasUI ? "./session.ts" : "./headless.ts", import.meta.url),
			failed: (why) => ctx.ui.notify(`resume: cannot start (${why}). Reinstall the package.`, "warning"),
		});
		process.once("exit", this.#exiting);
		if (!this.#hasUI) process.once("SIGINT", this.#interrupted);
		shared.offer({ resume: this });
	}

	get isDamaged(): boolean {
		return this.#session?.isDamaged ?? false;
	}

	async claims(stamp: string): Promise<{ claimed: boolean; shown: boolean }> {
		const session = await this.loaded();
		return { claimed: session?.claims() ?? false, shown: session?.card.stamp === stamp };
	}

	noted(): void {
		this.#session?.card.noted();
	}

	hideCard(): void {
		this.#session?.card.hide();
	}

	clearCard(): boolean {
		return this.#session?.clear() ?? false;
	}

	async continueWith(continuation: Continuation): Promise<void> {
		const session = await this.loaded();
		if (session) await (await commands()).continueHere(session, continuation);
	}

	async doctor() {
		const session = this.#session;
		return session && (await doctor()).resumeSection(session);
	}

	async loaded(): Promise<ResumeSession | undefined> {
		await this.#part?.begin();
		return this.#session;
	}

	async command(name: CommandName, args: string, ctx: ExtensionCommandContext): Promise<void> {
		const session = await this.loaded();
		if (!session) return;
		const { COMMANDS } = await commands();
		session.commons.log("command.run", { command: name });
		await COMMANDS[name].run(args, { session, ctx });
	}

	async complete(name: CommandName, prefix: string) {
		const session = await this.loaded();
		return session && (await commands()).complete(session, name, prefix);
	}

	async toggleCard(): Promise<void> {
		const session = await this.loaded();
		if (session) await (await commands()).runCard(session.card.stamp ? "clear" : "show", { session });
	}

	async goToNextWaiting(): Promise<void> {
		await (await this.loaded())?.goToNextWaiting();
	}

	happened(what: Happening): void {
		this.#isBegun = true;
		this.#session?.happened(what);
	}

	end(why: EndReason): Promise<void> | undefined {
		process.off("exit", this.#exiting);
		process.off("SIGINT", this.#interrupted);
		if (!this.#part?.started && !this.#hasUI) return this.#endHeadless(why);
		this.#part?.started?.end(why);
		return undefined;
	}

	get #session(): ResumeSession | undefined {
		const started = this.#part?.started;
		return started && "card" in started ? started : undefined;
	}

	async #begin(isOver: () => boolean): Promise<ResumeSession | HeadlessRun | undefined> {
		const { shared, isCardOff } = this.#opening;
		if (!this.#hasUI) {
			const { HeadlessRun } = await headless();
			const run = new HeadlessRun(this.#pi, this.#ctx, this.#leafBefore);
			run.start();
			return run;
		}
		const { ResumeSession } = await forUser();
		shared.starts.add((isOver) => preloadCommands(this.#pi, this.#ctx, isOver));
		if (isOver()) return undefined;
		const session = new ResumeSession(this.#pi, this.#ctx, shared, isCardOff);
		background("resume", () => this.#started(session));
		return session;
	}

	async #started(session: ResumeSession): Promise<void> {
		const { reason } = this.#opening;
		await session.start({ reason, isBegun: this.#isBegun });
		// Requests from `pi-sessions resume` are rare, so the code that handles them is loaded only when
		// there is a request.
		if (process.env["PI_SESSION_SUITE_RESUME"] === undefined) return;
		await (await requested()).followRequest(session, reason);
	}

	/**
	 * The record of a headless run must be written even if the run ends before the extension is loaded.
	 */
	async #endHeadless(why: EndReason): Promise<void> {
		await this.#part?.begin();
		this.#part?.started?.end(why);
	}

	// SIGHUP ends the host without a `session_shutdown` event, so only synchronous writes are completed.
	readonly #exiting = (): void => this.#part?.started?.end("quit");

	// Without a listener, Ctrl+C ends a headless run immediately. A listener replaces that behavior, so it
	// must end the run itself.
	readonly #interrupted = (): void => {
		const again = () => process.kill(process.pid, "SIGINT");
		this.#endHeadless("quit").then(again, again);
	};
}

/**
 * A lease shows other processes that this session is open, so that they ask the user before they write
 * to its file. A session that is not saved has no lease.
 */
export function registerSessions(pi: ExtensionAPI, hub: Hub): void {
	const over = new AbortController();
	const { signal } = over;
	/**
	 * `LiveSession` reads the session's state when it starts, so events that arrive before its code is
	 * loaded can be dropped.
	 */
	let live: Deferred<LiveSession> | undefined;
	let early: unknown[] | undefined;

	hub.follow("sessions", {
		opened(reason, ctx, shared) {
			early = [];
			// If the lease cannot be taken, only other processes are affected, so no message is shown.
			const lease = shared.starts.add(
				async (isOver) => {
					const { openLive } = await liveModule();
					const { Attention } = (ctx.hasUI && (await attending())) || {};
					if (isOver()) return undefined;
					const earlier = early ?? [];
					early = undefined;
					const attention = Attention && new Attention(pi, ctx, shared);
					return openLive(ctx, { reason, shared, attention, earlier });
				},
				{ module: new URL(ctx.hasUI ? "./live/attention.ts" : "./live/session.ts", import.meta.url) },
			);
			live = lease;
			// A headless run soon writes to its session, so it takes the lease immediately.
			if (!ctx.hasUI) startTimer("sessions", 0, lease.begin);
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
		const { mayOpen } = await gate();
		return cancelUnless(() => mayOpen(ctx, path, signal), ctx);
	});
	pi.on("session_before_fork", async (_event, ctx) => {
		if (!ctx.hasUI) return undefined;
		const { mayFork } = await gate();
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

/**
 * If the session was replaced during the check, its context is no longer valid, and the switch is
 * canceled.
 */
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
