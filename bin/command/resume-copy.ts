import { dirname } from "node:path";
import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import type { AgainPrompt } from "../../session-core/resume-plan/plan.ts";
import { copySession, obstacleToCopy } from "../../session-core/session-file/copy-session.ts";
import type { Entry } from "../../session-core/session-file/entry.ts";
import { entriesLike, promptOf, promptsOn } from "../../session-core/session-file/prompts.ts";
import { readWholeSession, type SessionFile } from "../../session-core/session-file/session-file.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { World } from "../shell/world.ts";

/** A file that was made to go on in. */
export interface Copied {
	ok: true;
	path: string;
	isEarlier: boolean;
	again?: AgainPrompt;
	/** What would be written, where nothing is to be: then `path` is no file. */
	planned?: string;
}

/** `isUnknown`: what was asked for is not there. */
export type CopyOutcome = Copied | { ok: false; told: string; isUnknown: boolean };

/** Points that are offered where one was meant. */
const OFFERED = 12;

/** Stands for a file that was not written. */
const NOT_WRITTEN = "<new session>";

/** A fork that ends at an entry; where that is a prompt, before it: one goes back to a prompt to put it differently. */
export async function forkedAt(row: SessionSummary, at: string, world: World): Promise<CopyOutcome> {
	const { path, cwd } = row;
	const opened = await readWholeSession(path);
	if (!opened.ok) return failed(`it cannot be read (${opened.detail}).`);
	const found = entriesLike(opened.session, at);
	const [entry] = found;
	if (!entry || at === "" || found.length > 1) return unclear(opened.session, at, found);
	const text = promptOf(entry);
	const entryId = text === undefined ? entry.id : entry.parentId;
	if (typeof entryId !== "string")
		return failed("that is its first prompt; start a new session with pi instead.");
	const kept = { isEarlier: true, ...(text !== undefined && { again: { text, entryId: entry.id } }) };
	const folder = dirname(path);
	if (world.readOnly) {
		const obstacle = await obstacleToCopy({ path, entryId });
		if (obstacle) return failed(`not forked. ${obstacle.detail}`);
		const planned = `a fork that ends at ${cleanLine(entryId)}, in ${folder}`;
		return { ok: true, path: NOT_WRITTEN, planned, ...kept };
	}
	const fork = await copySession({ path, entryId, cwd, folder, now: new Date(world.now()) });
	return fork.ok ? { ok: true, path: fork.path, ...kept } : failed(`not forked. ${fork.detail}`);
}

/** A copy with all that can be read of a damaged session. */
export async function repaired({ path, cwd }: SessionSummary, world: World): Promise<CopyOutcome> {
	const folder = dirname(path);
	if (world.readOnly) {
		const obstacle = await obstacleToCopy({ path });
		if (obstacle) return failed(`not repaired. ${obstacle.detail}`);
		return { ok: true, path: NOT_WRITTEN, isEarlier: false, planned: `a repaired copy, in ${folder}` };
	}
	const copy = await copySession({ path, cwd, folder, now: new Date(world.now()) });
	return copy.ok ? { ok: true, path: copy.path, isEarlier: false } : failed(`not repaired. ${copy.detail}`);
}

function unclear(session: SessionFile, at: string, found: readonly Entry[]): CopyOutcome {
	const why = found.length === 0 ? "no entry has" : `${found.length} entries have`;
	const points = promptsOn(session).slice(0, OFFERED);
	const lines = points.map(({ id, text }) => `  ${id}  ${text}`);
	const offer = lines.length === 0 ? [] : ["Its prompts, newest first:", ...lines];
	const told = [`${why} an id that begins with "${clipColumns(cleanLine(at), 40)}".`, ...offer].join("\n");
	return { ok: false, told, isUnknown: true };
}

function failed(told: string): CopyOutcome {
	return { ok: false, told: cleanLine(told), isUnknown: false };
}
