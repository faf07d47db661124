import { readAround } from "../../session-core/search/read.ts";
import { aroundText, sessionText } from "../../session-core/search/report.ts";
import { seconds, sessionJson } from "../../session-core/session-view/json.ts";
import { viewOf } from "../../session-core/session-view/view.ts";
import { withWork } from "../../session-core/session-view/work.ts";
import { findSession } from "../sessions/find.ts";
import { openSessions } from "../sessions/state.ts";
import { DONE, FAILED, NOT_FOUND, printJson, type World } from "../shell/world.ts";

export interface ReadOptions {
	at?: string | undefined;
	around?: number | undefined;
	json?: boolean | undefined;
}

/**
 * Runs `pi-sessions read`, which prints the same text that the agent's `session_read` tool returns. The session's title or id can be
 * followed by the position of a hit, as printed by `pi-sessions search`, such as `@1a2b`.
 */
export async function read(typed: string, options: ReadOptions, world: World): Promise<number> {
	const { around = 3, json } = options;
	const [, wanted = typed, place] = /^(.*\S)\s+(@[0-9a-z]+(?:\.\d+)?)$/.exec(typed) ?? [];
	const at = options.at ?? place;
	const found = await findSession(wanted, world);
	if (!found.ok) return world.fail(found.problem, NOT_FOUND);
	const { row } = found;
	const session = sessionJson(viewOf(withWork(row), openSessions(world)(row)));
	if (at !== undefined && json) {
		const read = await readAround(row.path, at, around);
		if (!read.ok) return world.fail("this session has no such entry.", NOT_FOUND);
		const { next = null, earlier = null, later = null } = read;
		const entries = read.entries.map(({ place: name, entryId, at: written, parts }) => ({
			place: name,
			entry_id: entryId,
			at: written === undefined ? null : seconds(written),
			parts,
		}));
		printJson({ session, entries, next, earlier, later }, world.out);
		return DONE;
	}
	const now = world.now();
	const text = await (at === undefined ? sessionText(row, now) : aroundText(row, { at, around, now }));
	if (!text.ok) return world.fail(text.reason, at === undefined ? FAILED : NOT_FOUND);
	if (json) printJson({ session, text: text.text }, world.out);
	else world.out.write(`${text.text}\n`);
	return DONE;
}
