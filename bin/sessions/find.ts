import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isUnreadable } from "../../session-core/log/index.ts";
import {
	findSessions,
	type LeaseOf,
	leaseFinder,
	listSessions,
	Offers,
	openLeases,
	projectFolder,
	type ScanOptions,
	type ScanReport,
	type SessionSummary,
	type SessionView,
	sessionsRoot,
	titleOf,
	toldApart,
	viewOf,
} from "../../session-core/sessions/index.ts";
import { cleanLine, clipColumns, nearest, redact, safeText } from "../../session-core/text/index.ts";
import type { World } from "../shell/world.ts";
import { pickSession } from "./table.ts";

export function foldersOf({ agentDir, sessionDir, cwd }: World, all: boolean): string[] | undefined {
	if (sessionDir !== undefined) return [sessionDir];
	return all ? undefined : [projectFolder(sessionsRoot(agentDir), cwd)];
}

export async function listed(
	world: World,
	{ all = false, archived }: { all?: boolean | undefined } & Pick<ScanOptions, "archived"> = {},
): Promise<{ rows: SessionSummary[]; unread: string[] }> {
	const { agentDir, formats, env, cwd } = world;
	const reports: ScanReport[] = [];
	const onReport = (report: ScanReport) => void reports.push(report);
	const place = {
		agentDir,
		formats,
		env,
		cwd,
		folders: foldersOf(world, all),
		project: all ? undefined : cwd,
	};
	const rows = await listSessions({ ...place, archived, onReport });
	return { rows, unread: unreadLines(reports) };
}

export function openSessions({ agentDir, now, env }: Pick<World, "agentDir" | "now" | "env">): LeaseOf {
	return leaseFinder(openLeases(agentDir, now(), { env }));
}

/** pi 1.x passes the session's id and file to the agent's commands in environment variables. */
export function currentSession({ env }: World): string {
	return env["PI_SESSION_FILE"] || env["PI_SESSION_ID"] || "";
}

/**
 * Searches the current project first, and then all projects. If `typed` is empty, returns the current
 * session.
 */
export async function findSession(typed: string, world: World): Promise<SessionView | undefined> {
	const found = await lookUp(typed || currentSession(world), world);
	if (found) world.concerns(found.id);
	return found;
}

async function lookUp(wanted: string, world: World): Promise<SessionView | undefined> {
	if (wanted === "")
		return void world.say("Specify a session by its title or id; run pi-sessions list to see your sessions.");
	const { agentDir, formats, env, cwd, sessionDir } = world;
	const reports: ScanReport[] = [];
	const onReport = (report: ScanReport) => void reports.push(report);
	const folder = sessionDir ?? projectFolder(sessionsRoot(agentDir), cwd);
	const place = { agentDir, formats, env, cwd, folder, onReport, isPerson: true };
	const { found, among } = await findSessions(wanted, place);
	if (found.length > 0) return only(found, wanted, among, world);
	const path = resolve(cwd, wanted);
	if (isUnreadable(path) && existsSync(path))
		return void world.say(unreadLines([{ unread: [], unreadable: 0, compressed: 1 }]).join("\n"));
	const near = nearest(wanted, among, titleOf);
	const query = shown(wanted);
	const lines = [
		`No session matches "${query}"; run pi-sessions list --all to see all sessions.`,
		...(/^[0-9a-f]{1,3}$/i.test(wanted)
			? ["To find a session by its id, type at least the first four characters of the id."]
			: []),
		...(near.length === 0 ? [] : ["Did you mean:", ...near.map((row) => candidate(viewOf(row), true))]),
		...unreadLines(reports),
	];
	return void world.say(lines.join("\n"));
}

const NAMED = 5;

async function only(
	found: readonly SessionSummary[],
	wanted: string,
	among: readonly SessionSummary[],
	world: World,
): Promise<SessionView | undefined> {
	const leaseOf = openSessions(world);
	const views = found.map((row) => viewOf(row, leaseOf(row)));
	if (views.length === 1) return views[0];
	const query = shown(wanted);
	// Copies of a session file share a session id, so the user must choose a copy by its path.
	const isById = new Set(found.map(({ id }) => id)).size === found.length;
	if (world.keyboard && isById) {
		const offered = toldApart(views);
		const chosen = await pickSession([{ views: offered, all: true }], new Offers(among), world);
		return chosen ? views[offered.indexOf(chosen)] : void world.say("No session was chosen.");
	}
	const more = found.length - NAMED;
	const lines = [
		isById
			? `Several sessions match "${query}". Specify one of these ids:`
			: `Several files match "${query}". Specify one of these paths:`,
		...toldApart(views, "all")
			.slice(0, NAMED)
			.map((view) => candidate(view, isById)),
		...(more > 0 ? [`  … and ${more} more sessions; run pi-sessions list --all to see all sessions`] : []),
	];
	return void world.say(lines.join("\n"));
}

function candidate({ id, path, title }: SessionView, isById: boolean): string {
	return `  ${isById ? redact(id) : cleanLine(path)}  ${clipColumns(title, 80)}`;
}

function shown(text: string): string {
	return clipColumns(cleanLine(text), 60);
}

const NAMED_FOLDERS = 3;

/**
 * A session in an unreadable folder is missing from the list, so the user must be told about the
 * folder.
 */
export function unreadLines(reports: readonly Omit<ScanReport, "read">[]): string[] {
	const folders = new Map(reports.flatMap(({ unread }) => unread.map((one) => [one.folder, one.code])));
	const counted = (count: number, noun: string, more = ".") =>
		count > 0 ? [`${count} ${noun}${count === 1 ? "" : "s"} cannot be read${more}`] : [];
	const most = (name: "unreadable" | "compressed") =>
		Math.max(0, ...reports.map((report) => report[name] ?? 0));
	return [
		...[...folders]
			.slice(0, NAMED_FOLDERS)
			.map(([folder, reason]) => cleanLine(safeText(`The folder ${folder} cannot be read (${reason}).`))),
		...counted(folders.size - NAMED_FOLDERS, "more folder"),
		...counted(most("unreadable"), "session file"),
		...counted(
			most("compressed"),
			"compressed log",
			`: Node 22.15 or newer is needed, and this is ${process.version}.`,
		),
	];
}
