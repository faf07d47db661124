import { realpathSync } from "node:fs";
import { listSessions, meant } from "../../session-core/catalog/find-sessions.ts";
import { projectFolder, sessionsRoot } from "../../session-core/catalog/folders.ts";
import type { ScanReport } from "../../session-core/catalog/listing.ts";
import { titleOf } from "../../session-core/catalog/match.ts";
import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { nearest } from "../../session-core/text/nearest.ts";
import { redact } from "../../session-core/text/redact.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { World } from "../shell/world.ts";

/** Where sessions are looked for, and whether what is learned is kept. */
export type Here = Pick<World, "agentDir" | "sessionDir" | "cwd" | "readOnly">;

type Told = (report: ScanReport) => void;

/** The folders that hold the sessions of this folder's project; undefined: those of all projects. */
export function projectFolders({ agentDir, sessionDir, cwd }: Here, all: boolean): string[] | undefined {
	if (sessionDir !== undefined) return [sessionDir];
	return all ? undefined : [projectFolder(sessionsRoot(agentDir), cwd)];
}

/** The sessions of this folder's project, newest first. */
export async function sessionsHere(here: Here, told?: Told): Promise<SessionSummary[]> {
	const { agentDir, sessionDir, cwd, readOnly } = here;
	const rows = await listSessions({ agentDir, readOnly, folders: projectFolders(here, false) }, told);
	// A folder of the user's choice holds the sessions of all projects.
	return sessionDir === undefined ? rows : rows.filter((row) => isSamePlace(row.cwd, cwd));
}

/** The sessions of all projects, newest first. */
export function allSessions(here: Here, told?: Told): Promise<SessionSummary[]> {
	const { agentDir, readOnly } = here;
	return listSessions({ agentDir, readOnly, folders: projectFolders(here, true) }, told);
}

/** Whether two paths lead to one folder. */
export function isSamePlace(one: string, other: string): boolean {
	return one === other || (one !== "" && real(one) === real(other));
}

function real(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		// It is gone: then its name is all there is.
		return path;
	}
}

/** How many candidates a message names. */
const TOLD = 5;

export type Found = { ok: true; row: SessionSummary } | { ok: false; told: string };

/** The one session that is meant, in this project or else in any. `told`: why there is none, in lines for the user. */
export async function findSession(wanted: string, world: Here): Promise<Found> {
	if (wanted === "") return { ok: false, told: "which session? pi-sessions list lists them." };
	const reports: ScanReport[] = [];
	const told = (report: ScanReport) => void reports.push(report);
	const here = meant(await sessionsHere(world, told), wanted);
	if (here.length > 0) return theOne(here, wanted);
	const all = await allSessions(world, told);
	const found = meant(all, wanted);
	if (found.length > 0) return theOne(found, wanted);
	const near = nearest(wanted, all, titleOf);
	const lines = near.length === 0 ? [] : ["Did you mean:", ...near.map(listed)];
	const short = /^[0-9a-f]{1,3}$/i.test(wanted) ? ["An id needs at least four characters."] : [];
	const none = `no session is called "${shown(wanted)}".`;
	return { ok: false, told: [none, ...short, ...lines, ...unreadLines(reports)].join("\n") };
}

function theOne(found: readonly SessionSummary[], wanted: string): Found {
	const [row] = found;
	if (row && found.length === 1) return { ok: true, row };
	const isById = new Set(found.map(({ id }) => id)).size === found.length;
	const more = found.length > TOLD ? [`  … and ${found.length - TOLD} more`] : [];
	const lines = [...found.slice(0, TOLD).map(isById ? listed : listedByFile), ...more];
	return {
		ok: false,
		told: [
			`${found.length} sessions are called "${shown(wanted)}". Choose one by its ${isById ? "id" : "file"}:`,
			...lines,
		].join("\n"),
	};
}

function listed(row: SessionSummary): string {
	return `  ${redact(row.id)}  ${clipColumns(titleOf(row) || "(no messages)", 80)}`;
}

/** Copied files have one id. */
function listedByFile(row: SessionSummary): string {
	return `  ${cleanLine(row.path)}  ${clipColumns(titleOf(row) || "(no messages)", 80)}`;
}

function shown(text: string): string {
	return clipColumns(cleanLine(text), 60);
}

/** How many unreadable folders a message names. */
const NAMED_FOLDERS = 3;

/** What listings could not read, in lines for the user: a session that is not shown may still exist. */
export function unreadLines(reports: readonly Pick<ScanReport, "unread" | "left">[]): string[] {
	const folders = new Map(reports.flatMap(({ unread }) => unread.map((one) => [one.folder, one.code])));
	const files = Math.max(0, ...reports.map(({ left }) => left.unreadable ?? 0));
	const named = [...folders]
		.slice(0, NAMED_FOLDERS)
		.map(([folder, code]) => redact(cleanLine(`${folder} cannot be read (${code}).`)));
	const more =
		folders.size > NAMED_FOLDERS ? [`${folders.size - NAMED_FOLDERS} more folders cannot be read.`] : [];
	const some = files > 0 ? [`${files} session ${files === 1 ? "file" : "files"} cannot be read.`] : [];
	return [...named, ...more, ...some];
}
