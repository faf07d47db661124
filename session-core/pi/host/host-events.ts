import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { stopReasonOf } from "../../log/stop-reason.ts";
import { startTimer } from "../../text/background.ts";

export type StartReason = "startup" | "reload" | "new" | "resume" | "fork";

export function isReopened(reason: StartReason): boolean {
	return reason !== "new" && reason !== "reload";
}

/** `failed` means that the provider reported an error and pi will not retry the run. */
export type RunOutcome = "done" | "failed" | "aborted";

export interface SessionHandlers {
	/** `reason` is `new` instead of `startup` if pi starts with an empty session. */
	opened(reason: StartReason, ctx: ExtensionContext): unknown;
	closed(isReload: boolean): unknown;
	runStarted?(ctx: ExtensionContext): void;
	turnEnded?(messages: readonly unknown[]): void;
	settled?(outcome: RunOutcome): void;
	submitted?(): void;
	moved?(): void;
	/** pi versions earlier than 0.86 do not report that a session was renamed. */
	renamed?(): void;
	/** pi versions earlier than 0.84.4 do not report that a dialog was opened or closed. */
	dialog?(isOpen: boolean, title?: string): void;
}

/** How long, in milliseconds, pi may take to start a queued follow-up prompt after a run. */
const SETTLE_MS = 50;
/** The defaults of pi's `retry.*` settings: three retries after 2, 4 and 8 seconds. */
const RETRY_BASE_MS = 2_000;
const RETRIES = 3;
/**
 * The time limit for a compaction in milliseconds. After that, the compaction is assumed to have ended,
 * even if pi has not reported it.
 */
const COMPACTION_MS = 5 * 60_000;
/** The maximum time, in milliseconds, that pi takes to start a retry after the retry delay. */
const RETRY_SLACK_MS = 1_000;

/**
 * pi versions earlier than 0.86 do not report when they stop retrying a failed run, so the run counts as
 * settled if no retry starts in time.
 */
export class SessionFollower {
	readonly #handlers: SessionHandlers;
	#ctx: ExtensionContext | undefined;
	#opened: object | undefined;
	#isRunning = false;
	/** The outcome of a run that has ended but that pi may still retry or continue. */
	#outcome: RunOutcome | undefined;
	#failures = 0;
	#hostSettles = false;
	#settling: NodeJS.Timeout | undefined;
	#compaction: NodeJS.Timeout | undefined;
	#turn: unknown[] = [];

	constructor(handlers: SessionHandlers) {
		this.#handlers = handlers;
	}

