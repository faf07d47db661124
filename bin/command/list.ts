import { basename, dirname, join } from "node:path";
import {
	foldOf,
	inUsualOrder,
	isInState,
	type ListedState,
	leaseFinder,
	Offers,
	OVERLAPPING,
	type Overlaps,
	openLeases,
	overlapsOf,
	PLANTED_MARK,
	projectFolder,
	projectFolders,
	type SessionView,
	sessionJson,
	sessionNames,
	sessionsRoot,
	startedIn,
	summarize,
	toldApart,
	viewOf,
} from "../../session-core/sessions/index.ts";
import { cleanLine, isFolder } from "../../session-core/text/index.ts";
import { isTorn, listed, openSessions, pickSession, shownId, tableOf } from "../sessions/index.ts";
import { DONE, FAILED, type World } from "../shell/world.ts";

/**
 * Lets the user choose a session to resume, and lists the current project's sessions first. Resolves to
 * undefined if there are no sessions.
 */
export async function pick(world: World): Promise<number | undefined> {
	const { rows } = await listed(world, { all: true });
	const leaseOf = openSessions(world);
	const all = rows.map((row) => viewOf(row, leaseOf(row)));
	const views = toldApart(all.filter((view) => foldOf(view) === undefined).sort(inUsualOrder));
	if (views.length === 0) return undefined;
	const here = views.filter(startedIn(world.cwd));
	const scopes = [...(here.length > 0 ? [{ views: here, all: false }] : []), { views, all: true }];
	const chosen = await pickSession(scopes, new Offers(rows), world);
	if (!chosen) return DONE;
	const { resume } = await import("./resume.ts");
	return resume({}, world, chosen.path);
}

interface ListOptions {
	all?: boolean;
	background?: boolean;
	archived?: boolean;
	state?: ListedState;
	limit?: number;
	json?: boolean;
}

const NAMED = 5;

export async function list(options: ListOptions, world: World): Promise<number> {
	const { all = false, archived, background, json, limit, state } = options;
	const { rows, unread } = await listed(world, { all, archived });
	for (const line of unread) world.say(line);
	const isTable = world.columns !== undefined && !json;
	const leases = openLeases(world.agentDir, world.now(), world);
	const leaseOf = leaseFinder(leases);
	const overlaps: Overlaps =
		json || isTable ? await overlapsOf(leases, { ...world, now: world.now() }) : new Map();
	const wanted = rows
		.map((row) => viewOf(row, leaseOf(row), overlaps))
		.filter((view) => state === undefined || isInState(view, state));
	// `--state` implies `--background`, because background sessions can also be in the given state.
	const shown = background || state ? wanted : wanted.filter((view) => foldOf(view) === undefined);
	const found = (isTable ? shown.toSorted(inUsualOrder) : shown).slice(0, limit);
	const code = rows.length === 0 && unread.length > 0 ? FAILED : DONE;
	if (json) {
		world.printJson({ sessions: found.map(sessionJson) });
		return code;
	}
	const views = toldApart(found);
	const among = isTable ? new Offers(rows) : undefined;
	const lines =
		world.columns === undefined
			? fieldLines(views, world)
			: tableOf(views, world.columns, { ...world, all, among });
	for (const line of lines) world.print(line);
	for (const line of overlapLines(views, world)) world.say(line);
	const torn = views.filter((view) => view.state === "closed" && isTorn(view));
	if (torn.length > 0) {
		const ids = torn.slice(0, NAMED).map((view) => shownId(view, among));
		world.say(
			`The files of these sessions are damaged: ${ids.join(", ")}${torn.length > NAMED ? " …" : ""}. Run pi-sessions resume <id> --repair to open a repaired copy.`,
		);
	}
	if (code !== DONE) return code;
	if (shown.length === 0) world.note(noneFound(options, world));
	const hidden = wanted.length - shown.length;
	if (hidden > 0 && (isTable || shown.length === 0))
		world.note(`Headless runs and child sessions are hidden (${hidden}). Use --background to show them.\n`);
	return code;
}

function overlapLines(views: readonly SessionView[], { line, path: shownPath }: World): string[] {
	const paths = new Set(views.flatMap(({ overlaps }) => overlaps.map(({ path }) => path)));
	const lines = [...paths].map((path) => {
		const by = views.filter(({ overlaps }) => overlaps.some((one) => one.path === path));
		const titles = by.map(({ title }) => `"${line(title, 60)}"`);
		if (titles.length < 2) titles.push("another session");
		const [file, sessions] = [shownPath(path), titles.join(" and ")];
		return [OVERLAPPING, `${file} has uncommitted changes from ${sessions}.`].join(" ");
	});
	const more = lines.length - NAMED;
	return more > 0
		? [...lines.slice(0, NAMED), `… and ${more} more files with changes from several live sessions.`]
		: lines;
}

function noneFound({ all, state }: ListOptions, world: World): string {
	const sessions = state ? `${state} sessions` : "sessions";
	const root = sessionsRoot(world.agentDir);
	if (all) return `No ${sessions} in ${world.sessionDir ?? root}.\n`;
	const former = world.sessionDir === undefined ? formerPlaces(root, world.cwd) : [];
	return [
		`No ${sessions} in this project. Use --all to include all projects.\n`,
		...former.map(
			({ project, folder }) => `The folder ${project} no longer exists, but its sessions are in ${folder}.\n`,
		),
	].join("");
}

/**
 * Scripts parse this output. If several files share a session id, the output contains each file's path
 * instead of the id.
 */
function fieldLines(rows: readonly SessionView[], { age, name: shown }: World): string[] {
	const counts = new Map<string, number>();
	for (const { id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1);
	return rows.map(({ id, path, state, modified, title, project, next, format, planted }) => {
		const name = shown(counts.get(id) === 1 ? id : path);
		const origin = planted ? PLANTED_MARK : format.mark && format.name;
		const fields = [state, age(modified), name, title, project || "?", next?.text ?? ""];
		return [...fields, ...(origin ? [origin] : [])].join("\t");
	});
}

const PLACES = 3;

/**
 * Finds the session folders of a project that was renamed or moved. A renamed project keeps its parent
 * folder, and a moved project keeps its name.
 */
function formerPlaces(root: string, here: string): { project: string; folder: string }[] {
	const sibling = projectFolder(root, join(dirname(here), "_")).slice(0, -"_--".length);
	const namesake = `-${basename(projectFolder(root, `/${basename(here)}`)).slice("--".length)}`;
	const isFormer = (cwd: string) =>
		cwd !== "" && !isFolder(cwd) && (dirname(cwd) === dirname(here) || basename(cwd) === basename(here));
	return projectFolders(root)
		.filter((folder) => folder.startsWith(sibling) || folder.endsWith(namesake))
		.flatMap((folder) => {
			const newest = sessionNames(folder).sort().at(-1);
			const read = newest === undefined ? undefined : summarize(join(folder, newest));
			return read?.ok && isFormer(read.record.summary.cwd) ? [{ folder, ...read.record.summary }] : [];
		})
		.sort((a, b) => b.modified - a.modified)
		.slice(0, PLACES)
		.map(({ cwd, folder }) => ({ project: cleanLine(cwd), folder: cleanLine(folder) }));
}
