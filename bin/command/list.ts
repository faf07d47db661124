import { basename, dirname, join } from "node:path";
import { beginsWithTitle, NEWLINE } from "../../session-core/log/index.ts";
import {
	projectFolder,
	projectFolders,
	sessionNames,
	sessionsRoot,
} from "../../session-core/sessions/folders.ts";
import { withForeignChanges } from "../../session-core/sessions/foreign-changes.ts";
import { leaseFinder, type Overlap, openLeases, overlapsOf } from "../../session-core/sessions/live/index.ts";
import { Offers } from "../../session-core/sessions/match.ts";
import {
	foldOf,
	inUsualOrder,
	isInState,
	type ListedState,
	OVERLAPPING,
	PLANTED_MARK,
} from "../../session-core/sessions/session-list.mjs";
import { summarize } from "../../session-core/sessions/summary.ts";
import { projectOf, type SessionView, toldApart, viewOf } from "../../session-core/sessions/view.ts";
import { sessionJson } from "../../session-core/sessions/view-json.ts";
import { isFolder, partOf } from "../../session-core/text/files/index.ts";
import { cleanLine, clipColumns, redact, shortAge } from "../../session-core/text/index.ts";
import { allSessions, sessionsHere } from "../sessions/find.ts";
import { type ListedView, shownId, type TableView, tableOf } from "../sessions/table.ts";
import { columnsOf } from "../shell/terminal.ts";
import { DONE, FAILED, printJson, type World } from "../shell/world.ts";

interface ListOptions {
	all?: boolean;
	background?: boolean;
	archived?: boolean;
	state?: ListedState;
	limit?: number;
	json?: boolean;
}

export async function list(options: ListOptions, world: World): Promise<number> {
	const { limit = Number.POSITIVE_INFINITY } = options;
	const leases = openLeases(world.agentDir, world.now(), world.env);
	const leaseOf = leaseFinder(leases);
	const { archived } = options;
	const { rows, unread } = await (options.all ? allSessions : sessionsHere)(world, { archived });
	for (const line of unread) world.say(line);
	const code = rows.length === 0 && unread.length > 0 ? FAILED : DONE;
	const seen = rows.map((row) => {
		const lease = leaseOf(row);
		return { lease, view: viewOf(row, lease) };
	});
	const { state } = options;
	const wanted = seen.filter(({ view }) => state === undefined || isInState(view, state));
	// With `--state`, headless runs and child sessions in that state are listed, too.
	const shown = wanted.filter(
		({ view }) => options.background || options.state || foldOf(view) === undefined,
	);
	const isTable = (world.out.isTTY ?? false) && !options.json;
	const ordered = isTable ? shown.toSorted((one, other) => inUsualOrder(one.view, other.view)) : shown;
	const listed = ordered.slice(0, limit);
	const overlaps =
		options.json || isTable
			? await overlapsOf(await withForeignChanges(leases, { ...world, now: world.now() }))
			: new Map<string, Overlap[]>();
	if (options.json) {
		const json = listed.map(({ view, lease }) => sessionJson(view, overlaps.get(lease?.instance ?? "")));
		printJson({ sessions: json }, world.out);
		return code;
	}
	const views = toldApart(
		listed.map(({ view, lease }) => ({ ...view, overlaps: overlaps.get(lease?.instance ?? "") ?? [] })),
	);
	const view = { ...world, all: options.all ?? false, ...(isTable && { among: new Offers(rows) }) };
	for (const line of listLines(views, view)) world.out.write(`${line}\n`);
	for (const line of overlapLines(views)) world.say(line);
	const torn = views.filter((one) => one.state === "closed" && isTorn(one));
	if (torn.length > 0) {
		const ids = torn.slice(0, NAMED).map((one) => shownId(one, view.among));
		world.say(
			`damaged: ${ids.join(", ")}${torn.length > NAMED ? " …" : ""}. pi-sessions resume <id> --repair opens a copy of what can be read.`,
		);
	}
	if (code === DONE)
		world.err.write(noteOf(options, { shown: shown.length, hidden: wanted.length - shown.length, world }));
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

/** Whether pi cannot read a session's file, or the file ends in the middle of a line, as after a crash. `show` also finds other damage. */
function isTorn({ path, size, readable, format }: SessionView): boolean {
	if (!format.canOpen) return false;
	const [last = NEWLINE] = partOf(path, size - 1, 1);
	return (!readable && !beginsWithTitle(path)) || last !== NEWLINE;
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
 * Returns folders that no longer exist and that may have been this project before it was renamed (same parent) or moved (same name), each
 * with the place of its sessions.
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
 * Returns one line per session: a row of a table that fits the terminal or, in a pipe, tab-separated fields (state, age, id, title, folder,
 * next step and, for another agent's session, the agent).
 */
export function listLines(rows: readonly ListedView[], view: TableView): string[] {
	const columns = columnsOf(view.out);
	if (columns === undefined) {
		const counts = new Map<string, number>();
		for (const { id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1);
		return rows.map((row) => fieldsOf(row, counts.get(row.id) !== 1, view).join("\t"));
	}
	return tableOf(rows, columns, view);
}

/** Several files can have the same id, so the path replaces an id that is not unique. */
function fieldsOf(row: SessionView, isCopied: boolean, { now }: TableView): string[] {
	const { state, modified, title, project, next, format, planted } = row;
	const name = isCopied ? cleanLine(row.path) : row.id;
	const fields = [state, shortAge(modified, now()), redact(name), title, project || "?", next?.text ?? ""];
	if (planted) return [...fields, PLANTED_MARK];
	return format.mark === "" ? fields : [...fields, format.name];
}
