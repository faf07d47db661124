import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { beginsWithTitle, checkSession, NEWLINE, readLogSlowly } from "../../session-core/log/index.ts";
import {
	listSessions,
	meant,
	Offers,
	projectFolder,
	type ScanOptions,
	type ScanReport,
	type SessionJson,
	type SessionSummary,
	type SessionView,
	sessionAt,
	sessionsRoot,
	titleOf,
	toldApart,
	viewOf,
} from "../../session-core/sessions/index.ts";
import { type Lease, type LeaseOf, leaseFinder, openLeases } from "../../session-core/sessions/live/index.ts";
import type { SearchHit } from "../../session-core/sessions/search/index.ts";
import { chunksOf, Pace, partOf } from "../../session-core/text/files/index.ts";
import { cleanLine, clipColumns, nearest, redact, safeText } from "../../session-core/text/index.ts";
import type { World } from "../shell/world.ts";
import { pickSession } from "./table.ts";

/** Sessions, newest first. `unread`: messages about folders and files that could not be read. */
export interface Listed {
	rows: SessionSummary[];
	unread: string[];
}

/** Returns the folders that contain this project's sessions, or undefined for the folders of all projects. */
export function foldersOf({ agentDir, sessionDir, cwd }: World, all: boolean): string[] | undefined {
	if (sessionDir !== undefined) return [sessionDir];
	return all ? undefined : [projectFolder(sessionsRoot(agentDir), cwd)];
}

type ListOptions = Pick<ScanOptions, "archived">;

export async function sessionsHere(here: World, options?: ListOptions): Promise<Listed> {
	const { rows, unread } = await listed(here, foldersOf(here, false), options);
	// If the user has chosen one folder for all sessions, it also contains other projects' sessions.
	const own = here.sessionDir === undefined ? rows : rows.filter((row) => isSamePlace(row.cwd, here.cwd));
	return { rows: own, unread };
}

export function allSessions(here: World, options?: ListOptions): Promise<Listed> {
	return listed(here, foldersOf(here, true), options);
}

async function listed(
	{ agentDir, formats, env, cwd }: World,
	folders: string[] | undefined,
	options: ListOptions = {},
): Promise<Listed> {
	const reports: ScanReport[] = [];
	const onReport = (report: ScanReport) => void reports.push(report);
	const rows = await listSessions({ agentDir, formats, env, cwd, folders, ...options, onReport });
	return { rows, unread: unreadLines(reports) };
}

export function isSamePlace(one: string, other: string): boolean {
	return one === other || (one !== "" && real(one) === real(other));
}

function real(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		// The folder does not exist, so its path can only be compared as text.
		return path;
	}
}

/** Returns a function that finds a session's lease. The leases are read only once. */
export function openSessions({ agentDir, now, env }: Pick<World, "agentDir" | "now" | "env">): LeaseOf {
	return leaseFinder(openLeases(agentDir, now(), env));
}

/** Maximum size in bytes of a file that is read in full to check for damage. */
const MOST_CHECKED = 64 * 1024 * 1024;

/** Whether a closed session's file is damaged, so that pi could lose part of it. */
export async function isDamaged({ path, size, format }: SessionSummary, lease?: Lease): Promise<boolean> {
	if (!format.canOpen || lease || size > MOST_CHECKED) return false;
	const check = await checkSession(path);
	return check.ok && !check.sound && !beginsWithTitle(path);
}

/** Whether pi cannot read a session's file, or the file ends in the middle of a line, as after a crash. `show` also finds other damage. */
export function isTorn({ path, size, readable, format }: SessionView): boolean {
	if (!format.canOpen) return false;
	const [last = NEWLINE] = partOf(path, size - 1, 1);
	return (!readable && !beginsWithTitle(path)) || last !== NEWLINE;
}

const NAMED = 5;

type FoundSession =
	| { ok: true; row: SessionSummary; lease: Lease | undefined; view: SessionView }
	| { ok: false; problem: string };

/** Returns the file or the id of the session whose agent runs this command. pi 1.x provides them in environment variables. */
export function currentSession({ env }: World): string {
	return env["PI_SESSION_FILE"] || env["PI_SESSION_ID"] || "";
}

/**
 * Finds the session that matches a title or id, first in this project, then in all projects. Without a title or id, finds the session whose
 * agent runs this command. `problem` is a message for the user, which may have several lines.
 */
export async function findSession(typed: string, world: World): Promise<FoundSession> {
	const found = await foundSession(typed, world);
	if (found.ok) world.concerns(found.row.id);
	return found;
}

