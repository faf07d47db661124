import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

/** What Node calls whatever a signal broke off (`AbortError`). */
const BROKEN_OFF = "This operation was aborted";

/**
 * How an answer ended, as its user saw it. 0.87.1 stores an error, with Node's own words, where the user stopped the agent
 * before a request had left, as when a command was running: what prepares the request (pi-ai's `api/lazy`) takes the abort for
 * a failure. The hosts before it store `aborted`. `stopReason` and `errorMessage` are as they stand in the log.
 */
export function stopReasonOf(message: { readonly [key: string]: unknown }): string {
	const { stopReason, errorMessage } = message;
	if (stopReason === "error" && errorMessage === BROKEN_OFF) return "aborted";
	return typeof stopReason === "string" ? stopReason : "";
}

/** Whether a run's last answer was a provider error, which the host may retry by itself. */
export function endedInError(messages: readonly { role: string }[]): boolean {
	const last = messages.findLast(({ role }) => role === "assistant");
	return last !== undefined && stopReasonOf({ ...last }) === "error";
}

/** Subscribe to an event that the primary host's types do not know; a handler for it is harmless there. */
export function onNewerEvent(pi: Pick<ExtensionAPI, "on">, event: string, handler: () => void): void {
	const subscribe = pi.on as (event: string, handler: () => void) => void;
	subscribe.call(pi, event, handler);
}
