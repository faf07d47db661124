import type { LogFields } from "./debug-log.ts";
import type { Screen } from "./host/screen.ts";

type Log = (event: string, fields: LogFields) => void;

/** Wraps a screen so that it also logs the first line of each answer to a typed command, without quoted titles. */
export function loggedScreen<S extends Pick<Screen, "say">>(screen: S, command: string, log: Log): S {
	return {
		...screen,
		say(text: string, kind: "info" | "warning" = "info") {
			log("command.said", { command, kind, reason: withoutQuotes(text) });
			screen.say(text, kind);
		},
	};
}

/**
 * Returns the first line of a text without titles, which are in quotation marks, and without a provider's message, which is in parentheses
 * after the HTTP status.
 */
function withoutQuotes(text: string): string {
	const [first = ""] = text.split("\n", 1);
	return first
		.replace(/"[^"]*"/g, '"…"')
		.replace(/ \((\d{3})?.*\)/, (_, status?: string) => (status === undefined ? "" : ` (${status})`));
}
