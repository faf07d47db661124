import { dirname } from "node:path";
import { entriesLike, promptOf, promptsOn } from "../../session-core/find/entries.ts";
import { forkFile } from "../../session-core/store/fork-file.ts";
import { repairCopy } from "../../session-core/store/repaired-copy.ts";
import { readWholeSession } from "../../session-core/store/session-file.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { World } from "../shell/world.ts";

/** `isUnknown`: what was asked for is not there. */
export type CopyOutcome =
	| { ok: true; path: string; isEarlier: boolean; prompt?: string }
	| { ok: false; told: string; isUnknown: boolean };

/** Points that are offered where one was meant. */
const OFFERED = 12;

/** A fork that ends at an entry; where that is a prompt, before it: one goes back to a prompt to put it differently. */
export async function forkedAt(row: SessionSummary, at: string, world: World): Promise<CopyOutcome> {
	const opened = await readWholeSession(row.path);
	if (!opened.ok) return failed(`it cannot be read (${opened.detail}).`);
	const found = entriesLike(opened.session, at);
	const [entry] = found;
	if (!entry || at === "" || found.length > 1) {
		const why = found.length === 0 ? "no entry has" : `${found.length} entries have`;
		const points = promptsOn(opened.session).slice(0, OFFERED);
		const lines = points.map(({ id, text }) => `  ${id}  ${text}`);
		const offer = lines.length === 0 ? [] : ["Its prompts, newest first:", ...lines];
		const told = [`${why} an id that begins with "${clipColumns(cleanLine(at), 40)}".`, ...offer].join("\n");
		return { ok: false, told, isUnknown: true };
	}
	const prompt = promptOf(entry);
	const entryId = prompt === undefined ? entry.id : entry.parentId;
	if (typeof entryId !== "string")
		return failed("that is its first prompt: begin a new session with pi instead.");
	const fork = await forkFile({
		path: row.path,
		entryId,
		cwd: row.cwd,
		folder: dirname(row.path),
		now: new Date(world.now()),
	});
	if (!fork.ok) return failed(`not forked. ${fork.detail}`);
	return { ok: true, path: fork.path, isEarlier: true, ...(prompt !== undefined && { prompt }) };
}

/** A copy with all that can be read of a damaged session. */
export async function repaired(row: SessionSummary, world: World): Promise<CopyOutcome> {
	const { path, cwd } = row;
	const copy = await repairCopy({ path, cwd, folder: dirname(path), now: new Date(world.now()) });
	return copy.ok ? { ...copy, isEarlier: false } : failed(`not repaired. ${copy.detail}`);
}

function failed(told: string): CopyOutcome {
	return { ok: false, told: cleanLine(told), isUnknown: false };
}
