import { titleOf } from "../../session-core/catalog/match.ts";
import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import { placeName } from "../../session-core/search/read.ts";
import { type SearchHit, searchSessions } from "../../session-core/search/search.ts";
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
	since?: number | undefined;
	limit?: number | undefined;
	json?: boolean | undefined;
}

/** `pi-sessions search` */
export async function search(query: string, options: SearchOptions, world: World): Promise<number> {
	if (query === "") return world.fail("search for what? See pi-sessions search --help.", NOT_FOUND);
	const { all, since, limit = 10, json } = options;
	const listed = await (all ? allSessions(world) : sessionsHere(world));
	const byPath = new Map(listed.rows.map((session) => [session.path, session]));
	const rows = listed.rows
		.filter(({ modified }) => since === undefined || modified >= since)
		.map(({ path, cwd }) => ({ path, near: cwd === world.cwd }));
	const words = await wordsFor(world);
	const printer = new Printer(world, words, byPath);
	let hits: SearchHit[] = [];
	let total = 0;
	for await (const progress of searchSessions({ query, rows, since, limit })) {
		({ hits, total } = progress);
		if (world.out.isTTY && !json) printer.print(hits);
	}
	world.log("search.done", { sessions: rows.length, hits: hits.length, total });
	if (json) {
		const leaseOf = openSessions(world);
		const found = hits.map((hit) => {
			const session = byPath.get(hit.path);
			return session && hitJson(hit, sessionJson(viewOf(withWork(session), words, leaseOf(session))));
		});
		printJson({ hits: (await Promise.all(found)).filter(Boolean) }, world.out);
		return DONE;
	}
	printer.print(hits);
	if (hits.length === 0) {
		const where = all ? "" : " in this project. Use --all to search all projects";
		world.err.write(`No matches in ${rows.length} ${rows.length === 1 ? "session" : "sessions"}${where}.\n`);
		return DONE;
	}
	if (total > hits.length)
		world.err.write(`${total - hits.length} more matches; add words, or raise --limit.\n`);
	world.err.write("Run pi-sessions read <id> <@place> to read around a hit.\n");
	return DONE;
}

/** Prints each hit once: in a terminal as soon as it is found, in a pipe tab-separated and best first. */
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
