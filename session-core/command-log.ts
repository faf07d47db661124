import type { LogFields } from "./debug-log.ts";
import type { Screen } from "./host/screen.ts";

type Log = (event: string, fields: LogFields) => void;

/** The same screen, with an event for what a typed command says: its first line, without what it quotes. */
export function loggedScreen<S extends Pick<Screen, "say">>(screen: S, command: string, log: Log): S {
	return {
		...screen,
		say(text: string, kind: "info" | "warning" = "info") {
			log("command.said", { command, kind, reason: withoutQuotes(text) });
			screen.say(text, kind);
		},
	};
}

/** Titles stand in quotation marks; a provider's words stand in brackets, behind the HTTP status. */
function withoutQuotes(text: string): string {
	const [first = ""] = text.split("\n", 1);
	return first
		.replace(/"[^"]*"/g, '"…"')
		.replace(/ \((\d{3})?.*\)/, (_, status?: string) => (status === undefined ? "" : ` (${status})`));
}
