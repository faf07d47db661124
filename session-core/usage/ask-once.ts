import type { Candidate } from "../model/policy.ts";
import type { AskRefusal, Books, Ticket, Trigger } from "./books.ts";

/** A question about one state of the conversation. */
export interface StateQuestion {
	/** Id of the last message. */
	stamp: string | undefined;
	by: Trigger;
	candidates: readonly Candidate[];
	signal: AbortSignal;
}

/** Why nobody was asked. */
export interface NotAsked {
	ok: false;
	reason: AskRefusal | "no_model" | "aborted";
	model: "";
}

/**
 * Ask a model about a state, where there is one and the books allow it, and book what came of it. Unasked, a bad or missing
 * answer is never asked for twice, here or in another process.
 */
export async function askOnce<Answer extends { ok: true } | { ok: false; reason: string }>(
	{ stamp, by, candidates, signal }: StateQuestion,
	books: Pick<Books, "begin">,
	ask: (ticket: Ticket) => Promise<Answer>,
): Promise<Answer | NotAsked> {
	if (candidates.length === 0) return notAsked("no_model");
	if (signal.aborted) return notAsked("aborted");
	const begun = books.begin({ stamp: stamp ?? "", by });
	if (!begun.ok) return notAsked(begun.reason);
	const answer = await ask(begun.ticket);
	begun.ticket.close(answer.ok ? "ok" : answer.reason);
	return answer;
}

function notAsked(reason: NotAsked["reason"]): NotAsked {
	return { ok: false, reason, model: "" };
}
