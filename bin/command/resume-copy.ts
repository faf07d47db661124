import { dirname } from "node:path";
import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import type { AgainPrompt } from "../../session-core/resume-plan/plan.ts";
import { copySession, entriesLike, promptOf, promptsOn } from "../../session-core/session-file/index.ts";
import { readWholeSession, type SessionFile } from "../../session-core/session-file/session-file.ts";
import { cleanLine, clipColumns } from "../../session-core/text/index.ts";
import type { World } from "../shell/world.ts";

/** A copy that pi opens instead of the original session, or why it was not made. `isUnknown`: no single entry matches the given text. */
export type CopiedSession =
	| { ok: true; path: string; again?: AgainPrompt }
	| { ok: false; problem: string; isUnknown?: boolean };

/** Maximum number of prompts that are listed in the message for a text that matches no entry or several entries. */
const LISTED = 12;

/** The path of a copy that a dry run does not write. */
export const NOT_WRITTEN = "<new session>";

/**
 * Returns a fork that ends at an entry. If the entry is a prompt, the fork ends before the prompt, because users go back to a prompt in
 * order to change it.
 */
export async function forkedAt(
	row: SessionSummary,
	at: string,
	{ isDry, world }: { isDry: boolean; world: World },
): Promise<CopiedSession> {
	const opened = await readWholeSession(row.path);
	if (!opened.ok) return { ok: false, problem: `the session cannot be read (${opened.detail}).` };
	const found = entriesLike(opened.session, at);
	const [entry] = found;
	if (!entry || at === "" || found.length > 1) return unclear(opened.session, at, found.length);
	const text = promptOf(entry);
	const entryId = text === undefined ? entry.id : entry.parentId;
	if (typeof entryId !== "string")
		return {
			ok: false,
			problem: "this is the first prompt of the session; start a new session with pi instead.",
		};
	const copy = await copied(row, { entryId, isDry, world });
	return copy.ok && text !== undefined ? { ...copy, again: { text, entryId: entry.id } } : copy;
}

/** Returns a copy that ends at an entry or, without one, a repaired copy with everything that can still be read. */
export async function copied(
	{ path, cwd }: SessionSummary,
	{ entryId, isDry, world }: { entryId?: string; isDry: boolean; world: World },
): Promise<CopiedSession> {
	const folder = dirname(path);
	if (isDry) {
		const what = entryId === undefined ? "a repaired copy" : `a fork that ends at ${cleanLine(entryId)}`;
		world.say(`dry run: nothing was written. In the command below, ${NOT_WRITTEN} is ${what}, in ${folder}.`);
		return { ok: true, path: NOT_WRITTEN };
	}
	const source = { path, ...(entryId !== undefined && { entryId }) };
	const copy = await copySession({ ...source, cwd, folder, now: new Date(world.now()) });
	world.log("session.copied", { of: path.slice(folder.length + 1), ok: copy.ok });
	return copy.ok ? { ok: true, path: copy.path } : { ok: false, problem: cleanLine(copy.detail) };
}

function unclear(session: SessionFile, at: string, matches: number): CopiedSession {
	const count = matches === 0 ? "no entry has" : `${matches} entries have`;
	const lines = promptsOn(session)
		.slice(0, LISTED)
		.map(({ id, text }) => `  ${id}  ${text}`);
	const list = lines.length === 0 ? [] : ["Its prompts, newest first:", ...lines];
	const problem = [`${count} an id that begins with "${clipColumns(cleanLine(at), 40)}".`, ...list];
	return { ok: false, problem: problem.join("\n"), isUnknown: true };
}
