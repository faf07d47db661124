import { statSync } from "node:fs";
import { isatty } from "node:tty";
import { readDoing } from "../../session-core/log/timeline/index.ts";
import {
	type ExtensionContext,
	getAgentDir,
	isInTerminal,
	promptIsReady,
	type RunOutcome,
	type Shared,
	type StartReason,
} from "../../session-core/pi/index.ts";
import { changesOf, HEARTBEAT_MS, LeaseHolder, openInbox } from "../../session-core/sessions/index.ts";
import { shownLine } from "../../session-core/text/index.ts";
import type { Attention } from "./attention.ts";
import { createBell } from "./bell.ts";
import { otherWriter, ownLeases } from "./leases.ts";
import { createOverlapping } from "./overlapping.ts";
import { isNews, type LiveEvent, stepLive, UNOPENED } from "./step.ts";

interface LiveDeps {
	reason: StartReason;
	shared: Shared;
	/** `attention` is undefined in a headless run, because there is no user to notify. */
	attention: Attention | undefined;
	earlier: readonly unknown[];
}

/** If another process has the session open, the user is asked what to do. A session that is not saved has no lease. */
export function openLive(ctx: ExtensionContext, deps: LiveDeps): LiveSession | undefined {
	promptIsReady(ctx.sessionManager.getSessionId());
	const file = ctx.sessionManager.getSessionFile();
	return file === undefined ? undefined : new LiveSession(ctx, file, deps);
}

export class LiveSession {
	readonly #ctx: ExtensionContext;
	readonly #file: string;
	readonly #shared: Shared;
	readonly #attention: Attention | undefined;
	readonly #isInteractive: boolean;
	readonly #holder: LeaseHolder;
	readonly #over = new AbortController();
	readonly #heartbeat: NodeJS.Timeout;
	readonly #answering: ReturnType<Attention["answering"]>;
	readonly #overlapping: ReturnType<typeof createOverlapping>;
	readonly #bell: ReturnType<typeof createBell>;
	#live = UNOPENED;
	#sizeLooked: number;
	#steps = 0;
	#stopListening: (() => void) | undefined;
	#closeInbox: (() => void) | undefined;

