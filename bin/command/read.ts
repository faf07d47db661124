import { titleOf } from "../../session-core/catalog/match.ts";
import { readAround } from "../../session-core/search/read.ts";
import { aroundText, sessionText } from "../../session-core/search/report.ts";
import { sessionJson } from "../../session-core/session-view/json.ts";
import { viewOf } from "../../session-core/session-view/view.ts";
import { withWork } from "../../session-core/session-view/work.ts";
import { findSession } from "../sessions/find.ts";
import { openSessions } from "../sessions/state.ts";
import { wordsFor } from "../sessions/words.ts";
import { DONE, FAILED, NOT_FOUND, printJson, type World } from "../shell/world.ts";

export interface ReadOptions {
	at?: string | undefined;
	around?: string | undefined;
	json?: boolean | undefined;
}

const AROUND = 3;
const MOST_AROUND = 20;

/** `pi-sessions read`: what the agent's `session_read` gives. A place may follow the session, as `search` prints it. */
export async function read(typed: string, options: ReadOptions, world: World): Promise<number> {
	const fail = (text: string, code: number) => {
		world.err.write(`pi-sessions read: ${text}\n`);
		return code;
	};
	const around = Number(options.around ?? AROUND);
	if (!/^\d{1,2}$/.test(options.around ?? "0") || around > MOST_AROUND)
		return fail(`--around is a whole number up to ${MOST_AROUND}.`, NOT_FOUND);
	const [, wanted = typed, place] = /^(.*\S)\s+(@[0-9a-z]+)$/.exec(typed) ?? [];
	const at = options.at ?? place;
	const found = await findSession(wanted, world);
	if (!found.ok) return fail(found.told, NOT_FOUND);
	const { row } = found;
	const title = titleOf(row);
	const now = world.now();
	if (at !== undefined && options.json) {
		const entries = readAround(row.path, at, around);
		if (!entries.ok) return fail("there is no such entry in this session.", NOT_FOUND);
		const { ok: _, entries: list, ...more } = entries;
		const shown = list.map(({ place: name, entryId, at: time, parts }) => ({
			place: name,
			entry_id: entryId,
			at: time === undefined ? null : Math.floor(time / 1_000),
			parts,
		}));
		const session = sessionJson(viewOf(withWork(row), await wordsFor(world), openSessions(world)(row)));
		printJson(
			{ session, entries: shown, earlier: more.earlier ?? null, later: more.later ?? null },
			world.out,
		);
		return DONE;
	}
	const read =
		at === undefined ? await sessionText(row, title, now) : aroundText(row, { title, at, around, now });
	if (!read.ok) return fail(read.reason, at === undefined ? FAILED : NOT_FOUND);
	if (options.json) {
		const session = sessionJson(viewOf(withWork(row), await wordsFor(world), openSessions(world)(row)));
		printJson({ session, text: read.text }, world.out);
	} else world.out.write(`${read.text}\n`);
	return DONE;
}
