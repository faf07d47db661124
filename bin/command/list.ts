import { basename, dirname, join } from "node:path";
import {
	foldOf,
	inUsualOrder,
	isInState,
	type ListedState,
	Offers,
	OVERLAPPING,
	PLANTED_MARK,
	projectFolder,
	projectFolders,
	projectOf,
	sessionJson,
	sessionNames,
	sessionsRoot,
	summarize,
	toldApart,
	viewOf,
	withForeignChanges,
} from "../../session-core/sessions/index.ts";
import { leaseFinder, type Overlap, openLeases, overlapsOf } from "../../session-core/sessions/live/index.ts";
import { isFolder } from "../../session-core/text/files/index.ts";
import { cleanLine, clipColumns, redact, shortAge } from "../../session-core/text/index.ts";
import { allSessions, isSamePlace, isTorn, openSessions, sessionsHere } from "../sessions/find.ts";
import { type ListedView, pickSession, shownId, type TableView, tableOf } from "../sessions/table.ts";
import { columnsOf, DONE, FAILED, printJson, type World } from "../shell/world.ts";

interface ListOptions {
	all?: boolean;
	background?: boolean;
	archived?: boolean;
	state?: ListedState;
	limit?: number;
	json?: boolean;
}

/**
 * Runs `pi-sessions` without a command in a terminal: lists sessions to choose from, beginning with those of this project, and resumes the
 * chosen one. Resolves to undefined if there are no sessions.
 */
export async function pick(world: World): Promise<number | undefined> {
	const { rows } = await allSessions(world);
	const leaseOf = openSessions(world);
	const all = rows.map((row) => viewOf(row, leaseOf(row)));
	const views = toldApart(all.filter((view) => foldOf(view) === undefined).sort(inUsualOrder));
	if (views.length === 0) return undefined;
	const here = views.filter((view) => isSamePlace(view.cwd, world.cwd));
	const scopes = [...(here.length > 0 ? [{ views: here, all: false }] : []), { views, all: true }];
	const chosen = await pickSession(scopes, new Offers(rows), world);
	if (!chosen) return DONE;
	const { resume } = await import("./resume.ts");
	return resume({}, world, chosen.path);
}

export async function list(options: ListOptions, world: World): Promise<number> {
	const { all = false, archived, background, json, limit, state } = options;
	const { rows, unread } = await (all ? allSessions : sessionsHere)(world, { archived });
	for (const line of unread) world.say(line);
	const code = rows.length === 0 && unread.length > 0 ? FAILED : DONE;
	const isTable = (world.out.isTTY ?? false) && !json;
	const leases = openLeases(world.agentDir, world.now(), world.env);
	const leaseOf = leaseFinder(leases);
	const overlaps =
		json || isTable
			? await overlapsOf(await withForeignChanges(leases, { ...world, now: world.now() }))
			: new Map<string, Overlap[]>();
	const wanted = rows
		.map((row): ListedView => {
			const lease = leaseOf(row);
			return { ...viewOf(row, lease), overlaps: overlaps.get(lease?.instance ?? "") ?? [] };
		})
		.filter((view) => state === undefined || isInState(view, state));
	// With `--state`, headless runs and child sessions in that state are listed, too.
	const shown = background || state ? wanted : wanted.filter((view) => foldOf(view) === undefined);
	const listed = (isTable ? shown.toSorted(inUsualOrder) : shown).slice(0, limit);
	if (json) {
		printJson({ sessions: listed.map((view) => sessionJson(view, view.overlaps)) }, world.out);
		return code;
	}
	const views = toldApart(listed);
	const look = { ...world, all, ...(isTable && { among: new Offers(rows) }) };
	for (const line of listLines(views, look)) world.out.write(`${line}\n`);
	for (const line of overlapLines(views)) world.say(line);
	const torn = views.filter((view) => view.state === "closed" && isTorn(view));
	if (torn.length > 0) {
		const ids = torn.slice(0, NAMED).map((view) => shownId(view, look.among));
		world.say(
			`damaged: ${ids.join(", ")}${torn.length > NAMED ? " …" : ""}. pi-sessions resume <id> --repair opens a copy of what can be read.`,
		);
	}
	const hidden = wanted.length - shown.length;
	if (code === DONE) world.err.write(noteOf(options, { shown: shown.length, hidden, world }));
	return code;
}

