import { titleOf } from "../../session-core/find/match.ts";
import type { Lease } from "../../session-core/store/lease.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import type { SessionState } from "./state.ts";

/** A session as scripts get it: see docs/shell.md. Fields may come, none goes. Times in seconds since the epoch. */
export interface SessionJson {
	id: string;
	title: string;
	title_source: "manual" | "auto" | "prompt" | "none";
	kind: SessionSummary["kind"];
	state: SessionState;
	/** When it came into that state; null for a closed one. */
	since: number | null;
	pid: number | null;
	cwd: string;
	path: string;
	created_at: number;
	modified_at: number;
	model: string | null;
	size: number;
	first_prompt: string | null;
	parent_session: string | null;
	/** pi reads its file. */
	readable: boolean;
	/** Its newest recap record. `fresh`: nothing was said since. */
	recap: { id: string; fresh: boolean; headline: string; outcome: string; next_actions: string[] } | null;
}

export function sessionJson(row: SessionSummary, lease: Lease | undefined): SessionJson {
	const { recap, model } = row;
	return {
		id: row.id,
		title: titleOf(row),
		title_source: titleSource(row),
		kind: row.kind,
		state: lease?.state ?? "closed",
		since: lease ? seconds(lease.since) : null,
		pid: lease?.pid ?? null,
		cwd: row.cwd,
		path: row.path,
		created_at: seconds(row.created),
		modified_at: seconds(row.modified),
		model: model ? `${model.provider}/${model.id}` : null,
		size: row.size,
		first_prompt: row.firstPrompt ?? null,
		parent_session: row.parentSession ?? null,
		readable: row.hostReads,
		recap: recap
			? {
					id: recap.id,
					fresh: isFresh(row),
					headline: recap.headline,
					outcome: recap.outcome,
					next_actions: recap.next_actions,
				}
			: null,
	};
}

/** Whether the newest record tells of the newest message. */
export function isFresh({ recap, last }: Pick<SessionSummary, "recap" | "last">): boolean {
	return recap !== undefined && recap.last_message_id === last?.id;
}

function titleSource({ name, nameSource, firstPrompt }: SessionSummary): SessionJson["title_source"] {
	if (name !== undefined) return nameSource ?? "manual";
	return firstPrompt === undefined ? "none" : "prompt";
}

export function seconds(ms: number): number {
	return Math.floor(ms / 1_000);
}
