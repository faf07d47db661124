import {
	fileIdOf,
	filtered,
	foldOf,
	inUsualOrder,
	isBackground,
	isInState,
	readFilter,
	searchedText,
	withState,
} from "./core/sessions/session-list.mjs";
import { foldCase } from "./core/text/fold-case.mjs";

/** @type {Map<string, Row>} */
const fromServer = new Map();
/** @type {Map<string, Row>} */
const sessions = new Map();
const CLOSED = /** @type {const} */ ({
	state: "closed",
	since: null,
	doing: null,
	dialog: null,
	interactive: false,
});
const SHOWN = /** @type {const} */ (["state", "since", "doing", "dialog"]);
/** @type {Map<string, Live>} */
let live = new Map();

/** @param {string} id */
export const sessionOf = (id) => sessions.get(id);

/** @param {SessionJson[]} rows */
export function add(rows) {
	for (const row of rows) {
		const known = sessions.get(row.id);
		// If several files have the same session id, the page shows only the most recently changed file.
		if (known && known.path !== row.path && known.modified_at > row.modified_at) continue;
		const open = live.get(row.id);
		const one = toRow(row);
		fromServer.set(row.id, one);
		sessions.set(row.id, open ? withLease(one, open) : one);
	}
}

/** @param {readonly string[]} ids */
export function remove(ids) {
	for (const id of ids) {
		fromServer.delete(id);
		sessions.delete(id);
	}
}

/** @param {Set<string>} ids */
export function keepOnly(ids) {
	remove([...sessions.keys()].filter((id) => !ids.has(id)));
}

/** @param {readonly Live[]} open */
export function setLive(open) {
	live = new Map(open.map((one) => [one.id, one]));
	// Each update starts from the server's data, because `withState` discards a working session's outcome.
	for (const [id, row] of fromServer) {
		const shown = sessions.get(id);
		const now = live.get(id) ?? CLOSED;
		const isSame = shown && SHOWN.every((name) => shown[name] === now[name]);
		if (!isSame) sessions.set(id, withLease(row, now));
	}
}

/** @param {SessionJson} row */
export function toRow(row) {
	const { title, project, first_prompt: prompt, recap } = row;
	return {
		...row,
		branch: row.branch ?? undefined,
		format: { name: row.agent },
		fileId: fileIdOf(row.path),
		modified: row.modified_at * 1000,
		waitingSince: row.waiting_since === null ? undefined : row.waiting_since * 1000,
		next: row.next ?? undefined,
		why: row.ending,
		ending: row.failed ? { outcome: /** @type {const} */ ("error") } : undefined,
		foldedTitle: foldCase(title),
		searched: searchedText({ title, prompt: prompt ?? undefined, recap: recap ?? undefined, project }),
	};
}

/**
 * Returns a copy of the row with the state of the process that has the session open.
 * @type {(row: Row, now: Live | typeof CLOSED) => Row}
 */
function withLease(row, now) {
	return { ...withState(row, { state: now.state, since: (now.since ?? 0) * 1000 }), ...now };
}

/**
 * The `Failed` filter button includes closed sessions. The buttons for other states include only open
 * sessions.
 * @type {(row: Row, chip: Chip, query: string) => boolean}
 */
function isIn(row, chip, query) {
	if (chip === "jobs") return isBackground(row);
	if (foldOf(row) && query === "") return false;
	return chip === "all" || (isInState(row, chip) && (chip === "failed" || row.state !== "closed"));
}

const rowsIn = (/** @type {Chip} */ chip, /** @type {string} */ query) =>
	[...sessions.values()].filter((row) => isIn(row, chip, query));

export const countIn = (/** @type {Chip} */ chip, /** @type {string} */ query) => rowsIn(chip, query).length;

export const shownRows = (/** @type {Chip} */ chip, /** @type {string} */ query) =>
	filtered(rowsIn(chip, query).sort(inUsualOrder), readFilter(query));
