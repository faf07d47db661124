import { dirname } from "node:path";
import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import type { AgainPrompt } from "../../session-core/resume-plan/plan.ts";
import { copySession, obstacleToCopy } from "../../session-core/session-file/copy-session.ts";
import { entriesLike, promptOf, promptsOn } from "../../session-core/session-file/prompts.ts";
import { readWholeSession, type SessionFile } from "../../session-core/session-file/session-file.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { World } from "../shell/world.ts";

/** A copy that pi opens instead of the original session. */
export interface Copied {
	ok: true;
	path: string;
	isEarlier: boolean;
	again?: AgainPrompt;
	/** In a dry run, a description of the copy that would have been written. In that case, `path` is a placeholder. */
	planned?: string;
}

/** The outcome of copying a session. `isUnknown`: the given text matches no entry or several entries. */
export type CopiedSession = Copied | { ok: false; problem: string; isUnknown: boolean };

/** Maximum number of prompts that are listed in the message for a text that matches no entry or several entries. */
const LISTED = 12;

const PLACEHOLDER = "<new session>";

/**
 * Returns a fork that ends at an entry. If the entry is a prompt, the fork ends before the prompt, because users go back to a prompt in
 * order to change it.
 */
export async function forkedAt(row: SessionSummary, at: string, world: World): Promise<CopiedSession> {
	const opened = await readWholeSession(row.path);
	if (!opened.ok) return failed(`the session cannot be read (${opened.detail}).`);
	const found = entriesLike(opened.session, at);
	const [entry] = found;
	if (!entry || at === "" || found.length > 1) return unclear(opened.session, at, found.length);
	const text = promptOf(entry);
	const entryId = text === undefined ? entry.id : entry.parentId;
	if (typeof entryId !== "string")
		return failed("this is the first prompt of the session; start a new session with pi instead.");
	const copy = await copied(row, { entryId, planned: `a fork that ends at ${cleanLine(entryId)}` }, world);
	if (!copy.ok) return copy;
	return { ...copy, isEarlier: true, ...(text !== undefined && { again: { text, entryId: entry.id } }) };
}

/** Returns a copy of a damaged session that contains everything that can still be read. */
export function repaired(row: SessionSummary, world: World): Promise<CopiedSession> {
	return copied(row, { planned: "a repaired copy" }, world);
}

async function copied(
	{ path, cwd }: SessionSummary,
	{ entryId, planned }: { entryId?: string; planned: string },
	world: World,
): Promise<CopiedSession> {
	const folder = dirname(path);
	const source = { path, ...(entryId !== undefined && { entryId }) };
	if (world.readOnly) {
		const obstacle = await obstacleToCopy(source);
		if (obstacle) return failed(obstacle.detail);
		return { ok: true, path: PLACEHOLDER, isEarlier: false, planned: `${planned}, in ${folder}` };
	}
	const copy = await copySession({ ...source, cwd, folder, now: new Date(world.now()) });
	world.log("session.copied", { of: path.slice(folder.length + 1), ok: copy.ok });
	return copy.ok ? { ok: true, path: copy.path, isEarlier: false } : failed(copy.detail);
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

function failed(problem: string): CopiedSession {
	return { ok: false, problem: cleanLine(problem), isUnknown: false };
}