	constructor(ctx: ExtensionContext, file: string, { reason, shared, attention, earlier }: LiveDeps) {
		const agentDir = getAgentDir();
		const sessionId = ctx.sessionManager.getSessionId();
		const isInteractive = isInTerminal(ctx);
		const session = { sessionId, sessionFile: file, cwd: ctx.cwd, isInteractive };
		this.#ctx = ctx;
		this.#file = file;
		this.#shared = shared;
		shared.live = this;
		this.#attention = attention;
		this.#isInteractive = isInteractive;
		this.#holder = new LeaseHolder(agentDir, session, "idle", Date.now());
		const { instance } = this.#holder;
		this.#sizeLooked = sizeOf(file);
		ownLeases.add(instance);
		// The timer does not keep the process alive. In an idle process, it makes two system calls a minute.
		this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
		this.#answering = attention?.answering(() => this.#live.isRunning);
		const isOn = () => attention?.warnsOfOverlaps() ?? true;
		const ui = isInteractive ? ctx.ui : undefined;
		this.#overlapping = createOverlapping({ agentDir, instance, cwd: ctx.cwd, ui, isOn });
		const looksForMs = () => this.#looksForMs();
		const isOutdated = () =>
			this.#over.signal.aborted || this.#live.state === "working" || this.#looksForMs() > 0;
		const ring = (body: string) => void attention?.notify(body, isOutdated).catch(ignored);
		this.#bell = createBell({ looksForMs, ring });
		// SIGHUP and crashes end the host without notifying extensions. For SIGTERM, see session-recap/terminal.ts.
		process.on("exit", this.#lose);
		process.on("SIGTERM", this.#lose);
		const other = otherWriter(agentDir, session);
		shared.elsewhere = other?.state;
		const isIdle = ctx.isIdle();
		if (!isIdle || earlier.length > 0) this.dispatch({ type: "run_started" });
		if (earlier.length > 0) this.turnEnded(earlier);
		if (isIdle) {
			this.#holder.claim();
			this.#settle("done", true);
		}
		if (this.#answering) this.#closeInbox = openInbox(agentDir, instance, this.#answering.take);
		// Changes from before the session was reopened are still reported until they are committed.
		if (attention)
			setImmediate(() => {
				const changed = this.#over.signal.aborted ? undefined : this.#overlapping.add(changesOf(file));
				if (changed) this.#holder.report({ changed });
			});
		if (other && reason === "startup")
			shared.question = attention?.greet(other, this.#over.signal).catch(ignored);
	}

	dispatch(event: LiveEvent): void {
		if (this.#over.signal.aborted) return;
		const before = this.#live;
		const now = stepLive(before, event);
		this.#live = now;
		if (event.type === "run_started") {
			this.#shared.elsewhere = undefined;
			this.#shared.question = undefined;
			this.#answering?.runStarted();
			this.#bell.cancel();
			this.#steps = 0;
		}
		// If the lease cannot be written, other processes do not see the state. This is harmless, so no message is shown.
		if (now.state !== before.state) {
			const isOpened = event.type === "dialog" && event.isOpen;
			const dialog = isOpened ? { dialog: shownLine(event.title ?? "") || "A dialog is open" } : {};
			this.#holder.update(now.state, Date.now(), dialog);
			this.renamed();
		}
		if (event.type === "dialog" && isNews(before, now)) this.#bell.announce({ body: ASKS, isDialog: true });
		else if (event.type === "dialog" && !event.isOpen) this.#bell.cancel();
		if (now.unseen === undefined) this.#stopListening?.();
		// Not every terminal reports its focus, so any key press counts as a look at the terminal.
		const hear = (data: string) => (isKey(data) ? this.#seen() : undefined);
		this.#stopListening = now.unseen && (this.#stopListening ?? this.#ctx.ui.onTerminalInput(hear));
	}

	settled(outcome: RunOutcome): void {
		// Without a terminal, a program reads the output, so the end of the run counts as seen.
		this.#settle(outcome, !this.#isInteractive || this.#looksForMs() > 0);
		if (!this.#isInteractive || outcome === "aborted") return;
		const ended = outcome === "failed" ? "Failed" : "Finished";
		const body = this.#live.state === "waiting" ? ASKS : ended;
		this.#bell.announce({ body, unseen: () => this.dispatch({ type: "unseen", outcome }) });
	}

	turnEnded(messages: readonly unknown[]): void {
		const { doing, calls, changed: paths } = readDoing(messages, this.#ctx.cwd);
		const at = Date.now();
		const changed = this.#overlapping.add(paths.map((path) => ({ path, at })));
		this.#steps += calls;
		const steps = this.#steps;
		this.#holder.report({ ...(doing !== undefined && { doing }), steps, ...(changed && { changed }) });
	}

	renamed(): void {
		this.#attention?.title(this.#live.state);
	}

	submitted(): void {
		this.#bell.submitted();
		this.#answering?.submitted();
		this.#overlapping.submitted();
		this.#lookForName();
	}

	noted(): void {
		this.dispatch({ type: "noted", isAsked: this.#attention?.isAsked() ?? false });
	}

	focusReported(): void {
		this.#lookForName();
		// Looking at a dialog does not answer the dialog.
		if (this.#live.isRunning) this.dispatch({ type: "seen" });
		else this.#seen();
	}

	end(): void {
		this.#answering?.end();
		// Some hosts close the session when its terminal is closed. In that case, stdout is no longer a terminal, and the session counts as lost.
		this.#release(this.#isInteractive && !isatty(1));
		process.off("exit", this.#lose);
		process.off("SIGTERM", this.#lose);
	}

	readonly #lose = (): void => this.#release(true);

	#release(isLost: boolean): void {
		if (this.#over.signal.aborted) return;
		this.#over.abort();
		clearInterval(this.#heartbeat);
		this.#stopListening?.();
		this.#bell.cancel();
		this.#overlapping.end();
		this.#attention?.title("idle");
		ownLeases.delete(this.#holder.instance);
		this.#holder.release(isLost);
		// A session with a lease but without an inbox would count as unreachable, so the inbox is removed only after the lease.
		this.#closeInbox?.();
	}

	#beat(): void {
		this.#holder.beat(Date.now());
		this.#lookForName();
		// Hosts before 0.86 do not report that `/name` has renamed the session.
		this.renamed();
	}

	/** Only session-recap knows whether the user is looking at the terminal. Without session-recap, the user never counts as looking. */
	#looksForMs(): number {
		return this.#shared.recap?.looksForMs() ?? 0;
	}

	#settle(outcome: RunOutcome, isSeen: boolean): void {
		this.dispatch({ type: "settled", outcome, isSeen, isAsked: this.#attention?.isAsked() ?? false });
	}

	#seen(): undefined {
		this.#bell.cancel();
		this.dispatch({ type: "seen" });
	}

	#lookForName(): void {
		const size = sizeOf(this.#file);
		if (size === this.#sizeLooked || this.#over.signal.aborted) return;
		this.#sizeLooked = size;
		this.#attention?.takeName();
	}
}

const ASKS = "Waiting for your answer";

/** If a notification or a dialog cannot be shown, an error message cannot be shown either. */
const ignored = () => undefined;

function sizeOf(file: string): number {
	return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Mouse events, focus reports and responses to the host's queries also arrive as terminal input, but they are not keys. */
function isKey(data: string): boolean {
	return !/^\x1b(?:[\]P_^]|\[[?<>MIO]|\[\d+(?:;\d+)*[Rnty])/.test(data);
}
