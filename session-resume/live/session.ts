import { statSync } from "node:fs";
import { isatty } from "node:tty";
import { readDoing } from "../../session-core/log/timeline/index.ts";
import {
	type ExtensionContext,
	getAgentDir,
	isInTerminal,
	promptIsReady,
	type RunOutcome,
	type StartReason,
} from "../../session-core/pi/host/index.ts";
import type { Shared } from "../../session-core/pi/index.ts";
import { HEARTBEAT_MS, LeaseHolder, liveFolder, openInbox } from "../../session-core/sessions/live/index.ts";
import { shownLine } from "../../session-core/text/index.ts";
import type { Attention } from "./attention.ts";
import { createBell } from "./bell.ts";
import { hold, letGo, otherWriter } from "./leases.ts";
import { createOverlapping } from "./overlapping.ts";
import { isNews, type LiveEvent, stepLive, UNOPENED } from "./step.ts";

export type LiveSession = NonNullable<ReturnType<typeof openLive>>;

interface LiveDeps {
	reason: StartReason;
	shared: Shared;
	/** Undefined in a headless run. It has no user to wait for and ends immediately, so its conversation is not read. */
	attention: Attention | undefined;
}

/**
 * Takes the lease on a session, and asks the user what to do if another process already has a lease on it. If a command opened the session
 * from within pi, the user has already been asked. Returns undefined for a session that is not saved.
 */
