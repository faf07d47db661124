import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

/** Whether a run's last answer was a provider error, which the host may retry by itself. */
export function endedInError(messages: readonly { role: string }[]): boolean {
	const last = messages.findLast(({ role }) => role === "assistant");
	return last !== undefined && "stopReason" in last && last.stopReason === "error";
}

/** Subscribe to an event that the primary host's types do not know; a handler for it is harmless there. */
export function onNewerEvent(pi: Pick<ExtensionAPI, "on">, event: string, handler: () => void): void {
	const subscribe = pi.on as (event: string, handler: () => void) => void;
	subscribe.call(pi, event, handler);
}
