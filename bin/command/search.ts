import { endingText, longAge } from "../../session-core/recap/index.ts";
import {
	aroundText,
	type Passage,
	placeOf,
	remarksOn,
	type SessionSummary,
	type SessionView,
	searchListed,
	seconds,
	sessionJson,
	sessionPassages,
	sessionText,
	speakerOf,
	titleOf,
	viewOf,
} from "../../session-core/sessions/index.ts";
import {
	MAX_QUERY,
	readAround,
	type SearchHit,
	sinceTime,
} from "../../session-core/sessions/search/index.ts";
import { cleanLine, clipColumns, safeText, shortAge } from "../../session-core/text/index.ts";
import { allSessions, findSession, hitJson, openSessions, sessionsHere } from "../sessions/find.ts";
import {
	columnsOf,
	DONE,
	NOT_FOUND,
	type Painter,
	paintFor,
	printJson,
	type World,
	wrapped,
} from "../shell/world.ts";

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

interface ReadOptions {
	at?: string;
	around?: number;
	json?: boolean;
}

/**
 * Prints a session as a conversation in a terminal and, in a pipe, as the text that the agent's `session_read` tool returns. The session's
 * title or id can be followed by the place of a hit, such as `@1a2b`, as printed by `pi-sessions search`.
 */
export async function read(options: ReadOptions, world: World, typed: string): Promise<number> {
	const [, wanted = typed, place] = /^(.*\S)\s+(@[0-9a-z]+(?:\.\d+)?)$/.exec(typed) ?? [];
	const at = options.at ?? place;
	const { around = 3, json } = options;
	if (at === undefined && options.around !== undefined)
		return world.fail("--around needs --at, or a place as printed by search, such as @9k.", NOT_FOUND);
	const found = await findSession(wanted, world);
	if (!found.ok) return world.fail(found.problem, NOT_FOUND);
	const { row, view } = found;
	const session = sessionJson(view);
	const near = at === undefined ? undefined : await readAround(row.path, at, around);
	if (near && !near.ok)
		return world.fail(
			near.reason === "not_found"
				? `this session has no entry "${clipColumns(cleanLine(at ?? ""), 40)}". Run pi-sessions search <words> to find entries and their places, such as @9k.`
				: "the session's file cannot be read.",
			NOT_FOUND,
		);
	if (near && json) {
		const { next = null, earlier = null, later = null } = near;
		const entries = near.entries.map(({ place: name, entryId, at: written, parts }) => ({
			place: name,
			entry_id: entryId,
			at: written === undefined ? null : seconds(written),
			parts,
		}));
		printJson({ session, entries, next, earlier, later }, world.out);
		return DONE;
	}
	if (world.out.isTTY && !json) return readInTerminal(row, view, { near, world });
	const now = world.now();
	const text = await (at === undefined ? sessionText(row, now) : aroundText(row, { at, around, now }));
	if (!text.ok) return world.fail(text.reason);
	if (json) printJson({ session, text: text.text }, world.out);
	else world.out.write(`${text.text}\n`);
	return DONE;
}

/** Prints a session's turns or, with `near`, the entries around a position, wrapped to the width of the terminal. */
async function readInTerminal(
	row: SessionSummary,
	{ title, modified, project, ending }: SessionView,
	{
		near,
		world,
	}: { near: Extract<Awaited<ReturnType<typeof readAround>>, { ok: true }> | undefined; world: World },
): Promise<number> {
	const paint = paintFor(world.out, world.env);
	const columns = columnsOf(world.out);
	const print = (lines: readonly string[]) => world.out.write(`${lines.join("\n")}\n`);
	const facts = [longAge(modified, world.now()), project].filter(Boolean).join(" · ");
	const head = [...wrapped(title, columns).map(paint.bold), ...wrapped(facts, columns).map(paint.dim)];
	if (!near) {
		const read = await sessionPassages(row);
		if (!read.ok) return world.fail(read.reason);
		const end = ending?.outcome === "waiting" ? ["", paint.yellow(endingText(ending))] : [];
		print([...head, ...passageLines(read.passages, columns, paint), ...end]);
		return DONE;
	}
	const lines = near.entries.flatMap(({ place, at: time, parts }) => {
		const when = time === undefined ? "" : ` · ${longAge(time, world.now())}`;
		const texts = parts.map(({ by, text }) => ({ by, text: safeText(text) }));
		return ["", paint.dim(place + when), ...passageLines(texts, columns, paint).slice(1)];
	});
	const on = Object.entries({ "rest of the entry": near.next, earlier: near.earlier, later: near.later });
	const places = on.filter(([, place]) => place).map(([name, place]) => `${name}: ${place}`);
	const more = places.length > 0 ? ["", ...wrapped(places.join(" · "), columns).map(paint.dim)] : [];
	print([...head, ...lines, ...more]);
	return DONE;
}

/** Puts `>` before requests, indents steps and their output, and separates the parts with blank lines. */
function passageLines(passages: readonly Passage[], columns: number | undefined, paint: Painter): string[] {
	let wasStep = false;
	return passages.flatMap(({ by, text }) => {
		if (text.trim() === "") return [];
		const isStep = by !== "user" && by !== "assistant";
		const gap = isStep && wasStep ? [] : [""];
		wasStep = isStep;
		const indent = isStep ? "  " : "";
		const color = by === "user" ? paint.bold : isStep && paint.dim;
		const lines = text.trim().split("\n");
		const shown = lines.flatMap((line) => wrapped(indent + line, columns && columns - 2, indent));
		const marked = by === "user" ? shown.map((line, index) => (index === 0 ? "> " : "  ") + line) : shown;
		return [...gap, ...(color ? marked.map(color) : marked)];
	});
}
