import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { registerFlags, registerOwnCommand, registerShortcuts } from "../session-core/pi/host/register.ts";
import { type Deferred, lazily, preload, startWork } from "../session-core/pi/host/start-work.ts";
import { type Hub, registerExtensions, SessionPart, type Shared } from "../session-core/pi/hub.ts";
import { background, startTimer } from "../session-core/text/background.ts";
import type { HeadlessRun } from "./headless.ts";
import type { LiveSession } from "./live/session.ts";
import type { CommandName, Happening, ResumeSession } from "./session.ts";

const FLAGS = {
	"card-disable": ["boolean", "No card unless you type /recap-card show"],
} as const;

/**
 * The environment variable that has the same effect as `--card-disable`. Programs that read a terminal
 * pane can set this variable to hide the card.
 */
const CARD_OFF_VARIABLE = "PI_DISABLE_SESSION_CARD";

const COMMANDS: Readonly<Record<CommandName, string>> = {
	"recap-card": "Write, show or edit this session's card (/recap-card --help for more)",
	"resume-here": "Continue with the next step, as an editable prompt (/resume-here --help for more)",
	"resume-from": "Continue from another session or an earlier point (/resume-from --help for more)",
	today: "Show today's work in this project's sessions (/today --help for more)",
};

const board = lazily(() => import("./board/command.ts"));
const forUser = lazily(() => import("./session.ts"));
const headless = lazily(() => import("./headless.ts"));
const commands = lazily(() => import("./command/run.ts"));
const gate = lazily(() => import("./live/gate.ts"));
const liveModule = lazily(() => import("./live/session.ts"));

export function registerResume(pi: ExtensionAPI, hub: Hub): void {
	registerSessions(pi, hub);
	registerHeadless(pi, hub);
	const flags = registerFlags(pi, FLAGS);
	const isCardOff = () => flags()["card-disable"] === true || process.env[CARD_OFF_VARIABLE] === "1";
	const part = new SessionPart<ResumeSession>({
		name: "resume",
		folders: foldersOf("card", "."),
		async load() {
			const { ResumeSession } = await forUser();
			return (ctx, shared) => new ResumeSession(pi, ctx, shared, isCardOff());
		},
	});
	/** True if the user typed something before the extension's code was loaded. */
	let isBegun = false;
	const happened = (what: Happening): void => {
		isBegun = true;
		part.started?.happened(what);
	};
	const typing = (command: string) => (ctx: ExtensionContext) =>
		part.run(ctx, async (session) => session.type(command));

	hub.follow("resume", {
		opened(reason, ctx, shared) {
			isBegun = false;
			part.open(ctx, shared, (session) => {
				shared.starts.add(() => preloadCommands(pi, ctx, shared.over));
				background("resume", async () => {
					session.begin({ reason, isBegun });
					if (process.env["PI_SESSION_SUITE_RESUME"] === undefined) return;
					await (await commands()).followRequest({ session, ctx }, reason);
				});
			});
			if (!ctx.hasUI) return undefined;
			shared.offer({ resume: portOf(part) });
			return registerShortcuts(pi, {
				card: (keyCtx) =>
					part.run(
						keyCtx,
						async (session) => (await commands()).toggleCard({ session, ctx: keyCtx }),
						"recap-card",
					),
				next: typing("/resume-here"),
				board: typing("/sessions"),
				waiting: (keyCtx) => part.run(keyCtx, (session) => session.goToNextWaiting(), "sessions"),
			});
		},
		closed: (why) => part.close(why),
		runStarted: () => happened("run_started"),
		settled: () => happened("settled"),
		submitted: () => happened("submitted"),
		moved: () => happened("moved"),
	});

	for (const name of Object.keys(COMMANDS) as CommandName[]) {
		registerOwnCommand(pi, name, {
			description: COMMANDS[name],
			needsUser: true,
			async getArgumentCompletions(prefix) {
				const session = await part.loaded();
				return session ? (await commands()).complete(session, name, prefix) : null;
			},
			handler: async (args, ctx) =>
				part.run(ctx, async (session) => (await commands()).runCommand(name, args, { session, ctx }), name),
		});
	}
}

