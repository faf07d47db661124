/** What the shell command and the server read from a session's file, besides what every surface shows. */

import { beginsWithTitle, checkSession, NEWLINE, readLogSlowly } from "../../session-core/log/index.ts";
import type {
	Lease,
	SearchHit,
	SessionJson,
	SessionSummary,
	SessionView,
} from "../../session-core/sessions/index.ts";
import { chunksOf, Pace, partOf } from "../../session-core/text/files/index.ts";

/** Maximum size in bytes of a file that is read in full to check for damage. */
const MOST_CHECKED = 64 * 1024 * 1024;

/** Whether a closed session's file is damaged, so that pi could lose part of it. */
export async function isDamaged({ path, size, format }: SessionSummary, lease?: Lease): Promise<boolean> {
	if (!format.canOpen || lease || size > MOST_CHECKED) return false;
	const check = await checkSession(path);
	return check.ok && !check.sound && !beginsWithTitle(path);
}

/** Whether pi cannot read a session's file, or the file ends in the middle of a line, as after a crash. `show` also finds other damage. */
export function isTorn({ path, size, hostReads, format }: SessionView): boolean {
	if (!format.canOpen) return false;
	const [last = NEWLINE] = partOf(path, size - 1, 1);
	return (!hostReads && !beginsWithTitle(path)) || last !== NEWLINE;
}

/** Returns a search hit as JSON. `line` counts from 1; it is null if the file can no longer be read. */
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
