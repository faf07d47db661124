import { parseLine, wholeLines } from "../../session-core/log/index.ts";
import { readRecap, type SessionRecord } from "../../session-core/recap/index.ts";
import {
	type AddRecordDeps,
	inUsualOrder,
	isInState,
	listSessions,
	matches,
	type ResumePlan,
	readFilter,
	type SessionJson,
	type SessionSummary,
	type SessionView,
	seconds,
	sessionJson,
	stampOf,
	viewOf,
	watchSessions,
	withLease,
} from "../../session-core/sessions/index.ts";
import {
	type GoOutcome,
	type Lease,
	type LiveTarget,
	leaseFinder,
	type Overlap,
	openLeases,
} from "../../session-core/sessions/live/index.ts";
import { cleanText, outgoing } from "../../session-core/text/index.ts";
import type { OpenOutcome } from "../shell/programs.ts";
import { type Answer, type Refused, refused, type SessionsQuery } from "./requests.ts";

export interface Item {
	id: string;
	summary: SessionSummary;
	/** The view of the session without its live state. */
	view: SessionView;
}

export interface RoutesDeps extends AddRecordDeps {
	board: SessionBoard;
	cwd?: string | undefined;
	canOpen: boolean;
	/** Brings the terminal of a live session to the front. */
	goThere(target: LiveTarget): Promise<GoOutcome>;
	/** Returns why pi cannot open a session file of `size` bytes. */
	whyTooLarge(size: number): Promise<string | undefined>;
	startJob(plan: ResumePlan): Promise<OpenOutcome>;
	/** The host's program. */
	program: string;
	openWindow(command: readonly string[], cwd: string): Promise<OpenOutcome>;
}

/** How a request identifies a session. The path is needed only if several files have the same id. */
export interface SessionName {
	id: string;
	/** The path as given in the session's JSON. */
	path?: string | undefined;
}

/** Returns the JSON that is sent to clients for a session, with the state from its lease. */
export function jsonOf({ view }: Item, lease: Lease | undefined, overlaps?: readonly Overlap[]): SessionJson {
	return sessionJson(lease ? withLease(view, lease) : view, overlaps);
}

export function countsOf(live: readonly Lease[]) {
	const counts = { waiting: 0, failed: 0, finished: 0, working: 0, idle: 0 };
	for (const { state } of live) counts[state]++;
	return counts;
}

/** What changed between two scans of the folders. */
export interface BoardChange {
	changed: Item[];
	removed: string[];
}

/** Keeps all sessions in memory, with one watcher and one index for all clients. */
export class SessionBoard {
	readonly #folders: { agentDir: string; cwd: string | undefined; folders: string[] | undefined };
	readonly #unwatch: () => void;
	#onChange: ((change: BoardChange) => void) | undefined;
	#byPath: ReadonlyMap<string, Item> = new Map();
	#scan: Promise<void> | undefined;
	#isDirty = true;
	readonly #ending = new AbortController();
	/** The sessions, newest first. */
	items: readonly Item[] = [];
	/** A version number that increases with every change to the list. */
	revision = 0;
	/** Time of the last scan, in ms since the epoch. */
	asOf = 0;

	/** `sessionDir`: the single folder that contains all sessions; undefined if each project has its own folder. */
	constructor(agentDir: string, sessionDir: string | undefined, cwd?: string) {
		this.#folders = { agentDir, cwd, folders: sessionDir === undefined ? undefined : [sessionDir] };
		this.#unwatch = watchSessions({ ...this.#folders, onChange: () => this.touch() });
	}

	/** Records that something has changed. The folders are scanned immediately if there is a listener, and otherwise at the next request. */
	touch(): void {
		this.#isDirty = true;
		if (this.#onChange && !this.#scan) void this.#refresh();
	}

	/** If something has changed, waits for a scan that began after this call. */
	async ready(): Promise<void> {
		await this.#scan;
		if (this.#isDirty) await this.#refresh();
	}

	/** Returns the sessions with this id. There can be several, because copies of a session file share its id. */
	named(id: string): readonly Item[] {
		return this.items.filter((item) => item.id === id);
	}

	/**
	 * Returns the session with this complete id. If several files have the id, the path is required; without it, the request is refused. A
	 * client's id and path are only compared with known ones, so they never become part of a path.
	 */
	find({ id, path }: SessionName): { ok: true; item: Item } | Refused {
		const found = this.named(id).filter(
			({ summary }) => path === undefined || path === summary.path || path === outgoing(summary.path),
		);
		const [item] = found;
		if (!item) return UNKNOWN_SESSION;
		if (found.length === 1) return { ok: true, item };
		const message = `${found.length} session files have this id.`;
		return refused(409, "ambiguous_id", message, 'Add "path" as GET /v1/sessions lists it.');
	}

	/** Finds a record and its session. First searches each session's newest record, which is in memory, and then all files, newest first. */
	async findRecap(recapId: string): Promise<{ item: Item; recap: SessionRecord } | undefined> {
		for (const item of this.items) {
			const { recap } = item.summary;
			if (recap?.id === recapId && recap.subject_id === item.id) return { item, recap };
		}
		if (!RECAP_ID.test(recapId)) return undefined;
		for (const item of this.items) {
			const recap = (await storedRecords(item, `"${recapId}"`)).find(({ id }) => id === recapId);
			if (recap) return { item, recap };
		}
		return undefined;
	}

	/** Sets the listener, or removes it if undefined is passed. There is at most one listener. */
	listen(onChange: ((change: BoardChange) => void) | undefined): void {
		this.#onChange = onChange;
	}

	close(): void {
		this.#onChange = undefined;
		this.#ending.abort();
		this.#unwatch();
	}

	#refresh(): Promise<void> {
		this.#scan ??= this.#look().finally(() => {
			this.#scan = undefined;
			if (this.#isDirty && this.#onChange) void this.#refresh();
		});
		return this.#scan;
	}

