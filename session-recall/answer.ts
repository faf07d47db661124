import { type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { findSessions } from "../session-core/catalog/find-sessions.ts";
import { titleOf } from "../session-core/catalog/match.ts";
import { type FindPlace, type Found, findInSessions } from "../session-core/search/find.ts";
import { aroundText, foundText, sessionText } from "../session-core/search/report.ts";
import { sinceTime } from "../session-core/search/since.ts";
import { clipColumns } from "../session-core/text/clip.ts";
import { redact } from "../session-core/text/redact.ts";
import { cleanLine } from "../session-core/text/sanitize.ts";
import type { ReadRequest, SearchRequest } from "./definitions.ts";

/** The scope in which a session of the host searches for others. */
export function placeOf({
	cwd,
	sessionManager,
}: Pick<ExtensionContext, "cwd" | "sessionManager">): FindPlace {
	const path = sessionManager.getSessionFile();
	const from = path && lastRequestAt(sessionManager);
	const asking = path && from ? { asking: { path, from } } : {};
	return { agentDir: getAgentDir(), cwd, folder: sessionManager.getSessionDir(), ...asking };
}

/** Number of entries that are searched for the user's last request. */
const LOOKED_AT = 400;

/** When the user's last request was sent, in ms. */
function lastRequestAt(session: ExtensionContext["sessionManager"]): number | undefined {
	let entry = session.getLeafEntry();
	for (let count = 0; entry && count < LOOKED_AT; count++) {
		if (entry.type === "message" && entry.message.role === "user") return Date.parse(entry.timestamp);
		entry = entry.parentId === null ? undefined : session.getEntry(entry.parentId);
	}
	return undefined;
}

/** The result of a tool: for the agent, and in one line for the user. */
export interface Answer {
	text: string;
	summary: string;
}

const DEFAULT_LIMIT = 6;
const AROUND = 3;

export async function searchEarlier(request: SearchRequest, place: FindPlace): Promise<Answer> {
	const { query, project = "all", since, until, limit = DEFAULT_LIMIT } = request;
	const now = Date.now();
	const times = { since: since && sinceTime(since, now), until: until && sinceTime(until, now) };
	const wrong = [
		since !== undefined && times.since === undefined && since,
		until !== undefined && times.until === undefined && until,
	];
	const unknown = wrong.find((text) => typeof text === "string");
	if (unknown) return told(`"${shown(unknown)}" is no time: use 90m, 12h, 7d, 3w or 2026-01-31.`);
	let found: Found | undefined;
	const wanted = { query, project, since: times.since || undefined, until: times.until || undefined, limit };
	for await (const progress of findInSessions(wanted, place)) found = progress;
	if (!found?.done) return told("The search was stopped.");
	const { sessions, total } = found;
	const summary = `${total} ${total === 1 ? "match" : "matches"} in ${found.of} sessions${sessions[0] ? `, best: ${shown(sessions[0].title)}` : ""}`;
	return { text: foundText(found, query, now), summary };
}

export async function readEarlier(
	{ session: wanted, at, around = AROUND }: ReadRequest,
	place: FindPlace,
): Promise<Answer> {
	const { found } = await findSessions(place, wanted);
	const [session] = found;
	if (!session) return told(`No session is called "${shown(wanted)}". session_search gives the ids.`);
	if (found.length > 1) {
		const ids = found.slice(0, 5).map((one) => `${one.id} "${shown(titleOf(one))}"`);
		return told(`${found.length} sessions are called "${shown(wanted)}": ${ids.join("; ")}.`);
	}
	const title = titleOf(session);
	const now = Date.now();
	const read = await (at === undefined
		? sessionText(session, title, now)
		: aroundText(session, { title, at, around, now }));
	return read.ok ? { text: read.text, summary: shown(title) } : told(read.reason);
}

function told(text: string): Answer {
	return { text, summary: text };
}

function shown(text: string): string {
	return redact(clipColumns(cleanLine(text), 80));
}
