import { statSync } from "node:fs";
import { isatty } from "node:tty";
import { readDoing } from "../../session-core/log/timeline/index.ts";
import {
	type ExtensionAPI,
	type ExtensionContext,
	getAgentDir,
	isInTerminal,
	lazily,
	promptIsReady,
	type RunOutcome,
	type SessionEnd,
	type Shared,
	type StartReason,
} from "../../session-core/pi/index.ts";
import {
	changesOf,
	HEARTBEAT_MS,
	LeaseHolder,
	type LeaseState,
	openInbox,
} from "../../session-core/sessions/index.ts";
import { background, logBug, shownLine, startPolling } from "../../session-core/text/index.ts";
import type { Answering } from "./answering.ts";
import type { Attention } from "./attention.ts";
import { Bell } from "./bell.ts";
import { otherWriter, ownLeases } from "./leases.ts";
import { OverlapWarning } from "./overlapping.ts";
import { bellOn, isKey, type LiveEvent, stepLive, UNOPENED } from "./step.ts";

interface LiveStart {
	reason: StartReason;
	shared: Shared;
	/** Returns the agent's messages from before `LiveSession` was loaded. */
	earlier(): readonly unknown[];
}

const attending = lazily(() => import("./attention.ts"));

export async function openLive(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	start: LiveStart,
): Promise<LiveSession | undefined> {
	const { Attention } = (ctx.hasUI && (await attending())) || {};
	if (start.shared.over.aborted) return undefined;
	const earlier = start.earlier();
	promptIsReady(ctx.sessionManager.getSessionId());
	const file = ctx.sessionManager.getSessionFile();
	if (file === undefined) return undefined;
	const { shared } = start;
	const live = new LiveSession(ctx, file, { shared, attention: Attention && new Attention(pi, ctx, shared) });
	live.start(start.reason, earlier);
	return live;
}

export class LiveSession {
	elsewhere: LeaseState | undefined;
	isDamaged = false;
	question: Promise<unknown> | undefined;
	readonly #ctx: ExtensionContext;
	readonly #file: string;
	readonly #shared: Shared;
	readonly #attention: Attention | undefined;
	readonly #isInteractive: boolean;
	readonly #holder: LeaseHolder;
	readonly #answering: Answering | undefined;
	readonly #overlaps: OverlapWarning;
	readonly #bell: Bell;
	readonly #over: AbortSignal;
	#live = UNOPENED;
	#size = 0;
	#steps = 0;
	#heartbeat: NodeJS.Timeout | undefined;
	#stopListening: (() => void) | undefined;
	#closeInbox: (() => void) | undefined;

	constructor(
		ctx: ExtensionContext,
		file: string,
		{ shared, attention }: { shared: Shared; attention: Attention | undefined },
	) {
		const { cwd, ui } = ctx;
		const agentDir = getAgentDir();
		const sessionId = ctx.sessionManager.getSessionId();
		this.#ctx = ctx;
		this.#file = file;
		this.#shared = shared;
		this.#over = shared.over;
		this.#attention = attention;
		this.#isInteractive = isInTerminal(ctx);
		const session = { sessionId, sessionFile: file, cwd, isInteractive: this.#isInteractive };
		this.#holder = new LeaseHolder(agentDir, session, "idle", Date.now());
		this.#answering = attention?.answering(() => this.#live.isRunning);
		this.#overlaps = new OverlapWarning({
			...{ agentDir, cwd, instance: this.#holder.instance },
			ui: this.#isInteractive ? ui : undefined,
			isOn: () => attention?.warnsOfOverlaps() ?? true,
			over: this.#over,
		});
		this.#bell = new Bell({
			looksForMs: () => this.#looksForMs(),
			ring: (body) => background("sessions", () => attention?.notify(body, () => this.#isOutdated())),
		});
	}