async function foundSession(typed: string, world: World): Promise<FoundSession> {
	const wanted = typed || currentSession(world);
	if (wanted === "")
		return { ok: false, problem: "specify a session by its title or id; run pi-sessions list to see them." };
	// The path of a file is looked up directly, because lists contain only the newest file of each session.
	const named = /\.jsonl?(?:\.zst)?$/.test(wanted)
		? await sessionAt(resolve(world.cwd, wanted), world.agentDir)
		: undefined;
	if (named) return single([named], wanted, [], world);
	const here = await sessionsHere(world, { archived: true });
	const own = meant(here.rows, wanted);
	if (own.length > 0) return single(own, wanted, here.rows, world);
	const all = await allSessions(world, { archived: true });
	const found = meant(all.rows, wanted);
	if (found.length > 0) return single(found, wanted, all.rows, world);
	const near = nearest(wanted, all.rows, titleOf);
	const lines = near.length === 0 ? [] : ["Did you mean:", ...near.map((row) => candidate(viewOf(row)))];
	const short = /^[0-9a-f]{1,3}$/i.test(wanted) ? ["An id needs at least four characters."] : [];
	const unread = new Set([...here.unread, ...all.unread]);
	const none = `no session matches "${shown(wanted)}"; run pi-sessions list --all to see all sessions.`;
	return { ok: false, problem: [none, ...short, ...lines, ...unread].join("\n") };
}

/** `among`: all sessions that were searched. */
async function single(
	found: readonly SessionSummary[],
	wanted: string,
	among: readonly SessionSummary[],
	world: World,
): Promise<FoundSession> {
	const [row] = found;
	const leaseOf = openSessions(world);
	const foundOne = (one: SessionSummary) => {
		const lease = leaseOf(one);
		return { ok: true, row: one, lease, view: viewOf(one, lease) } as const;
	};
	if (row && found.length === 1) return foundOne(row);
	const all = found.map(foundOne);
	// Copies of a session file share its id, so sessions whose ids are not unique are listed by path.
	const isById = new Set(found.map(({ id }) => id)).size === found.length;
	if (world.keyboard && isById) {
		const views = toldApart(all.map(({ view }) => view));
		const chosen = await pickSession([{ views, all: true }], new Offers(among), world);
		return (
			all.find((_, index) => views[index] === chosen) ?? { ok: false, problem: "no session was chosen." }
		);
	}
	const several = `${found.length} sessions match "${shown(wanted)}"`;
	const lines = toldApart(
		all.map(({ view }) => view),
		"all",
	)
		.slice(0, NAMED)
		.map((view) => candidate(view, isById ? "id" : "path"));
	const more =
		found.length > NAMED
			? [`  … and ${found.length - NAMED} more; run pi-sessions list --all to see all sessions`]
			: [];
	const by = isById ? "an id" : "a file path";
	return { ok: false, problem: [`${several}. Specify ${by}:`, ...lines, ...more].join("\n") };
}

function candidate({ id, path, title }: SessionView, by: "id" | "path" = "id"): string {
	const name = by === "path" ? cleanLine(path) : redact(id);
	return `  ${name}  ${clipColumns(title, 80)}`;
}

function shown(text: string): string {
	return clipColumns(cleanLine(text), 60);
}

const NAMED_FOLDERS = 3;

/** Returns messages about folders and files that could not be read, because a session in them may be missing from the list. */
export function unreadLines(reports: readonly Omit<ScanReport, "read">[]): string[] {
	const folders = new Map(reports.flatMap(({ unread }) => unread.map((one) => [one.folder, one.code])));
	const files = Math.max(0, ...reports.map(({ unreadable }) => unreadable));
	const compressed = Math.max(0, ...reports.map(({ compressed: count = 0 }) => count));
	const more = folders.size - NAMED_FOLDERS;
	return [
		...[...folders]
			.slice(0, NAMED_FOLDERS)
			.map(([folder, code]) => cleanLine(safeText(`${folder} cannot be read (${code}).`))),
		...(more > 0 ? [`${more} more ${more === 1 ? "folder" : "folders"} cannot be read.`] : []),
		...(files > 0 ? [`${files} session ${files === 1 ? "file" : "files"} cannot be read.`] : []),
		...(compressed > 0
			? [
					`${compressed} compressed ${compressed === 1 ? "log" : "logs"} cannot be read: Node 22.15 or newer is needed, and this is ${process.version}.`,
				]
			: []),
	];
}

/**
 * Returns a search hit in the JSON format that the shell command and the HTTP server share. `line` counts from 1; it is null if the file
 * can no longer be read.
 */
export async function hitJson({ path, offset, entryId, by, excerpt }: SearchHit, session: SessionJson) {
	return { path, line: await lineNumberAt(path, offset), entry_id: entryId, by, excerpt, session };
}

/** The file is read in time slices, because a large file must not block the server. */
async function lineNumberAt(path: string, offset: number): Promise<number | null> {
	const { step } = new Pace();
	const read = await readLogSlowly(path, async (file) => {
		let line = 1;
		for (const bytes of chunksOf(file, offset)) {
			for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) line++;
			await step();
		}
		return line;
	});
	return typeof read === "number" ? read : null;
}
