import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { stopReasonOf } from "../../log/entry.ts";

/** `StartReason` says how the session began (`session_start`), and `EndReason` says why it ended (`session_shutdown`). */
export type StartReason = "startup" | "reload" | "new" | "resume" | "fork";
export type EndReason = "quit" | "reload" | "new" | "resume" | "fork";

/** How a run ended. `failed` means that the provider reported an error and the host will not retry the run. */
export type RunOutcome = "done" | "failed" | "aborted";

export interface SessionHandlers {
	/** Called when a session is opened. A session without messages that opens at startup counts as `new`. The host awaits the result. */
	opened(reason: StartReason, ctx: ExtensionContext): unknown;
	closed(reason: EndReason): unknown;
	runStarted?(ctx: ExtensionContext): void;
	/** Called after each turn, even a failed or aborted one, with the agent's message and the results of its tool calls. */
	turnEnded?(messages: readonly unknown[]): void;
	/** Called once for each run, when the host will neither retry the run nor start a queued prompt. */
	settled?(outcome: RunOutcome): void;
	submitted?(): void;
	moved?(): void;
	/** Called when the session was renamed. Hosts before 0.86 do not report that a session was renamed. */
	renamed?(): void;
	/** Called when a dialog of another extension opens (with its title) or closes. Hosts before 0.84.4 do not report dialogs. */
	dialog?(isOpen: boolean, title?: string): void;
}

/** Milliseconds between the end of a successful run and the check whether the agent is idle. A queued follow-up starts in this time. */
const SETTLE_MS = 50;
/** The host's default settings (`retry.*`): three retries, the first one after 2 seconds, and each delay twice as long as the last. */
const RETRY_BASE_MS = 2_000;
const RETRIES = 3;
/** A compaction counts as ended after this number of milliseconds, even if the host has not reported its end. */
const COMPACTION_MS = 5 * 60_000;
/** The maximum number of milliseconds between the end of a retry delay and the start of the retry. */
const RETRY_SLACK_MS = 1_000;

/**
 * Calls the handlers when the host reports events of its session. Hosts before 0.86 retry a failed run on their own and do not report when
 * they give up. On these hosts, a failed run counts as settled if no retry has started by the time that the next retry is due. The timers
 * do not keep the process alive.
 */
export function followSession(pi: Pick<ExtensionAPI, "on">, handlers: SessionHandlers): void {
	let ctx: ExtensionContext | undefined;
	let timer: NodeJS.Timeout | undefined;
	let outcome: RunOutcome | undefined;
	let failures = 0;
	let hostSettles = false;
	let isRunning = false;
	/** Ends the compaction in progress. A compaction counts as work, even if the user requested it with `/compact`. */
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
		// Hosts before 1.0 do not report that a compaction has failed.
		const late = setTimeout(() => endCompaction?.(), COMPACTION_MS).unref();
		endCompaction = () => {
			clearTimeout(late);
			endCompaction = undefined;
			if (!ctx) return;
			// A run that was compacted either continues or has already ended. Hosts before 1.0 do not report that `/compact` has ended a run.
			if (!isRunning) handlers.settled?.("done");
			else if (outcome !== undefined || ctx.isIdle()) {
				outcome ??= "aborted";
				arm(SETTLE_MS);
			}
		};
		signal?.addEventListener("abort", () => endCompaction?.(), { once: true });
	}

	pi.on("session_start", (event, started) => {
		ctx = started;
		// An extension that loads after the first paint could mistake a new session's first run for an earlier one.
		const isNew = event.reason === "startup" && !hasMessages(started);
		return handlers.opened(isNew ? "new" : event.reason, started) as undefined;
	});
	pi.on("session_shutdown", (event) => {
		clearTimeout(timer);
		ctx = undefined;
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
	// This code does not listen to `turn_end`, because pi 1.6.0 shows an error if an extension listens to that event and the host could not
	// save the turn's message.
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
		outcome = outcomeOf(messages);
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

function outcomeOf(messages: readonly { role: string }[]): RunOutcome {
	const last = messages.findLast(({ role }) => role === "assistant");
	const reason = last && stopReasonOf({ ...last });
	if (reason === "error") return "failed";
	return reason === "aborted" ? "aborted" : "done";
}

/** Subscribes to an event that is not declared in the types of the oldest supported host, which never emits the event. */
function onNewer<Event>(pi: Pick<ExtensionAPI, "on">, name: string, handler: (event: Event) => void): void {
	const subscribe = pi.on as unknown as (name: string, handler: (event: Event) => void) => void;
	subscribe.call(pi, name, handler);
}

let ownDialogs = 0;

/** Opens a dialog that the user requested. The session does not count as waiting for the user while this dialog is open. */
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
