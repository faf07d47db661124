import { resolve, sep } from "node:path";
import { sessionsRoot, startedIn } from "./folders.ts";
import { listSessions, type ScanOptions } from "./listing.ts";
import { meant, withId } from "./match.ts";
import { planter } from "./planted.ts";
import {
	DEFAULT_LIMIT,
	readQuery,
	type SearchHit,
	type SearchOptions,
	searchToEnd,
	wordsIn,
} from "./search/index.ts";
import { type SessionSummary, sessionAt } from "./summary.ts";

export interface SessionPlace extends Omit<ScanOptions, "folders" | "project" | "archived"> {
	cwd: string;
	folder: string;
	/**
	 * Only people may specify a session file by its path, because an agent must not choose which files
	 * are read.
	 */
	isPerson?: boolean;
}

/** If all projects share a session folder, only that folder is searched. */
function chosenFolder({ agentDir, folder }: Pick<SessionPlace, "agentDir" | "folder">): string[] | undefined {
	return folder.startsWith(sessionsRoot(agentDir) + sep) ? undefined : [folder];
}

/**
 * Finds sessions by file path, id, id prefix or title, including archived sessions. Other projects are
 * searched only if no session of this project matches. The returned `among` contains the sessions that
 * were compared with `wanted`.
 */
export async function findSessions(wanted: string, { folder, isPerson, ...scan }: SessionPlace) {
	const { agentDir, cwd } = scan;
	// A path to a replaced log file is resolved directly, because session lists omit replaced log files.
	const isPath = isPerson && /\.jsonl?(?:\.zst)?$/.test(wanted);
	const named = isPath ? await sessionAt(resolve(cwd, wanted), agentDir) : undefined;
	if (named) return { found: [planter(scan)(named)], isHere: startedIn(cwd)(named), among: [] };
	const here = await listSessions({ ...scan, archived: true, folders: [folder], project: cwd });
	const own = meant(here, wanted);
	if (own.length > 0) return { found: own, isHere: true, among: here };
	const folders = chosenFolder({ agentDir, folder });
	const among = await listSessions({ ...scan, archived: true, folders });
	return { found: meant(among, wanted), isHere: false, among };
}

export interface FindRequest
	extends Pick<SearchOptions, "query" | "since" | "until" | "limit" | "onlyRelevant"> {
	/**
	 * `this` searches only the current project's sessions. `all` searches every project's sessions, but
	 * ranks the current project's sessions higher.
	 */
	project: "this" | "all";
}

export interface FindPlace extends SessionPlace {
	asking?: SearchOptions["asking"];
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
	const listed = await listSessions({ agentDir, folders: chosenFolder({ agentDir, folder }), signal });
	const sessions = project === "all" ? listed : listed.filter(startedIn(cwd));
	const result = await searchListed(sessions, { ...search, cwd, asking, signal });
	if (!result) return undefined;
	const bySession = new Map<SessionSummary, SearchHit[]>();
	for (const { hit, session } of result.found)
		bySession.set(session, [...(bySession.get(session) ?? []), hit]);
	return { ...result, sessions: [...bySession].map(([session, hits]) => ({ session, hits })) };
}

export async function searchListed(
	listed: readonly SessionSummary[],
	{ cwd, ...options }: Omit<SearchOptions, "rows" | "onePerSession"> & { cwd?: string },
) {
	const { query, since = 0, limit = DEFAULT_LIMIT } = options;
	const sessions = listed.filter(({ modified }) => modified >= since);
	const isNear = cwd === undefined ? () => false : startedIn(cwd);
	const rows = sessions
		.map((session) => ({ path: session.path, near: isNear(session) }))
		// A search ends as soon as it has found enough matches, so the current project's sessions are searched first.
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
	const byPath = new Map(sessions.map((session) => [session.path, session]));
	const found = hits.slice(0, limit).flatMap((hit) => {
		const session = byPath.get(hit.path);
		return session ? [{ hit, session }] : [];
	});
	return {
		found,
		searched: sessions.length,
		total: result.total + byId.length + byName.length + Math.max(0, named.length - limit),
	};
}

function hasAllWords(name: string | undefined, text: string): boolean {
	const query = readQuery(text);
	if (name === undefined || !query) return false;
	const found = new Set([...wordsIn(name)].map((word) => query.matchOf(word)?.at));
	return query.words.every((_, at) => found.has(at));
}
