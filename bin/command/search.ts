import { titleOf } from "../../session-core/catalog/match.ts";
import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import { placeName } from "../../session-core/search/read.ts";
import { type SearchHit, searchSessions } from "../../session-core/search/search.ts";
import { sinceTime } from "../../session-core/search/since.ts";
import { sessionJson } from "../../session-core/session-view/json.ts";
import { viewOf } from "../../session-core/session-view/view.ts";
import { withWork } from "../../session-core/session-view/work.ts";
import { redact } from "../../session-core/text/redact.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { shortAge } from "../../session-core/words/age.ts";
import type { Words } from "../../session-core/words/words.ts";
import { allSessions, sessionsHere } from "../sessions/find.ts";
import { hitJson } from "../sessions/hit-json.ts";
import { openSessions } from "../sessions/state.ts";
import { wordsFor } from "../sessions/words.ts";
import { clipColumns, columnsOf, paintFor, wrapped } from "../shell/terminal.ts";
import { DONE, NOT_FOUND, printJson, type World } from "../shell/world.ts";

export interface SearchOptions {
	all?: boolean | undefined;
	since?: string | undefined;
	limit?: string | undefined;
	json?: boolean | undefined;
}

const DEFAULT_LIMIT = 10;

/** `pi-sessions search` */
export async function search(query: string, options: SearchOptions, world: World): Promise<number> {
	const limit = Number(options.limit ?? DEFAULT_LIMIT);
	const since = options.since === undefined ? undefined : sinceTime(options.since, world.now());
	const problem = problemOf(query, options, since);
	if (problem) {
		world.err.write(`pi-sessions search: ${problem}\n`);
		return NOT_FOUND;
	}
	const sessions = await (options.all ? allSessions(world) : sessionsHere(world));
	const byPath = new Map(sessions.map((session) => [session.path, session]));
	const rows = sessions
		.filter(({ modified }) => since === undefined || modified >= since)
		.map(({ path, cwd }) => ({ path, near: cwd === world.cwd }));
	const words = await wordsFor(world);
	const printer = new Printer(world, words, byPath);
	let hits: SearchHit[] = [];
	let total = 0;
	for await (const progress of searchSessions({ query, rows, since, limit })) {
		({ hits, total } = progress);
		if (world.out.isTTY && !options.json) printer.print(hits);
	}
	if (options.json) {
		const leaseOf = openSessions(world);
		const found = hits.flatMap((hit) => {
			const session = byPath.get(hit.path);
			return session ? [hitJson(hit, sessionJson(viewOf(withWork(session), words, leaseOf(session))))] : [];
		});
		printJson({ hits: found }, world.out);
		return DONE;
	}
	printer.print(hits);
	world.err.write(noteOf({ hits: hits.length, total, of: rows.length }, options));
	return DONE;
}

function problemOf(query: string, { limit, since }: SearchOptions, time: number | undefined) {
	if (query === "") return "search for what? See pi-sessions search --help.";
	if (limit !== undefined && !/^[1-9]\d{0,2}$/.test(limit)) return "--limit is a whole number from 1 to 999.";
	if (since !== undefined && time === undefined)
		return "--since is a time like 90m, 8h or 2d, or a past date.";
	return undefined;
}

function noteOf({ hits, total, of }: { hits: number; total: number; of: number }, { all }: SearchOptions) {
	const scope = all ? "" : " in this project; --all searches all projects";
	if (hits === 0) return `Nothing matches in ${of} ${of === 1 ? "session" : "sessions"}${scope}.\n`;
	const more = total > hits ? `${total - hits} more matches: add words, or use --limit. ` : "";
	return `${more}Read around a hit: pi-sessions read <id> <@place>\n`;
}

/** Prints each hit once: in a terminal as it is found, in a pipe best first with tabs between its fields. */
class Printer {
	readonly #printed = new Set<string>();
	readonly #world: World;
	readonly #words: Words;
	readonly #sessions: ReadonlyMap<string, SessionSummary>;

	constructor(world: World, words: Words, sessions: ReadonlyMap<string, SessionSummary>) {
		this.#world = world;
		this.#words = words;
		this.#sessions = sessions;
	}

	print(hits: readonly SearchHit[]): void {
		for (const hit of hits) {
			const key = `${hit.path}:${hit.offset}`;
			const session = this.#sessions.get(hit.path);
			if (!session || this.#printed.has(key)) continue;
			this.#printed.add(key);
			this.#world.out.write(`${this.#lines(hit, session).join("\n")}\n`);
		}
	}

	#lines({ offset, by, excerpt, at }: SearchHit, session: SessionSummary): string[] {
		const { out, env, now } = this.#world;
		const columns = columnsOf(out);
		const id = redact(cleanLine(session.id));
		const title = redact(cleanLine(titleOf(session)));
		const age = shortAge(at ?? session.modified, now(), this.#words.age);
		const place = placeName(offset);
		if (columns === undefined) return [[id, place, age, by, title, excerpt].join("\t")];
		const paint = paintFor(out, env);
		return [
			paint.bold(clipColumns(title, columns)),
			...wrapped(`${id} ${place} · ${age}`, columns).map(paint.dim),
			...wrapped(`  ${by}: ${excerpt}`, columns, "  "),
			"",
		];
	}
}
