import { posix, win32 } from "node:path";
import type { Lease } from "../../session-core/live/lease-files.ts";
import { leaseFinder } from "../../session-core/live/lease-files.ts";
import { seconds } from "../../session-core/session-view/json.ts";
import { hasWord } from "../../session-core/session-view/view.ts";
import { foldCase } from "../../session-core/text/case-folding.ts";
import { cleanText } from "../../session-core/text/sanitize.ts";
import { type BoardJson, type Item, jsonOf, type SessionBoard } from "./board.ts";
import { ATTENTION } from "./live.ts";
import type { SessionsQuery } from "./requests.ts";

export interface SessionsAnswer {
	/** Sessions that match. */
	total: number;
	offset: number;
	next_offset: number | null;
	as_of: number;
	/** A version number that increases with every change to the list. */
	revision: number;
	counts: ReturnType<typeof countsOf>;
	sessions: BoardJson[];
}

/** Returns the number of live sessions in each state. */
export function countsOf(live: readonly Lease[]) {
	const counts = { needs_you: 0, failed: 0, working: 0, idle: 0 };
	for (const { state } of live) counts[state]++;
	return counts;
}

/** Returns one page of the board: live sessions in order of urgency, then closed ones, newest message first. */
export function pageOf(
	{ items, asOf, revision }: Pick<SessionBoard, "items" | "asOf" | "revision">,
	live: readonly Lease[],
	{ limit = 100, offset = 0, ...filter }: SessionsQuery,
): SessionsAnswer {
	const leaseOf = leaseFinder(live);
	const isShown = matcher(filter);
	const rows = items
		.map((item) => ({ item, lease: leaseOf(item.summary) }))
		.filter(({ item, lease }) => isShown(item, lease));
	const rankOf = (lease?: Lease) => (lease ? ATTENTION.indexOf(lease.state) : ATTENTION.length);
	rows.sort((one, other) => rankOf(one.lease) - rankOf(other.lease));
	const end = offset + limit;
	return {
		total: rows.length,
		offset,
		next_offset: end < rows.length ? end : null,
		as_of: seconds(asOf),
		revision,
		counts: countsOf(live),
		sessions: rows.slice(offset, end).map(({ item, lease }) => jsonOf(item, lease)),
	};
}

function matcher({ state, kind, cwd, q = "" }: Omit<SessionsQuery, "limit" | "offset">) {
	const words = foldCase(q).split(/\s+/).filter(Boolean);
	return ({ summary, view }: Item, lease: Lease | undefined): boolean =>
		(kind === undefined || summary.kind === kind) &&
		(state === undefined || state === (lease?.state ?? "closed") || (state === "live" && !!lease)) &&
		isIn(summary, cwd) &&
		words.every((word) => hasWord(view, word));
}

/** Whether a session belongs to a folder. The folder can also be given in its sanitized form, because clients know only that form. */
export function isIn({ cwd }: Item["summary"], folder: string | undefined): boolean {
	if (folder === undefined) return true;
	const wanted = normalized(folder);
	return normalized(cwd) === wanted || normalized(cleanText(cwd)) === wanted;
}

/** Returns a path without a trailing separator and, on Windows, with a drive letter in upper case. */
function normalized(path: string): string {
	if (path === "") return "";
	const isWindows = /^[a-z]:[\\/]/i.test(path) || path.startsWith("\\\\");
	if (!isWindows) return posix.normalize(path).replace(/(?<=.)\/$/, "");
	const drive = path.slice(0, 2).toUpperCase();
	return (
		drive +
		win32
			.normalize(path)
			.slice(2)
			.replace(/(?<=.)\\$/, "")
	);
}
