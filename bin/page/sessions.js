import {
	fileIdOf,
	filtered,
	foldOf,
	inUsualOrder,
	isBackground,
	isInState,
	readFilter,
	searchedText,
} from "./core/sessions/session-list.mjs";
import { foldCase } from "./core/text/fold-case.mjs";

const fromServer = new Map();
const sessions = new Map();
const CLOSED = { state: "closed", since: null, doing: null, dialog: null, interactive: false };
let live = new Map();

export const sessionOf = (id) => sessions.get(id);

export function add(rows) {
	for (const row of rows) {
		const known = sessions.get(row.id);
		// If several files have the same session id, the page shows only the newest file.
		if (known && known.path !== row.path && known.modified_at > row.modified_at) continue;
		const open = live.get(row.id);
		const one = listed(row);
		fromServer.set(row.id, one);
		sessions.set(row.id, open ? withState(one, open) : one);
	}
}

export function remove(ids) {
	for (const id of ids) {
		fromServer.delete(id);
		sessions.delete(id);
	}
}

export function keepOnly(ids) {
	remove([...sessions.keys()].filter((id) => !ids.has(id)));
}

export function setLive(open) {
	live = new Map(open.map(({ id, ...now }) => [id, now]));
	for (const [id, row] of sessions) {
		const now = live.get(id) ?? CLOSED;
		const isSame = row.state === now.state && row.since === now.since && row.doing === now.doing;
		// While a session is working, its displayed row lacks the outcome of the previous run, so the new row is derived from the server's row.
		if (!isSame) sessions.set(id, withState(fromServer.get(id), now));
	}
}

function listed(row) {
	const { title, project, first_prompt: prompt, recap } = row;
	return {
		...row,
		format: { name: row.agent },
		fileId: fileIdOf(row.path),
		modified: row.modified_at * 1000,
		waitingSince: row.waiting_since * 1000,
		why: row.ending,
		ending: row.failed ? { outcome: "error" } : undefined,
		foldedTitle: foldCase(title),
		searched: searchedText({ title, prompt: prompt ?? undefined, recap: recap ?? undefined, project }),
	};
}

function withState(row, now) {
	const waitingSince = row.waits ? row.modified : now.since * 1000;
	const isRunning = now.state === "working";
	return { ...row, ...now, waitingSince, ...(isRunning && { ending: undefined, waits: false, next: null }) };
}

/** The filter button `Failed` includes closed sessions. The buttons for other states include only open sessions. */
function isIn(row, chip, query) {
	if (chip === "jobs") return isBackground(row);
	if (foldOf(row) && query === "") return false;
	return chip === "all" || (isInState(row, chip) && (chip === "failed" || row.state !== "closed"));
}

const rowsIn = (chip, query) => [...sessions.values()].filter((row) => isIn(row, chip, query));

export const countIn = (chip, query) => rowsIn(chip, query).length;

export const shownRows = (chip, query) => filtered(rowsIn(chip, query).sort(inUsualOrder), readFilter(query));
