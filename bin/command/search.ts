import { endingText, longAge } from "../../session-core/recap/index.ts";
import {
	aroundText,
	hitJson,
	MAX_QUERY,
	type Passage,
	placeName,
	readAround,
	remarksOn,
	type SearchHit,
	type SessionSummary,
	type SessionView,
	searchListed,
	seconds,
	sessionJson,
	sessionPassages,
	sessionText,
	sinceTime,
	speakerOf,
	titleOf,
	viewOf,
} from "../../session-core/sessions/index.ts";
import { safeText } from "../../session-core/text/index.ts";
import { findSession, listed, openSessions } from "../sessions/index.ts";
import { DONE, NOT_FOUND, type World } from "../shell/world.ts";

type SearchOptions = { all?: boolean; since?: string; limit: number; json?: boolean };

export async function search(options: SearchOptions, world: World, query: string): Promise<number> {
	if (query.length > MAX_QUERY)
		return world.fail(`The query is too long. Use at most ${MAX_QUERY} characters.`, NOT_FOUND);
	const { all, limit, json } = options;
	const since = options.since === undefined ? undefined : sinceTime(options.since, world.now());
	const { rows } = await listed(world, { all });
	const search = { query, cwd: world.cwd, since, limit };
	const { found = [], searched = 0, total = 0 } = (await searchListed(rows, search)) ?? {};
	world.log("search.done", { sessions: searched, hits: found.length, total });
	if (json) {
		const leaseOf = openSessions(world);
		const all = found.map(({ hit, session }) => hitJson(hit, sessionJson(viewOf(session, leaseOf(session)))));
		world.printJson({ hits: await Promise.all(all) });
		return DONE;
	}
	for (const { hit, session } of found) world.print(...hitLines(hit, session, world));
	if (found.length === 0) {
		const sessions = `${searched} ${searched === 1 ? "session" : "sessions"}`;
		if (all) world.note(`No matches were found in ${sessions}.\n`);
		else
			world.note(`No matches were found in this project (${sessions}). Use --all to search all projects.\n`);
		return DONE;
	}
	const more = total - found.length;
	if (more > 0)
		world.note(
			`${more} matches are not shown. Use more specific words, or use --limit to show more matches.\n`,
		);
	world.note("Run pi-sessions read <id> <@place> to read the entries around a match.\n");
	return DONE;
}

function hitLines(hit: SearchHit, session: SessionSummary, world: World): string[] {
	const { columns, fold, line, name, paint } = world;
	const id = name(session.id);
	const title = line(titleOf(session), columns);
	const age = world.age(hit.at ?? session.modified);
	const place = placeName(hit.offset, hit.section);
	if (columns === undefined) return [[id, place, age, hit.by, title, hit.excerpt].join("\t")];
	return [
		paint.bold(title),
		...fold(`${id} ${place} · ${age}`).map(paint.dim),
		...fold(`  ${speakerOf(hit.by)}: ${hit.excerpt}${remarksOn(hit)}`, "  "),
		"",
	];
}

type ReadOptions = { at?: string; around?: number; json?: boolean };

type Near = Extract<Awaited<ReturnType<typeof readAround>>, { ok: true }>;

/**
 * In a terminal, the session is shown as a conversation. Piped output is the same text that the agent's
 * `session_read` tool returns.
 */
export async function read(options: ReadOptions, world: World, typed: string): Promise<number> {
	const [, wanted = typed, place] = /^(.*\S)\s+(@[0-9a-z]+(?:\.\d+)?)$/.exec(typed) ?? [];
	const { at = place, around = 3, json } = options;
	if (at === undefined && options.around !== undefined)
		return world.fail(
			"--around needs an entry: use --at, or add a place that search printed, such as @9k.",
			NOT_FOUND,
		);
	const view = await findSession(wanted, world);
	if (!view) return NOT_FOUND;
	const session = sessionJson(view);
	const near = at === undefined ? undefined : await readAround(view.path, at, around);
	if (near?.ok === false) {
		const entry = world.line(at ?? "", 40);
		const unknown = `This session has no entry "${entry}". Run pi-sessions search <words> to find entries.`;
		const why = near.reason === "not_found" ? unknown : "The session's file cannot be read.";
		return world.fail(why, NOT_FOUND);
	}
	if (near && json) {
		world.printJson({ session, ...nearJson(near) });
		return DONE;
	}
	if (world.columns !== undefined && !json) return readInTerminal(view, near, world);
	const now = world.now();
	const text = await (at === undefined ? sessionText(view, now) : aroundText(view, { at, around, now }));
	if (!text.ok) return world.fail(text.detail);
	if (json) world.printJson({ session, text: text.text });
	else world.print(text.text);
	return DONE;
}

function nearJson({ entries, next, earlier, later }: Near) {
	const all = entries.map(({ place, entryId, at, parts }) => ({
		place,
		entry_id: entryId,
		at: at === undefined ? null : seconds(at),
		parts,
	}));
	return { entries: all, next: next ?? null, earlier: earlier ?? null, later: later ?? null };
}

async function readInTerminal(view: SessionView, near: Near | undefined, world: World): Promise<number> {
	const { title, modified, project, ending } = view;
	const { fold, now, paint } = world;
	const facts = [longAge(modified, now()), project].filter(Boolean).join(" · ");
	const head = [...fold(title).map(paint.bold), ...fold(facts).map(paint.dim)];
	if (!near) {
		const read = await sessionPassages(view);
		if (!read.ok) return world.fail(read.detail);
		const end = ending?.outcome === "waiting" ? ["", paint.yellow(endingText(ending))] : [];
		world.print(...head, ...passageLines(read.passages, world), ...end);
		return DONE;
	}
	const lines = near.entries.flatMap(({ place, at, parts }) => {
		const when = at === undefined ? "" : ` · ${longAge(at, now())}`;
		const texts = parts.map(({ by, text }) => ({ by, text: safeText(text) }));
		return ["", paint.dim(place + when), ...passageLines(texts, world).slice(1)];
	});
	const on = Object.entries({ "rest of the entry": near.next, earlier: near.earlier, later: near.later });
	const places = on.filter(([, place]) => place).map(([name, place]) => `${name}: ${place}`);
	const more = places.length > 0 ? ["", ...fold(places.join(" · ")).map(paint.dim)] : [];
	world.print(...head, ...lines, ...more);
	return DONE;
}

function passageLines(passages: readonly Passage[], { fold, paint }: World): string[] {
	let wasStep = false;
	return passages.flatMap(({ by, text }) => {
		if (text.trim() === "") return [];
		const isStep = by !== "user" && by !== "assistant";
		const gap = isStep && wasStep ? [] : [""];
		wasStep = isStep;
		const indent = isStep ? "  " : "";
		const color = by === "user" ? paint.bold : isStep && paint.dim;
		const lines = text.trim().split("\n");
		const shown = lines.flatMap((line) => fold(indent + line, indent, 2));
		const marked = by === "user" ? shown.map((line, index) => (index === 0 ? "> " : "  ") + line) : shown;
		return [...gap, ...(color ? marked.map(color) : marked)];
	});
}