	listen(pi: Pick<ExtensionAPI, "on">): void {
		const handlers = this.#handlers;
		pi.on("session_start", ({ reason }, ctx) => this.#open(reason, ctx) as undefined);
		pi.on("session_shutdown", ({ reason }) => this.#close(reason === "reload") as undefined);
		pi.on("agent_start", (_event, ctx) => this.#startRun(ctx));
		pi.on("session_before_compact", ({ signal }, ctx) => this.#startCompaction(ctx, signal));
		pi.on("session_compact", () => this.#endCompaction());
		onNewer(pi, "session_compact_failed", () => this.#endCompaction());
		// Do not listen for `turn_end`: with a listener, pi 1.6.0 shows an error if a message cannot be saved.
		pi.on("message_end", ({ message }) => {
			if (message.role === "assistant" || message.role === "toolResult") this.#turn.push(message);
		});
		pi.on("turn_start", () => this.#endTurn());
		pi.on("agent_end", ({ messages }) => this.#endRun(messages));
		onNewer<{ aborted?: boolean }>(pi, "agent_settled", ({ aborted }) => {
			this.#hostSettles = true;
			if (aborted && this.#outcome !== undefined) this.#outcome = "aborted";
			this.#settle();
		});
		pi.on("input", () => handlers.submitted?.());
		pi.on("user_bash", () => handlers.submitted?.());
		pi.on("session_tree", () => handlers.moved?.());
		onNewer(pi, "session_info_changed", () => handlers.renamed?.());
		onNewer<{ title?: string }>(pi, "ui_prompt_start", ({ title }) => {
			if (ownDialogs === 0) handlers.dialog?.(true, title);
		});
		onNewer(pi, "ui_prompt_end", () => handlers.dialog?.(false));
	}

	#open(reason: StartReason, ctx: ExtensionContext): unknown {
		// In RPC mode, pi 0.73.1 emits `session_start` twice.
		if (this.#opened === ctx.sessionManager) return undefined;
		this.#opened = ctx.sessionManager;
		this.#ctx = ctx;
		const isNew = reason === "startup" && !hasMessages(ctx);
		return this.#handlers.opened(isNew ? "new" : reason, ctx);
	}

	#close(isReload: boolean): unknown {
		clearTimeout(this.#settling);
		this.#ctx = undefined;
		this.#opened = undefined;
		this.#endCompaction();
		return this.#handlers.closed(isReload);
	}

	#startRun(ctx: ExtensionContext): void {
		clearTimeout(this.#settling);
		this.#outcome = undefined;
		this.#isRunning = true;
		this.#handlers.runStarted?.(ctx);
	}

	#endTurn(): void {
		const ended = this.#turn;
		this.#turn = [];
		if (ended.length > 0) this.#handlers.turnEnded?.(ended);
	}

	#endRun(messages: readonly { role: string }[]): void {
		this.#endTurn();
		this.#outcome = runOutcome(messages);
		this.#failures = this.#outcome === "failed" ? this.#failures + 1 : 0;
		if (!this.#hostSettles) this.#settleIn(settleDelay(this.#failures));
	}

	#startCompaction(ctx: ExtensionContext, signal: AbortSignal | undefined): void {
		this.#endCompaction();
		clearTimeout(this.#settling);
		if (!this.#isRunning) this.#handlers.runStarted?.(ctx);
		// pi versions earlier than 1.0 do not report failed compactions.
		this.#compaction = startTimer("session-suite", COMPACTION_MS, () => this.#endCompaction());
		signal?.addEventListener("abort", () => this.#endCompaction(), { once: true });
	}

	#endCompaction(): void {
		if (!this.#compaction) return;
		clearTimeout(this.#compaction);
		this.#compaction = undefined;
		if (!this.#ctx) return;
		// pi versions earlier than 1.0 do not report that `/compact` has ended a run.
		if (!this.#isRunning) this.#handlers.settled?.("done");
		else if (this.#outcome !== undefined || this.#ctx.isIdle()) {
			this.#outcome ??= "aborted";
			this.#settleIn(SETTLE_MS);
		}
	}

	#settleIn(ms: number): void {
		clearTimeout(this.#settling);
		this.#settling = startTimer("session-suite", ms, () => this.#settle());
	}

	#settle(): void {
		clearTimeout(this.#settling);
		const outcome = this.#outcome;
		if (!this.#ctx || outcome === undefined) return;
		if (!this.#ctx.isIdle() || this.#ctx.hasPendingMessages() || this.#compaction) {
			this.#settleIn(SETTLE_MS);
			return;
		}
		this.#outcome = undefined;
		this.#failures = 0;
		this.#isRunning = false;
		this.#handlers.settled?.(outcome);
	}
}

function settleDelay(failures: number): number {
	if (failures === 0 || failures > RETRIES) return SETTLE_MS;
	return RETRY_BASE_MS * 2 ** (failures - 1) + RETRY_SLACK_MS;
}

function runOutcome(messages: readonly { role: string }[]): RunOutcome {
	const last = messages.findLast(({ role }) => role === "assistant");
	const reason = last && stopReasonOf({ ...last });
	if (reason === "error") return "failed";
	return reason === "aborted" ? "aborted" : "done";
}

function onNewer<Event>(pi: Pick<ExtensionAPI, "on">, name: string, handler: (event: Event) => void): void {
	const subscribe = pi.on as unknown as (name: string, handler: (event: Event) => void) => void;
	subscribe.call(pi, name, handler);
}

let ownDialogs = 0;

/** A dialog that the user opened does not mean that the session is waiting for the user. */
export async function ownDialog<T>(open: () => Promise<T>): Promise<T> {
	ownDialogs++;
	try {
		return await open();
	} finally {
		ownDialogs--;
	}
}

function hasMessages({ sessionManager }: ExtensionContext): boolean {
	return sessionManager.getEntries().some(({ type }) => type === "message");
}