const NAMED = 5;

/** Returns one line for each file that a listed live session and any other live session have both changed. */
function overlapLines(views: readonly ListedView[]): string[] {
	const paths = new Set(views.flatMap(({ overlaps = [] }) => overlaps.map(({ path }) => path)));
	const lines = [...paths].map((path) => {
		const by = views.filter(({ overlaps = [] }) => overlaps.some((one) => one.path === path));
		const names = by.map(({ title }) => `"${clipColumns(title, 60)}"`);
		if (names.length < 2) names.push("a session that is not listed");
		return `${OVERLAPPING} ${projectOf(path)} was changed in ${names.join(" and ")}, and is not committed.`;
	});
	const more = lines.length - NAMED;
	return more > 0 ? [...lines.slice(0, NAMED), `… and ${more} more such files.`] : lines;
}

function noteOf(
	{ all, state }: ListOptions,
	{ shown, hidden, world }: { shown: number; hidden: number; world: World },
): string {
	const more =
		hidden > 0
			? `Headless runs and child sessions are hidden (${hidden}). Use --background to show them.\n`
			: "";
	if (shown > 0) return world.out.isTTY ? more : "";
	const none = state ? "No sessions in that state" : "No sessions";
	const folder = cleanLine(world.sessionDir ?? sessionsRoot(world.agentDir));
	const former = all || world.sessionDir !== undefined ? [] : formerPlaces(world);
	const lines = former.map(
		(old) =>
			`The sessions of ${cleanLine(old.cwd)}, which no longer exists, are in ${cleanLine(old.folder)}.\n`,
	);
	const here = ` in this project. Use --all to see all projects.\n${lines.join("")}`;
	return `${none}${all ? ` (${folder}).\n` : here}${more}`;
}

const PLACES = 3;

/**
 * Returns folders that no longer exist and in which this project may have been located before it was renamed (same parent folder) or moved
 * (same name), each with the folder that contains its sessions.
 */
function formerPlaces({ agentDir, cwd }: World): { cwd: string; folder: string }[] {
	const root = sessionsRoot(agentDir);
	const sibling = projectFolder(root, join(dirname(cwd), "_")).slice(0, -"_--".length);
	const namesake = `-${basename(projectFolder(root, `/${basename(cwd)}`)).slice("--".length)}`;
	const found = projectFolders(root)
		.filter((folder) => folder.startsWith(sibling) || folder.endsWith(namesake))
		.flatMap((folder) => {
			const newest = sessionNames(folder).sort().at(-1);
			const read = newest === undefined ? undefined : summarize(join(folder, newest));
			return read?.ok ? [{ folder, ...read.record.summary }] : [];
		})
		.filter(
			({ cwd: old }) =>
				old !== "" && !isFolder(old) && (dirname(old) === dirname(cwd) || basename(old) === basename(cwd)),
		);
	return found.sort((a, b) => b.modified - a.modified).slice(0, PLACES);
}

/**
 * Returns one line per session: a table row that fits the terminal or, in a pipe, tab-separated fields (state, age, id, title, folder, next
 * step and, for another agent's session, the agent).
 */
function listLines(rows: readonly ListedView[], view: TableView): string[] {
	const columns = columnsOf(view.out);
	if (columns !== undefined) return tableOf(rows, columns, view);
	const counts = new Map<string, number>();
	for (const { id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1);
	return rows.map((row) => fieldsOf(row, counts.get(row.id) !== 1, view).join("\t"));
}

/** If several files have the same id, the path is printed instead of the id. */
function fieldsOf(row: ListedView, isCopied: boolean, { now }: TableView): string[] {
	const { state, modified, title, project, next, format, planted } = row;
	const name = isCopied ? cleanLine(row.path) : row.id;
	const fields = [state, shortAge(modified, now()), redact(name), title, project || "?", next?.text ?? ""];
	if (planted) return [...fields, PLANTED_MARK];
	return format.mark === "" ? fields : [...fields, format.name];
}
