import { sep } from "node:path";
import { listSessions } from "../catalog/find-sessions.ts";
import { sessionsRoot } from "../catalog/folders.ts";
import { titleOf } from "../catalog/match.ts";
import type { SessionSummary } from "../catalog/summary.ts";
import { type SearchHit, type SearchOptions, searchSessions } from "./search.ts";

export interface FindRequest {
	query: string;
	/** `this`: only sessions of this project; `all`: these first, then the others. */
	project: "this" | "all";
	/** Milliseconds since the epoch. */
	since?: number | undefined;
	until?: number | undefined;
	/** Hits wanted. */
	limit: number;
}

export interface FindPlace {
	agentDir: string;
	/** The project at hand. */
	cwd: string;
	/**
	 * The folder with the sessions of that project. If it is outside the agent folder, the user chose it,
	 * and it contains all sessions.
	 */
	folder: string;
	/** See {@link SearchOptions.asking}. */
	asking?: SearchOptions["asking"];
	signal?: AbortSignal | undefined;
}

/** A session with its hits, best first. */
export interface FoundSession {
	session: SessionSummary;
	title: string;
	/** The shortest unique beginning of its id, of at least eight characters. */
	shortId: string;
	hits: SearchHit[];
}

export interface Found {
	/** In the order of their best hits. */
	sessions: FoundSession[];
	/** Number of matching turns, including those that are not shown. */
	total: number;
	/** Number of sessions searched so far, and in total. */
	searched: number;
	of: number;
	done: boolean;
}

/** Searches all sessions in scope. Each step contains the best hits so far; the last step is `done`. */
export async function* findInSessions(
	request: FindRequest,
	place: FindPlace,
): AsyncGenerator<Found, void, void> {
	const { agentDir, cwd, folder, signal } = place;
	const folders = folder.startsWith(sessionsRoot(agentDir) + sep) ? undefined : [folder];
	const all = await listSessions({ agentDir, folders, ...(signal && { signal }) });
	const summaries = request.project === "all" ? all : all.filter((session) => session.cwd === cwd);
	const byPath = new Map(summaries.map((session) => [session.path, session]));
	const rows = summaries
		.filter(({ modified }) => request.since === undefined || modified >= request.since)
		.map(({ path, cwd: ran }) => ({ path, near: ran === cwd }));
	const { query, since, until, limit } = request;
	const ids = all.map(({ id }) => id).sort();
	for await (const { hits, total, searched, done } of searchSessions({
		query,
		rows,
		since,
		until,
		limit,
		signal,
		asking: place.asking,
	})) {
		yield { sessions: grouped(hits, byPath, ids), total, searched, of: rows.length, done };
	}
}

function grouped(
	hits: readonly SearchHit[],
	byPath: ReadonlyMap<string, SessionSummary>,
	ids: readonly string[],
): FoundSession[] {
	const found = new Map<string, FoundSession>();
	for (const hit of hits) {
		const session = byPath.get(hit.path);
		if (!session) continue;
		const known = found.get(hit.path);
		if (known) known.hits.push(hit);
		else {
			const shortId = shortestId(session.id, ids);
			found.set(hit.path, { session, title: titleOf(session), shortId, hits: [hit] });
		}
	}
	return [...found.values()];
}

const SHORTEST_ID = 8;

function shortestId(id: string, ids: readonly string[]): string {
	const at = ids.indexOf(id);
	const beside = [ids[at - 1], ids[at + 1]].filter((other) => other !== undefined && other !== id);
	for (let length = SHORTEST_ID; length < id.length; length++) {
		const head = id.slice(0, length);
		if (!head.endsWith("-") && !beside.some((other) => other?.startsWith(head))) return head;
	}
	return id;
}