function portOf(part: SessionPart<ResumeSession>): Shared["ports"]["resume"] {
	return {
		async claims(stamp) {
			const session = await part.loaded();
			return { claimed: session?.settings().pinCard ?? false, shown: session?.card.stamp === stamp };
		},
		noted: () => part.started?.card.noted(),
		hideCard: () => part.started?.card.hide(),
		clearCard: () => part.started?.clear() ?? false,
		async continueWith(continuation) {
			const session = await part.loaded();
			if (session) await (await commands()).continueHere(session, continuation);
		},
		doctor: async () => part.started && (await commands()).resumeSection(part.started),
	};
}

function foldersOf(...names: readonly string[]): URL[] {
	return names.map((name) => new URL(`./${name}/`, import.meta.url));
}

async function preloadCommands(pi: ExtensionAPI, ctx: ExtensionContext, over: AbortSignal): Promise<void> {
	await preload(foldersOf("command", "board", "leaving"), () => over.aborted);
	const { warmUp } = await board();
	if (!over.aborted) await warmUp({ pi, ctx });
}

/**
 * If a headless run ends before the extension's code is loaded, the code is loaded at the end of the run,
 * so that the run's record can still be written.
 */
function registerHeadless(pi: ExtensionAPI, hub: Hub): void {
	let run: Deferred<HeadlessRun> | undefined;
	// A listener for Ctrl+C replaces the default action, so the listener must end a headless run itself.
	const interrupted = (): void => {
		const again = () => process.kill(process.pid, "SIGINT");
		Promise.resolve(hub.end("closed")).then(again, again);
	};

	hub.follow("resume", {
		opened(_reason, ctx, shared) {
			if (ctx.hasUI) return;
			const leafBefore = ctx.sessionManager.getLeafId();
			const start = async () => {
				const { HeadlessRun } = await headless();
				const started = new HeadlessRun(pi, ctx, shared, leafBefore);
				started.start();
				return started;
			};
			run = shared.starts.add(start);
			process.once("SIGINT", interrupted);
		},
		closed(how) {
			process.off("SIGINT", interrupted);
			const end = () => run?.started?.end(how);
			// Node.js cannot load another module while the process is exiting.
			return how === "exit" ? end() : run?.begin().then(end);
		},
	});
}

/**
 * A lease tells other processes that a session is open, so that they ask the user before they write to the
 * session's file. Sessions without a file have no lease.
 */
export function registerSessions(pi: ExtensionAPI, hub: Hub): void {
	let live: Deferred<LiveSession> | undefined;
	let early: unknown[] | undefined;
	const earlier = (): unknown[] => {
		const messages = early ?? [];
		early = undefined;
		return messages;
	};

	hub.follow("sessions", {
		opened(reason, ctx, shared) {
			early = [];
			// If the lease cannot be acquired, no error is shown, because only other processes are affected.
			const lease = shared.starts.add(
				async () => (await liveModule()).openLive(pi, ctx, { reason, shared, earlier }),
				{ folders: foldersOf("live") },
			);
			live = lease;
			// A headless run writes to its session soon after it starts, so the lease is taken immediately.
			if (!ctx.hasUI) startTimer("sessions", 0, lease.begin);
		},
		closed(how) {
			live?.started?.end(how);
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
		return cancelUnless(() => mayOpen(ctx, path, hub.over), hub.over);
	});
	pi.on("session_before_fork", async (_event, ctx) => {
		if (!ctx.hasUI) return undefined;
		const { mayFork } = await gate();
		return cancelUnless(() => mayFork(ctx), hub.over);
	});

	registerOwnCommand(pi, "sessions", {
		description: "Find, resume, fork or rename sessions, live ones included (/sessions --help for more)",
		getArgumentCompletions: async (prefix) => (await board()).completeSessions(prefix),
		needsUser: true,
		handler: async (args, ctx) => {
			const { over } = hub;
			const work = async () => (await board()).runSessions(args, { pi, ctx, over });
			return startWork(ctx, work, { name: "sessions", over });
		},
	});
}

export async function cancelUnless(
	check: () => Promise<boolean>,
	over: AbortSignal,
): Promise<{ cancel: true } | undefined> {
	try {
		return (await check()) && !over.aborted ? undefined : { cancel: true };
	} catch (error) {
		if (over.aborted) return { cancel: true };
		throw error;
	}
}

export default function sessionResume(pi: ExtensionAPI): void {
	registerExtensions(pi, import.meta.url, { "session-resume": registerResume });
}