	async #look(): Promise<void> {
		this.#isDirty = false;
		const { signal } = this.#ending;
		const rows = await listSessions({ ...this.#folders, signal });
		if (signal.aborted) return;
		const before = this.#byPath;
		this.items = rows.map((summary) => known(before, summary) ?? itemOf(summary));
		this.#byPath = new Map(this.items.map((item) => [item.summary.path, item]));
		this.asOf = Date.now();
		const changed = this.items.filter((item) => before.get(item.summary.path) !== item);
		if (changed.length === 0 && before.size === this.#byPath.size && this.revision > 0) return;
		this.revision++;
		const ids = new Set(this.items.map(({ id }) => id));
		const removed = [...before.values()].flatMap(({ id }) => (ids.has(id) ? [] : [id]));
		if (changed.length + removed.length > 0) this.#onChange?.({ changed, removed });
	}
}

function itemOf(summary: SessionSummary): Item {
	return { id: summary.id, summary, view: viewOf(summary) };
}

/** Returns the existing item for a session file, or undefined if the file is new or has changed since the last scan. */
function known(items: ReadonlyMap<string, Item>, summary: SessionSummary): Item | undefined {
	const item = items.get(summary.path);
	return item?.view.stamp === stampOf(summary) ? item : undefined;
}

/** Returns one page of the board: live sessions in order of urgency, then closed ones, newest message first. */
export function pageOf(
	{ items, asOf, revision }: Pick<SessionBoard, "items" | "asOf" | "revision">,
	{ live, overlaps }: { live: readonly Lease[]; overlaps: ReadonlyMap<string, readonly Overlap[]> },
	{ limit = 100, offset = 0, ...filter }: SessionsQuery,
) {
	const leaseOf = leaseFinder(live);
	const isShown = matcher(filter);
	const views = items.map(({ summary, view }) => {
		const lease = leaseOf(summary);
		return { summary, view: lease ? withLease(view, lease) : view, instance: lease?.instance ?? "" };
	});
	const rows = views.filter(isShown).sort((one, other) => inUsualOrder(one.view, other.view));
	const end = offset + limit;
	return {
		total: rows.length,
		offset,
		next_offset: end < rows.length ? end : null,
		as_of: seconds(asOf),
		revision,
		counts: countsOf(live),
		sessions: rows.slice(offset, end).map(({ view, instance }) => sessionJson(view, overlaps.get(instance))),
	};
}

function matcher({ state, kind, cwd, q = "" }: Omit<SessionsQuery, "limit" | "offset">) {
	const words = readFilter(q);
	return ({ summary, view }: Pick<Item, "summary" | "view">): boolean =>
		(kind === undefined || summary.kind === kind) &&
		(state === undefined || isInState(view, state)) &&
		isIn(summary, cwd) &&
		matches(view, words);
}

/** Whether a session belongs to a folder. Clients know only the sanitized form of a folder's path, so that form is also accepted. */
export function isIn({ cwd }: Item["summary"], folder: string | undefined): boolean {
	const plain = (path: string) => cleanText(path).replace(/(?<=.)[\\/]$/, "");
	return folder === undefined || plain(cwd) === plain(folder);
}

const UNKNOWN_SESSION = refused(
	404,
	"unknown_session",
	"There is no session with this id.",
	"Use a complete id; GET /v1/sessions lists them.",
);

/** Matches record ids, including those created by other programs. Files are searched only for ids that match. */
const RECAP_ID = /^[\w-]{8,100}$/;

/**
 * Returns the records in a session's file, oldest first. Only lines that contain `text` are parsed. Records that a fork has inherited from
 * its parent are left out.
 */
export async function storedRecords({ id, summary: { path } }: Item, text: string): Promise<SessionRecord[]> {
	const records: SessionRecord[] = [];
	await wholeLines(path, ({ bytes }) => {
		if (bytes.includes(text))
			records.push(...parseLine(bytes.toString("utf8")).objects.flatMap((entry) => readRecap(entry) ?? []));
		return undefined;
	});
	return records.filter(({ subject_id: subject }) => subject === id);
}

export async function withSession(
	{ board }: RoutesDeps,
	name: SessionName,
	answer: (item: Item) => Answer | Promise<Answer>,
): Promise<Answer> {
	await board.ready();
	const found = board.find(name);
	return found.ok ? answer(found.item) : found;
}

export function leaseOf({ agentDir, now }: RoutesDeps, { summary }: Item): Lease | undefined {
	return leaseFinder(openLeases(agentDir, now()))(summary);
}
