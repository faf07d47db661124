import { basename, dirname, join } from "node:path";
import { beginsWithTitle, checkSession, NEWLINE, readLogSlowly } from "../../session-core/log/index.ts";
import {
	type AddFailure,
	type AddRecordDeps,
	addRecord,
	type Lease,
	projectFolder,
	projectFolders,
	type SearchHit,
	type SessionJson,
	type SessionSummary,
	type SessionView,
	sessionNames,
	summarize,
} from "../../session-core/sessions/index.ts";
import { chunksOf, isFolder, Pace, partOf, readCheckout } from "../../session-core/text/files/index.ts";
import { cleanLine, clipColumns } from "../../session-core/text/index.ts";

/** The check for damage reads the whole file, so larger files are not checked. */
const MOST_CHECKED = 64 * 1024 * 1024;

export async function isDamaged({ path, size, format }: SessionSummary, lease?: Lease): Promise<boolean> {
	if (!format.canOpen || lease || size > MOST_CHECKED) return false;
	const check = await checkSession(path);
	return check.ok && !check.sound && !beginsWithTitle(path);
}

/**
 * This check is fast because it reads only the last byte of the file. Damage in the middle of the file
 * is not detected.
 */
export function isTorn({ path, size, hostReads, format }: SessionView): boolean {
	if (!format.canOpen) return false;
	const [last = NEWLINE] = partOf(path, size - 1, 1);
	return (!hostReads && !beginsWithTitle(path)) || last !== NEWLINE;
}

export type HitJson = Awaited<ReturnType<typeof hitJson>>;

export async function hitJson({ path, offset, entryId, by, excerpt }: SearchHit, session: SessionJson) {
	return { path, line: await lineNumberAt(path, offset), entry_id: entryId, by, excerpt, session };
}

/** The file is read in time slices, because reading a large file at once would block the server. */
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

export function unreadableText(detail: string): string {
	const reason = clipColumns(cleanLine(detail), 200);
	return `the session cannot be read (${reason}).`;
}

export const RECAP_PROBLEMS: Readonly<
	Record<AddFailure, [status: 404 | 409 | 422 | 423, message: string, remedy: string]>
> = {
	exists: [409, "This session's recap is already up to date.", 'Send "force": true to write a new recap.'],
	edited: [
		409,
		"This session's recap was edited by a person and is already up to date.",
		'Send "force": true to write a new recap.',
	],
	nothing: [422, "This session has no prompt yet.", "Send a prompt in the session, and try again."],
	live: [
		423,
		"This session is open in another process, and only that process can write to the session's file.",
		"Type /recap-card in that process, or close the session and try again.",
	],
	not_ours: [
		422,
		"This session belongs to another agent, so pi-sessions does not write to its file.",
		"Use /resume-from in pi to continue the session, and save a recap in the new session.",
	],
	damaged: [
		422,
		"This session's file is damaged, so nothing was written.",
		"Run pi-sessions resume <id> --repair to open a repaired copy.",
	],
	old_format: [
		422,
		"This session's file is in an older format, so nothing was written.",
		"Open the session in pi to convert the file, and try again.",
	],
	moved_on: [409, "The session changed while its recap was being generated.", "Try again."],
	unreadable: [
		404,
		"This session's file cannot be read.",
		"Check that the file still exists and that you have permission to read it.",
	],
	unwritable: [
		422,
		"pi-sessions cannot write to this session's file.",
		"Check the file's permissions and the free space on the disk.",
	],
};

const PLACES = 3;

/**
 * Finds the folders in which a renamed or moved project may have been located earlier. A renamed project
 * keeps its parent folder, and a moved project keeps its name.
 */
export function formerPlaces(root: string, here: string): { project: string; folder: string }[] {
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

export function saveRecap(
	session: SessionSummary,
	options: Parameters<typeof addRecord>[1],
	deps: Omit<AddRecordDeps, "checkout">,
) {
	return addRecord(session, options, { ...deps, checkout: readCheckout });
}
