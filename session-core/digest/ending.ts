import { actedIn } from "./looking.ts";
import type { Statements } from "./statements.ts";
import type { Turn } from "./turns.ts";
import type { Outcome } from "./types.ts";

/** How the session stands now, and why, in the log's words. */
export interface Ending {
	outcome: Outcome;
	reason: string | undefined;
}

/** Reads how the last turn ended. `statements` are those of its reply. */
export function readEnding(turns: readonly Turn[], statements: Statements): Ending {
	const turn = turns.findLast((candidate) => candidate.prompt !== undefined || candidate.end !== "open");
	if (!turn) return { outcome: "done", reason: undefined };
	if (turn.end === "aborted") return { outcome: "aborted", reason: turn.errorMessage || undefined };
	if (turn.end === "error") return { outcome: "error", reason: readableError(turn.errorMessage) };
	// A tool call without an end, or a prompt without an answer: the log stops in the middle of a run.
	// So does a reply that was cut off at the model's limit.
	if (turn.end === "open" || turn.end === "toolUse" || turn.end === "length")
		return { outcome: "running", reason: undefined };
	const asks = statements.questions.length > 0;
	// An offer behind finished work is a courtesy; behind an analysis it is the question.
	const proposes = statements.offers.length > 0 && !actedIn(turn);
	return { outcome: asks || proposes ? "waiting" : "done", reason: undefined };
}

/** The sentence inside a provider's error, which is often JSON behind a status code. */
export function readableError(message: string): string | undefined {
	const status = message.match(/^\s*(\d{3})\b/)?.[1];
	const inner = message.match(/"(?:message|detail|error_description)"\s*:\s*"((?:[^"\\]|\\.)*)"/)?.[1];
	const text = (inner ?? message)
		.replace(/\\(["'/\\])/g, "$1")
		.replace(/\\[nrt]/g, " ")
		.trim();
	if (text === "") return undefined;
	return inner && status ? `${status} ${text}` : text;
}
