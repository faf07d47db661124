import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { stopReasonOf } from "../../log/stop-reason.ts";

export type StartReason = "startup" | "reload" | "new" | "resume" | "fork";
export type EndReason = "quit" | "reload" | "new" | "resume" | "fork";

/** `failed` means that the provider reported an error and pi will not retry the run. */
export type RunOutcome = "done" | "failed" | "aborted";

export interface SessionHandlers {
	/** An empty session that opens at startup counts as `new`. pi waits for the returned promise. */
	opened(reason: StartReason, ctx: ExtensionContext): unknown;
	closed(reason: EndReason): unknown;
	runStarted?(ctx: ExtensionContext): void;
	/** Receives the agent's message and the tool results, even if the turn failed or was aborted. */
	turnEnded?(messages: readonly unknown[]): void;
	settled?(outcome: RunOutcome): void;
	submitted?(): void;
	moved?(): void;
	/** Versions of pi before 0.86 never report that a session was renamed. */
	renamed?(): void;
	/** Versions of pi before 0.84.4 never report that a dialog was opened or closed. */
	dialog?(isOpen: boolean, title?: string): void;
}

/** After a run, pi starts a queued follow-up prompt within this number of milliseconds. */
const SETTLE_MS = 50;
/** The defaults of pi's `retry.*` settings: three retries, the first after 2 seconds. The delay doubles each time. */
const RETRY_BASE_MS = 2_000;
const RETRIES = 3;
/** If pi does not report the end of a compaction, the compaction counts as ended after this number of milliseconds. */
const COMPACTION_MS = 5 * 60_000;
/** After the retry delay, pi starts the retry within this number of milliseconds. */
const RETRY_SLACK_MS = 1_000;

/**
 * Versions of pi before 0.86 do not report when they stop retrying a failed run. With these versions, the run counts as settled if the next
 * retry does not start in time.
 */
export function followSession(pi: Pick<ExtensionAPI, "on">, handlers: SessionHandlers): void {
	let ctx: ExtensionContext | undefined;
	let opened: object | undefined;
	let timer: NodeJS.Timeout | undefined;
	let outcome: RunOutcome | undefined;
	let failures = 0;
	let hostSettles = false;
	let isRunning = false;
	/** A compaction counts as work of the agent, even if the user requested it with `/compact`. */
	let endCompaction: (() => void) | undefined;

	const arm = (ms: number): void => {
		clearTimeout(timer);
		timer = setTimeout(settle, ms).unref();
	};
	function settle(): void {
		clearTimeout(timer);
		if (!ctx || outcome === undefined) return;
		if (!ctx.isIdle() || ctx.hasPendingMessages() || endCompaction) {
			arm(SETTLE_MS);
			return;
		}
		const ended = outcome;
		outcome = undefined;
		failures = 0;
		isRunning = false;
		handlers.settled?.(ended);
	}

	function compactionStarted(started: ExtensionContext, signal: AbortSignal | undefined): void {
		endCompaction?.();
		clearTimeout(timer);
		if (!isRunning) handlers.runStarted?.(started);
		// Versions of pi before 1.0 do not report that a compaction has failed.
		const late = setTimeout(() => endCompaction?.(), COMPACTION_MS).unref();
		endCompaction = () => {
			clearTimeout(late);
			endCompaction = undefined;
			if (!ctx) return;
			// Versions of pi before 1.0 do not report that `/compact` has ended a run, so this code checks whether the agent is idle.
			if (!isRunning) handlers.settled?.("done");
			else if (outcome !== undefined || ctx.isIdle()) {
				outcome ??= "aborted";
				arm(SETTLE_MS);
			}
		};
		signal?.addEventListener("abort", () => endCompaction?.(), { once: true });
	}

	pi.on("session_start", (event, started) => {
		// In RPC mode, pi 0.73.1 emits `session_start` twice.
		if (opened === started.sessionManager) return undefined;
		opened = started.sessionManager;
		ctx = started;
		// A new session must be recognized here, because the extensions load late and could mistake its first run for an earlier run.
		const isNew = event.reason === "startup" && !hasMessages(started);
		return handlers.opened(isNew ? "new" : event.reason, started) as undefined;
	});
	pi.on("session_shutdown", (event) => {
		clearTimeout(timer);
		ctx = undefined;
		opened = undefined;
		endCompaction?.();
		return handlers.closed(event.reason) as undefined;
	});
	pi.on("agent_start", (_event, started) => {
		clearTimeout(timer);
		outcome = undefined;
		isRunning = true;
		handlers.runStarted?.(started);
	});
	pi.on("session_before_compact", ({ signal }, started) => compactionStarted(started, signal));
	pi.on("session_compact", () => endCompaction?.());
	onNewer(pi, "session_compact_failed", () => endCompaction?.());
	// Messages are collected here, because pi 1.6.0 shows an error if an extension listens to `turn_end` and a message was not saved.
	let turn: unknown[] = [];
	const endTurn = () => {
		const ended = turn;
		turn = [];
		if (ended.length > 0) handlers.turnEnded?.(ended);
	};
	pi.on("message_end", ({ message }) => {
		if (message.role === "assistant" || message.role === "toolResult") turn.push(message);
	});
	pi.on("turn_start", endTurn);
	pi.on("agent_end", ({ messages }) => {
		endTurn();
		outcome = runOutcome(messages);
		failures = outcome === "failed" ? failures + 1 : 0;
		if (!hostSettles) arm(settleDelay(failures));
	});
	onNewer<{ aborted?: boolean }>(pi, "agent_settled", ({ aborted }) => {
		hostSettles = true;
		if (aborted && outcome !== undefined) outcome = "aborted";
		settle();
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

/** Subscribes to an event that only newer versions of pi emit and declare in their types. */
function onNewer<Event>(pi: Pick<ExtensionAPI, "on">, name: string, handler: (event: Event) => void): void {
	const subscribe = pi.on as unknown as (name: string, handler: (event: Event) => void) => void;
	subscribe.call(pi, name, handler);
}

let ownDialogs = 0;

/** While a dialog that the user requested is open, the session does not count as waiting for the user. */
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