	start(reason: StartReason, earlier: readonly unknown[]): void {
		const { instance } = this.#holder;
		const agentDir = getAgentDir();
		const sessionId = this.#ctx.sessionManager.getSessionId();
		this.#shared.offer({ live: this });
		this.#size = sizeOf(this.#file);
		ownLeases.add(instance);
		// The heartbeat timer does not keep the process alive, and it makes only two system calls a minute.
		this.#heartbeat = startPolling("sessions", HEARTBEAT_MS, () => this.#beat());
		// pi does not notify extensions when SIGTERM ends it, so this handler marks the session as lost.
		process.on("SIGTERM", this.#lose);
		const other = otherWriter(agentDir, { sessionId, sessionFile: this.#file });
		this.elsewhere = other?.state;
		const isIdle = this.#ctx.isIdle();
		if (!isIdle || earlier.length > 0) this.dispatch({ type: "run_started" });
		if (earlier.length > 0) this.turnEnded(earlier);
		if (isIdle) {
			this.#holder.claim();
			this.#settle("done", true);
		}
		const answering = this.#answering;
		if (answering) this.#closeInbox = openInbox(agentDir, instance, (answer) => answering.take(answer));
		if (this.#attention) setImmediate(() => background("sessions", () => this.#reportEarlierChanges()));
		if (reason !== "startup") return;
		if (other) this.question = this.#attention?.greet(other, this.#over).catch(logged);
		background("sessions", () => this.#checkFile());
	}

	dispatch(event: LiveEvent): void {
		if (this.#over.aborted) return;
		const before = this.#live;
		const now = stepLive(before, event);
		this.#live = now;
		if (event.type === "run_started") {
			this.elsewhere = undefined;
			this.question = undefined;
			this.#answering?.runStarted();
			this.#steps = 0;
		}
		// If a lease cannot be written, other processes see an outdated state, which is harmless.
		if (now.state !== before.state) {
			const isOpened = event.type === "dialog" && event.isOpen;
			const dialog = isOpened ? { dialog: shownLine(event.title ?? "") || "A dialog is open" } : {};
			this.#holder.update(now.state, Date.now(), dialog);
			this.renamed();
		}
		const bell = bellOn(event, before, now);
		if (bell === "announce") this.#bell.announce({ body: ASKS, isDialog: true });
		else if (bell) this.#bell.cancel();
		if (now.unseen === undefined) this.#stopListening?.();
		// Not every terminal reports focus, so any key press counts as a sign that the user is looking.
		const hear = (data: string) => (isKey(data) ? this.#seen() : undefined);
		this.#stopListening = now.unseen && (this.#stopListening ?? this.#ctx.ui.onTerminalInput(hear));
	}

	settled(outcome: RunOutcome): void {
		// Without a terminal, a program reads the output, so the user need not be told that the run has ended.
		this.#settle(outcome, !this.#isInteractive || this.#looksForMs() > 0);
		if (!this.#isInteractive || outcome === "aborted") return;
		const ended = outcome === "failed" ? "Failed" : "Finished";
		const body = this.#live.state === "waiting" ? ASKS : ended;
		this.#bell.announce({ body, unseen: () => this.dispatch({ type: "unseen", outcome }) });
	}

	turnEnded(messages: readonly unknown[]): void {
		const { doing, calls, changed: paths } = readDoing(messages, this.#ctx.cwd);
		const at = Date.now();
		const changed = this.#overlaps.add(paths.map((path) => ({ path, at })));
		this.#steps += calls;
		const steps = this.#steps;
		this.#holder.report({ ...(doing !== undefined && { doing }), steps, ...(changed && { changed }) });
	}

	renamed(): void {
		this.#attention?.title.show(this.#live.state);
	}

	submitted(): void {
		this.#bell.submitted();
		this.#answering?.submitted();
		this.#overlaps.hide();
		this.#lookForName();
	}

	noted(): void {
		this.dispatch({ type: "noted", isAsked: this.#attention?.isAsked() ?? false });
	}

	focusReported(): void {
		this.#lookForName();
		if (this.#live.isRunning) this.dispatch({ type: "seen" });
		else this.#seen();
	}

	end(how: SessionEnd): void {
		// If stdout is no longer a terminal, the terminal was closed, so the session is recorded as lost.
		this.#release(how === "exit" || (this.#isInteractive && !isatty(1)));
		process.off("SIGTERM", this.#lose);
		this.#answering?.hide();
	}

	readonly #lose = (): void => this.#release(true);

	#release(isLost: boolean): void {
		clearInterval(this.#heartbeat);
		this.#stopListening?.();
		this.#bell.cancel();
		this.#overlaps.end();
		this.#attention?.title.show("idle");
		ownLeases.delete(this.#holder.instance);
		this.#holder.release(isLost);
		// A leased session without an inbox would seem unreachable, so the lease is removed before the inbox.
		this.#closeInbox?.();
	}

	#beat(): void {
		this.#holder.beat(Date.now());
		this.#lookForName();
		// Versions of pi before 0.86 do not report that `/name` has renamed the session.
		this.renamed();
	}

	/**
	 * Only session-recap knows whether the user is looking at the terminal. If session-recap is not
	 * loaded, the user is assumed not to be looking.
	 */
	#looksForMs(): number {
		return this.#shared.ports.recap.looksForMs();
	}

	#isOutdated(): boolean {
		return this.#over.aborted || this.#live.state === "working" || this.#looksForMs() > 0;
	}

	/**
	 * `pi -c` opens a damaged session without asking, unlike the board and `/resume-from`, so the user is
	 * warned afterwards.
	 */
	async #checkFile(): Promise<void> {
		const damage = await this.#attention?.damage();
		if (damage === undefined || this.#over.aborted) return;
		this.isDamaged = true;
		this.#ctx.ui.notify(`resume: ${damage}`, "warning");
	}

	async #reportEarlierChanges(): Promise<void> {
		if (this.#over.aborted) return;
		const earlier = await changesOf(this.#file);
		const changed = this.#over.aborted ? undefined : this.#overlaps.add(earlier);
		if (changed) this.#holder.report({ changed });
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
		if (size === this.#size || this.#over.aborted) return;
		this.#size = size;
		this.#attention?.takeName();
	}
}

const ASKS = "Waiting for your answer";

/**
 * If a dialog cannot be shown, an error message cannot be shown either, so the error is only logged.
 */
const logged = (bug: unknown) => logBug("sessions", bug);

function sizeOf(file: string): number {
	return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
