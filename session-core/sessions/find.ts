import { sep } from "node:path";
import { sessionsRoot, startedIn } from "./folders.ts";
import { listSessions } from "./listing.ts";
import { meant, withId } from "./match.ts";
import {
	DEFAULT_LIMIT,
	readQuery,
	type SearchHit,
	type SearchOptions,
	type SearchProgress,
	searchToEnd,
	wordsIn,
} from "./search/index.ts";
import type { SessionSummary } from "./summary.ts";

export interface SessionPlace {
	agentDir: string;
	folder: string;
}

/** Accepts a file path, an id, an id prefix or a title. Other projects are searched only if no session of this project matches. */
export async function findSessions(
	{ agentDir, folder }: SessionPlace,
	wanted: string,
): Promise<{ found: SessionSummary[]; isHere: boolean }> {
	const here = meant(await listSessions({ agentDir, folders: [folder] }), wanted);
	if (here.length > 0) return { found: here, isHere: true };
	return { found: meant(await listSessions({ agentDir }), wanted), isHere: false };
}

export interface FindRequest
	extends Pick<SearchOptions, "query" | "since" | "until" | "limit" | "onlyRelevant"> {
	/** `this` searches only the sessions of this project. `all` searches all sessions but ranks those of this project higher. */
	project: "this" | "all";
}

export interface FindPlace {
	agentDir: string;
	cwd: string;
	folder: string;
	asking?: SearchOptions["asking"];
	signal?: AbortSignal | undefined;
}

export interface Found {
	sessions: { session: SessionSummary; hits: SearchHit[] }[];
	total: number;
	searched: number;
}

export async function findInSessions(
	{ project, ...search }: FindRequest,
	{ agentDir, cwd, folder, asking, signal }: FindPlace,
): Promise<Found | undefined> {
	const folders = folder.startsWith(sessionsRoot(agentDir) + sep) ? undefined : [folder];
	const isHere = startedIn(cwd);
	const sessions = (await listSessions({ agentDir, folders, signal })).filter(
		(session) =>
			(project === "all" || isHere(session)) && session.modified >= (search.since ?? session.modified),
	);
	const result = await searchListed(sessions, { ...search, cwd, asking, signal });
	if (!result) return undefined;
	const { hits, total, searched } = result;
	const byPath = new Map(sessions.map((session) => [session.path, session]));
	const found = [...new Set(hits.map(({ path }) => path))].flatMap((path) => {
		const session = byPath.get(path);
		return session ? [{ session, hits: hits.filter((hit) => hit.path === path) }] : [];
	});
	return { sessions: found, total, searched };
}

type ListedSearch = Omit<SearchOptions, "rows" | "onePerSession"> & {
	cwd?: string | undefined;
};

/** Sessions with a matching id come first, then matching messages, and then sessions whose name contains all words of the query. */
export async function searchListed(
	sessions: readonly SessionSummary[],
	{ cwd, ...options }: ListedSearch,
): Promise<SearchProgress | undefined> {
	const { query, limit = DEFAULT_LIMIT } = options;
	const isNear = cwd === undefined ? () => false : startedIn(cwd);
	const rows = sessions
		.map((session) => ({ path: session.path, near: isNear(session) }))
		// If all words of the query are common, the search ends early, so the sessions of this project are searched first.
		.sort((one, other) => Number(other.near) - Number(one.near));
	const result = await searchToEnd({ ...options, rows });
	if (!result) return undefined;
	const firstPrompts = async (some: readonly SessionSummary[]) => {
		const found = some.map(({ path, firstPrompt = "" }) =>
			searchToEnd({ ...options, query: firstPrompt, rows: [{ path }], limit: 1 }),
		);
		return (await Promise.all(found)).flatMap((one) => one?.hits ?? []);
	};
	const isFound = (hits: readonly SearchHit[], path: string) => hits.some((hit) => hit.path === path);
	const byId = await firstPrompts(withId(sessions, query));
	const said = result.hits.filter(({ path }) => !isFound(byId, path));
	const known = [...byId, ...said];
	const named = sessions.filter(({ name, path }) => hasAllWords(name, query) && !isFound(known, path));
	const byName = await firstPrompts(named.slice(0, limit));
	const hits = [...byId, ...said.slice(0, Math.max(limit / 2, limit - byName.length)), ...byName];
	return {
		...result,
		hits: hits.slice(0, limit),
		total: result.total + byId.length + byName.length + Math.max(0, named.length - limit),
	};
}

function hasAllWords(name: string | undefined, text: string): boolean {
	const query = readQuery(text);
	if (name === undefined || !query) return false;
	const found = new Set([...wordsIn(name)].map((word) => query.matchOf(word)?.at));
	return query.words.every((_, at) => found.has(at));
}
