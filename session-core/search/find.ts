import { sep } from "node:path";
import { sessionsRoot } from "../catalog/folders.ts";
import { listSessions } from "../catalog/listing.ts";
import type { SessionSummary } from "../catalog/summary.ts";
import { type SearchHit, type SearchOptions, searchToEnd } from "./search.ts";

export interface FindRequest
	extends Pick<SearchOptions, "query" | "since" | "until" | "limit" | "onlyRelevant"> {
	/** Which sessions are searched. `this`: only the sessions of this project. `all`: this project's sessions first, then all others. */
	project: "this" | "all";
}

export interface FindPlace {
	agentDir: string;
	cwd: string;
	/** The folder of the project's sessions. A folder outside the agent folder contains the sessions of all projects. */
	folder: string;
	asking?: SearchOptions["asking"];
	signal?: AbortSignal | undefined;
}

export interface Found {
	sessions: { session: SessionSummary; hits: SearchHit[] }[];
	total: number;
	searched: number;
}

/** Searches the sessions in scope. Resolves to undefined if the signal was aborted. */
export async function findInSessions(
	{ project, ...search }: FindRequest,
	{ agentDir, cwd, folder, asking, signal }: FindPlace,
): Promise<Found | undefined> {
	const folders = folder.startsWith(sessionsRoot(agentDir) + sep) ? undefined : [folder];
	const all = await listSessions({ agentDir, folders, ...(signal && { signal }) });
	const sessions = all.filter(
		(session) =>
			(project === "all" || session.cwd === cwd) && session.modified >= (search.since ?? session.modified),
	);
	const rows = sessions
		.map((session) => ({ path: session.path, near: session.cwd === cwd }))
		// If all words are common, the search ends early, so this project comes first.
		.sort((one, other) => Number(other.near) - Number(one.near));
	const result = await searchToEnd({ ...search, rows, asking, signal });
	if (!result) return undefined;
	const { hits, total, searched } = result;
	const byPath = new Map(sessions.map((session) => [session.path, session]));
	const found = [...new Set(hits.map(({ path }) => path))].flatMap((path) => {
		const session = byPath.get(path);
		return session ? [{ session, hits: hits.filter((hit) => hit.path === path) }] : [];
	});
	return { sessions: found, total, searched };
}
