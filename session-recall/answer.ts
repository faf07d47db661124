import { fromLeaf, hasRole, hostSource, type SessionSource } from "../session-core/log/index.ts";
import { type ExtensionContext, getAgentDir } from "../session-core/pi/index.ts";
import {
	aroundText,
	type FindPlace,
	findInSessions,
	findSessions,
	foundForPerson,
	foundText,
	inFence,
	sessionText,
	titleOf,
} from "../session-core/sessions/index.ts";
import { sinceTime, untilTime } from "../session-core/sessions/search/index.ts";
import { readTime, shownLine } from "../session-core/text/index.ts";

export function recallPlace({
	cwd,
	sessionManager,
}: Pick<ExtensionContext, "cwd" | "sessionManager">): FindPlace {
	const path = sessionManager.getSessionFile();
	const from = path && lastRequestAt(hostSource(sessionManager));
	const asking = path && from ? { asking: { path, from } } : {};
	return { agentDir: getAgentDir(), cwd, folder: sessionManager.getSessionDir(), ...asking };
}

function lastRequestAt(source: SessionSource): number | undefined {
	for (const entry of fromLeaf(source)) if (hasRole(entry, "user")) return readTime(entry.timestamp);
	return undefined;
}

export interface SearchRequest {
	query: string;
	project?: "this" | "all";
	since?: string;
	until?: string;
	limit?: number;
}

export interface ReadRequest {
	session: string;
	at?: string;
	around?: number;
}

interface RecallAnswer {
	text: string;
	summary: string;
}

/** Each search result costs tokens, so the agent gets only a few results unless it requests more. */
const RESULTS = 6;
const ENTRIES_AROUND = 3;

export async function searchEarlier(request: SearchRequest, place: FindPlace): Promise<RecallAnswer> {
	const { query, project = "all", since, until, limit } = request;
	const now = Date.now();
	// Some models pass an empty string for a parameter that they want to leave out.
	const from = since ? sinceTime(since, now) : undefined;
	const to = until ? untilTime(until, now) : undefined;
	const times = [
		{ text: since, time: from },
		{ text: until, time: to },
	];
	const wrong = times.find(({ text, time }) => text && time === undefined)?.text;
	if (wrong)
		return failure(
			`"${shown(wrong)}" is not a valid time. Use a time such as 90m, 12h, 7d, 3w or 2026-01-31.`,
		);
	const wanted = {
		query,
		project,
		since: from,
		until: to,
		limit: limit ?? RESULTS,
		onlyRelevant: limit === undefined,
	};
	const found = await findInSessions(wanted, place);
	if (!found) return failure("The search was stopped.");
	const { sessions, total, searched } = found;
	const best = sessions[0] ? `, best: ${shown(titleOf(sessions[0].session))}` : "";
	const summary = `${total} ${total === 1 ? "match" : "matches"} in ${searched} ${searched === 1 ? "session" : "sessions"}${best}`;
	return { text: foundText(found, query, now), summary };
}

export async function searchForPerson(query: string, isHere: boolean, place: FindPlace): Promise<string> {
	const project = isHere ? "this" : "all";
	const found = await findInSessions({ query, project, limit: RESULTS, onlyRelevant: true }, place);
	return found ? foundForPerson(found, { query, now: Date.now(), isHere }) : "The search was stopped.";
}

export async function readEarlier(request: ReadRequest, place: FindPlace): Promise<RecallAnswer> {
	const { session: wanted, at, around = ENTRIES_AROUND } = request;
	const { found } = await findSessions(wanted, place);
	const [session] = found;
	if (!session)
		return failure(
			`No session has the id or title "${shown(wanted)}". Use session_search to find the ids of sessions.`,
		);
	if (found.length > 1) {
		// Copies of a session file share a session id, so they must be identified by path.
		const isById = new Set(found.map(({ id }) => id)).size === found.length;
		const lines = found.slice(0, 5).map((one) => `${isById ? one.id : one.path} "${shown(titleOf(one))}"`);
		const text = `${found.length} sessions match. Read one of them by its ${isById ? "id" : "path"}.`;
		return { text: `${text}\n${inFence(lines.join("\n"))}`, summary: text };
	}
	const now = Date.now();
	const read = await (at ? aroundText(session, { at, around, now }) : sessionText(session, now));
	return read.ok ? { text: read.text, summary: shown(titleOf(session)) } : failure(read.detail);
}

function failure(text: string): RecallAnswer {
	return { text, summary: text };
}

function shown(text: string): string {
	return shownLine(text, 80);
}
