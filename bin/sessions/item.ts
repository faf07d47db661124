import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import type { Lease } from "../../session-core/live/lease.ts";
import { type SessionJson, sessionJson } from "../../session-core/session-view/json.ts";
import { type SessionView, viewOf, withLease } from "../../session-core/session-view/view.ts";
import type { Words } from "../../session-core/words/words.ts";

/** One session of the server's list. */
export interface Item {
	id: string;
	summary: SessionSummary;
	/** As long as no process has it open. */
	view: SessionView;
	words: Words;
}

/** `words`: for how it ended. */
export function itemOf(summary: SessionSummary, words: Words): Item {
	return { id: summary.id, summary, view: viewOf(summary, words), words };
}

/** The session as it is sent, with what its process does. */
export function jsonOf({ view, words }: Item, lease: Lease | undefined): SessionJson {
	return sessionJson(lease ? withLease(view, lease, words) : view);
}
