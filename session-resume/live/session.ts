import { existsSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { hostSource } from "../../session-core/session/host-source.ts";
import { lastMessageId } from "../../session-core/session/stamp.ts";
import { HEARTBEAT_MS, LeaseHolder } from "../../session-core/store/lease.ts";
import { hostTui } from "../../session-core/terminal/host-tui.ts";
import type { Words } from "../../session-core/words/words.ts";
import { askOnArrival } from "./gate.ts";
import { type NameWatch, watchNames } from "./name-watch.ts";
import { hold, letGo } from "./own.ts";
import { step, UNOPENED } from "./step.ts";
import type { Found, LiveEffect, LiveEvent } from "./types.ts";
import { otherWriter } from "./writers.ts";

export interface LiveDeps {
	pi: Pick<ExtensionAPI, "appendEntry" | "setSessionName" | "events">;
	ctx: ExtensionContext;
	agentDir: string;
	/** How the session began. In-app ways in have been asked about before they were taken. */
	reason: "startup" | "reload" | "new" | "resume" | "fork";
	now(): number;
	/** Loads what looks at the end of a conversation; most of the code, and not needed before something was said. */
	loadLook(): Promise<typeof import("./look.ts").lookAtEnd>;
	/** Loads what gives the session a name that was chosen elsewhere; seldom needed. */
	loadTakeName(): Promise<typeof import("./take-name.ts").takeName>;
	/** The fixed words, in the user's language. */
	loadWords(): Promise<Words>;
	/** Loads what notifies a user who looks elsewhere. */
	loadNotify(): Promise<typeof import("./notify.ts").notifyOfNeed>;
	/** Loads what writes a file anew that was deleted while it was opened; seldom needed. */
	loadBringBack(): Promise<typeof import("./bring-back.ts").bringBack>;
	/** Loads what leads to another process's terminal; seldom needed. */
	loadWayTo(): Promise<typeof import("./go-there.ts").wayTo>;
}

const BROUGHT_BACK =
	"This session was deleted by another pi while it was being opened. Its file is written anew, whole.";

/** This process's claim on the session that it has open. */
export interface LiveSession {
	dispatch(event: LiveEvent): void;
	end(): void;
}

/** Claims the session, and asks the user if another process had it first. Undefined for a session that is not saved. */
export function openLive(deps: LiveDeps): LiveSession | undefined {
	const { ctx, agentDir } = deps;
	const file = ctx.sessionManager.getSessionFile();
	if (file === undefined) return undefined;
	const session = { sessionId: ctx.sessionManager.getSessionId(), sessionFile: file, cwd: ctx.cwd };
	const holder = new LeaseHolder(agentDir, session, "idle", deps.now());
	const source = hostSource(ctx.sessionManager);
	const over = new AbortController();
	let live = UNOPENED;
	let timer: NodeJS.Timeout | undefined;
	let claimed = false;
	let names: NameWatch | undefined;
	hold(holder.instance);
	// Keeps no process alive, and costs an idle one a single system call a minute.
	const heartbeat = setInterval(() => {
		if (claimed) holder.beat(deps.now());
		names?.look();
	}, HEARTBEAT_MS).unref();

	const release = (): void => {
		if (over.signal.aborted) return;
		over.abort();
		clearTimeout(timer);
		clearInterval(heartbeat);
		names?.end();
		letGo(holder.instance);
		holder.release();
	};

	function dispatch(event: LiveEvent): void {
		if (over.signal.aborted) return;
		const { state, effects } = step(live, event);
		live = state;
		for (const effect of effects) perform(effect);
	}

	function perform(effect: LiveEffect): void {
		switch (effect.type) {
			case "write":
				// A lease that cannot be written costs others the sight of this session, nothing else: no noise.
				if (claimed) holder.update(effect.state, deps.now());
				else claim(effect.state);
				break;
			case "arm":
				clearTimeout(timer);
				timer = setTimeout(() => dispatch({ type: "timer" }), effect.ms).unref();
				break;
			case "disarm":
				clearTimeout(timer);
				break;
			case "look":
				look();
				break;
			case "notify":
				notify().catch(() => undefined);
				break;
		}
	}

	function claim(state: typeof live.state): void {
		claimed = true;
		names = watchNames(agentDir, holder.instance, (name) => {
			// Not loaded, not given: who left the name looks whether it came into the file.
			named(name).catch(() => undefined);
		});
		if (state === "idle") holder.claim();
		else holder.update(state, deps.now());
		if (!existsSync(session.sessionFile)) missed().catch(() => undefined);
	}

	/** From here on nobody deletes it; somebody may have, while the host read it. */
	async function missed(): Promise<void> {
		const bringBack = await deps.loadBringBack();
		if (over.signal.aborted || !bringBack(ctx.sessionManager)) return;
		if (ctx.hasUI) ctx.ui.notify(BROUGHT_BACK, "warning");
	}

	async function named(name: string): Promise<void> {
		const takeName = await deps.loadTakeName();
		if (over.signal.aborted) return;
		takeName({ pi: deps.pi, manager: ctx.sessionManager }, name);
	}

	function look(): void {
		const answer = (found: Found) => dispatch({ type: "looked", busy: isBusy(), found });
		// Nobody needs to answer a headless run, and it ends at once.
		if (!ctx.hasUI) {
			answer("idle");
			return;
		}
		deps.loadLook().then(
			(lookAtEnd) => over.signal.aborted || answer(lookAtEnd(source, ctx.cwd)),
			// Session files hold what nobody foresaw; then the state is only less telling.
			() => answer("idle"),
		);
	}

	async function notify(): Promise<void> {
		const notifyOfNeed = await deps.loadNotify();
		const words = await deps.loadWords();
		const isOver = () => over.signal.aborted || live.state !== "needs_you";
		if (isOver()) return;
		await notifyOfNeed({ events: deps.pi.events, ctx, agentDir, env: process.env, words, isOver });
	}

	const isBusy = (): boolean => !ctx.isIdle() || ctx.hasPendingMessages();

	async function greet(): Promise<void> {
		if (deps.reason !== "startup") return;
		const lease = otherWriter(agentDir, session, deps.now());
		if (!lease || !ctx.hasUI) return;
		const wayTo = await deps.loadWayTo();
		const words = await deps.loadWords();
		if (over.signal.aborted) return;
		const { ui } = ctx;
		const isTerminal = hostTui(ui, "session-resume:live") !== undefined;
		const calm = isTerminal && ctx.isIdle() && ui.getEditorText().trim() === "";
		const way = wayTo(agentDir, lease, words);
		await askOnArrival({
			ui,
			lease,
			way,
			words,
			sessionId: session.sessionId,
			now: deps.now(),
			calm,
			signal: over.signal,
		});
	}

	// SIGHUP and crashes end the host without a word to extensions. On SIGTERM a library of the host's (signal-exit, through
	// proper-lockfile) cuts the orderly shutdown short as soon as it is the signal's only listener left, which ours prevents.
	process.on("exit", release);
	process.on("SIGTERM", release);
	dispatch({ type: "opened", past: lastMessageId(source) !== undefined, working: !ctx.isIdle() });
	greet().catch(() => {
		// The session ended under the dialog.
	});
	return {
		dispatch,
		end() {
			release();
			process.off("exit", release);
			process.off("SIGTERM", release);
		},
	};
}