export function openLive(ctx: ExtensionContext, { reason, shared, attention }: LiveDeps) {
	const agentDir = getAgentDir();
	const sessionId = ctx.sessionManager.getSessionId();
	promptIsReady(sessionId);
	const file = ctx.sessionManager.getSessionFile();
	if (file === undefined) return undefined;
	const isInteractive = isInTerminal(ctx);
	const session = { sessionId, sessionFile: file, cwd: ctx.cwd, isInteractive };
	const holder = new LeaseHolder(agentDir, session, "idle", Date.now());
	const over = new AbortController();
	let live = UNOPENED;
	let sizeLooked = sizeNow();
	hold(holder.instance);
	// The timer does not keep the process alive. In an idle process, it costs two system calls a minute.
	const heartbeat = setInterval(() => {
		holder.beat(Date.now());
		lookForName();
		// Hosts before 0.86 do not report that `/name` has renamed the session and set the title again.
		showTitle();
	}, HEARTBEAT_MS).unref();
	/** Only session-recap knows whether the user is looking at the terminal. Without it, the answer is no. */
	const looksForMs = () => shared.recap?.looksForMs() ?? 0;
	const showTitle = () => attention?.title(live.state);
	let stopListening: (() => void) | undefined;
	const answering = attention?.answering(() => live.isRunning);
	let closeInbox: (() => void) | undefined;

	const overlapping = createOverlapping({
		agentDir,
		instance: holder.instance,
		cwd: ctx.cwd,
		ui: isInteractive ? ctx.ui : undefined,
		isOn: () => attention?.warnsOfOverlaps() ?? true,
	});
	const bell = createBell({
		looksForMs,
		ring: (body) => void attention?.notify(body, isOver).catch(ignored),
	});
	/** Whether a notification that is about to be shown is outdated. */
	const isOver = () => over.signal.aborted || live.state === "working" || looksForMs() > 0;
	let steps = 0;

	const release = (isLost: boolean): void => {
		if (over.signal.aborted) return;
		over.abort();
		clearInterval(heartbeat);
		stopListening?.();
		bell.cancel();
		overlapping.end();
		attention?.title("idle");
		letGo(holder.instance);
		holder.release(isLost);
		// The inbox is closed last: a session without a lease counts as closed, but one with a lease and no inbox would count as unreachable.
		closeInbox?.();
	};
	/** Called when the process ends although the host has not closed the session. */
	const lose = (): void => release(true);

	function dispatch(event: LiveEvent): void {
		if (over.signal.aborted) return;
		const before = live;
		live = stepLive(before, event);
		if (event.type === "run_started") {
			shared.elsewhere = undefined;
			shared.question = undefined;
			answering?.runStarted();
			bell.cancel();
			steps = 0;
		}
		// If the lease cannot be written, other processes do not see the state. That is harmless here, so no message is shown.
		if (live.state !== before.state) {
			const isOpened = event.type === "dialog" && event.isOpen;
			const dialog = isOpened ? { dialog: shownLine(event.title ?? "") || "A dialog is open" } : {};
			holder.update(live.state, Date.now(), dialog);
			showTitle();
		}
		if (event.type === "dialog" && isNews(before, live)) bell.announce({ body: ASKS, isDialog: true });
		else if (event.type === "dialog" && !event.isOpen) bell.cancel();
		if (live.unseen === undefined) stopListening?.();
		stopListening = live.unseen && (stopListening ?? ctx.ui.onTerminalInput(hearKey));
	}

	/** While the end of a run is unseen, any key counts as a look at the terminal, because not every terminal reports its focus. */
	function hearKey(data: string): undefined {
		if (isKey(data)) seen();
	}

	function seen(): void {
		bell.cancel();
		dispatch({ type: "seen" });
	}

	function sizeNow(): number {
		return statSync(session.sessionFile, { throwIfNoEntry: false })?.size ?? 0;
	}

	function lookForName(): void {
		const size = sizeNow();
		if (size === sizeLooked || over.signal.aborted) return;
		sizeLooked = size;
		attention?.takeName();
	}

	function settled(outcome: RunOutcome, isSeen: boolean): void {
		dispatch({ type: "settled", outcome, isSeen, isAsked: attention?.isAsked() ?? false });
	}

	/** Called when a run has ended. Notifies the user if they are not looking, or turn out not to have been looking. */
	function runEnded(outcome: RunOutcome): void {
		// Without a terminal, the output is read by a program, so the end of the run is treated as seen.
		settled(outcome, !isInteractive || looksForMs() > 0);
		if (!isInteractive || outcome === "aborted") return;
		const ended = outcome === "failed" ? "Failed" : "Finished";
		const body = live.state === "waiting" ? ASKS : ended;
		bell.announce({ body, unseen: () => dispatch({ type: "unseen", outcome }) });
	}

	// SIGHUP and crashes end the host without notifying extensions. For SIGTERM, see session-recap/terminal.ts.
	process.on("exit", lose);
	process.on("SIGTERM", lose);
	const other = otherWriter(agentDir, session);
	shared.elsewhere = other?.state;
	if (ctx.isIdle()) {
		holder.claim();
		settled("done", true);
	} else dispatch({ type: "run_started" });
	if (answering)
		closeInbox = openInbox(
			{ agentDir, instance: holder.instance, liveFolder: liveFolder(agentDir) },
			answering.take,
		);
	if (other && reason === "startup")
		shared.question = attention?.greet(other, over.signal).catch(() => {
			// The session ended while the dialog was open.
		});
	return {
		dispatch,
		settled: runEnded,
		turnEnded(messages: readonly unknown[]) {
			const { doing, calls, changed: paths } = readDoing(messages, ctx.cwd);
			const changed = overlapping.add(paths);
			steps += calls;
			holder.report({ ...(doing !== undefined && { doing }), steps, ...(changed && { changed }) });
		},
		renamed: showTitle,
		submitted() {
			bell.submitted();
			answering?.submitted();
			overlapping.submitted();
			lookForName();
		},
		noted: () => dispatch({ type: "noted", isAsked: attention?.isAsked() ?? false }),
		focusReported() {
			lookForName();
			// Looking at a dialog does not answer it.
			if (live.isRunning) dispatch({ type: "seen" });
			else seen();
		},
		end() {
			// Some hosts close the session when its terminal is closed. The terminal's device then fails.
			answering?.end();
			release(isInteractive && !isatty(1));
			process.off("exit", lose);
			process.off("SIGTERM", lose);
		},
	};
}

const ASKS = "Waiting for your answer";

/** If a notification cannot be shown, no error message is shown either. */
const ignored = () => undefined;

/** Whether terminal input is a key or a paste, and not a report from the terminal (mouse, focus, or a response to the host's query). */
function isKey(data: string): boolean {
	return !/^\x1b(?:[\]P_^]|\[[?<>MIO]|\[\d+(?:;\d+)*[Rnty])/.test(data);
}
