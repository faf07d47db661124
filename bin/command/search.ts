import { searchListed } from "../../session-core/sessions/find.ts";
import { titleOf } from "../../session-core/sessions/match.ts";
import { MAX_QUERY } from "../../session-core/sessions/search/query.ts";
import type { SearchHit } from "../../session-core/sessions/search/search.ts";
import { sinceTime } from "../../session-core/sessions/search/since.ts";
import { placeOf, remarksOn, speakerOf } from "../../session-core/sessions/search-report.ts";
import type { SessionSummary } from "../../session-core/sessions/summary.ts";
import { viewOf } from "../../session-core/sessions/view.ts";
import { sessionJson } from "../../session-core/sessions/view-json.ts";
import { cleanLine, clipColumns, safeText, shortAge } from "../../session-core/text/index.ts";
import { allSessions, hitJson, openSessions, sessionsHere } from "../sessions/find.ts";
import { columnsOf, paintFor, wrapped } from "../shell/terminal.ts";
import { DONE, NOT_FOUND, printJson, type World } from "../shell/world.ts";

interface SearchOptions {
	all?: boolean;
	since?: string;
	limit: number;
	json?: boolean;
}

export async function search(options: SearchOptions, world: World, query: string): Promise<number> {
	if (query.length > MAX_QUERY)
		return world.fail(`the query has ${query.length} characters; use at most ${MAX_QUERY}.`, NOT_FOUND);
	const { all, limit, json } = options;
	const since = options.since === undefined ? undefined : sinceTime(options.since, world.now());
	const listed = await (all ? allSessions(world) : sessionsHere(world));
	const byPath = new Map(listed.rows.map((session) => [session.path, session]));
	const recent = listed.rows.filter(({ modified }) => since === undefined || modified >= since);
	const result = await searchListed(recent, { query, cwd: world.cwd, since, limit });
	const { hits = [], total = 0 } = result ?? {};
	world.log("search.done", { sessions: recent.length, hits: hits.length, total });
	if (json) {
		const leaseOf = openSessions(world);
		const found = hits.map((hit) => {
			const session = byPath.get(hit.path);
			return session && hitJson(hit, sessionJson(viewOf(session, leaseOf(session))));
		});
		printJson({ hits: (await Promise.all(found)).filter(Boolean) }, world.out);
		return DONE;
	}
	for (const hit of hits) {
		const session = byPath.get(hit.path);
		if (session) world.out.write(`${hitLines(hit, session, world).join("\n")}\n`);
	}
	if (hits.length === 0) {
		const where = all ? "" : " in this project. Use --all to search all projects";
		world.err.write(
			`No matches in ${recent.length} ${recent.length === 1 ? "session" : "sessions"}${where}.\n`,
		);
		return DONE;
	}
	if (total > hits.length)
		world.err.write(
			`Matches not shown: ${total - hits.length}. Add words to narrow the search, or increase --limit.\n`,
		);
	world.err.write("Run pi-sessions read <id> <@place> to read around a hit.\n");
	return DONE;
}

/** Returns the text of a hit: several lines for a terminal, or one tab-separated line for a pipe. */
function hitLines(hit: SearchHit, session: SessionSummary, world: World): string[] {
	const { by, excerpt, at } = hit;
	const columns = columnsOf(world.out);
	const id = cleanLine(safeText(session.id));
	const title = cleanLine(safeText(titleOf(session)));
	const age = shortAge(at ?? session.modified, world.now());
	const place = placeOf(hit);
	if (columns === undefined) return [[id, place, age, by, title, excerpt].join("\t")];
	const paint = paintFor(world.out, world.env);
	return [
		paint.bold(clipColumns(title, columns)),
		...wrapped(`${id} ${place} · ${age}`, columns).map(paint.dim),
		...wrapped(`  ${speakerOf(by)}: ${excerpt}${remarksOn(hit)}`, columns, "  "),
		"",
	];
}
