const ABORTED = "This operation was aborted";

/**
 * If the user stops the agent before a request is sent, pi 0.87.1 stores the message of Node's
 * `AbortError`, and other versions store `aborted`.
 */
export function stopReasonOf(message: { readonly [key: string]: unknown }): string {
	const { stopReason, errorMessage } = message;
	if (stopReason === "error" && errorMessage === ABORTED) return "aborted";
	return typeof stopReason === "string" ? stopReason : "";
}
