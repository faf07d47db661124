import { parseLine, wholeLines } from "../../session-core/log/index.ts";
import { readRecap, type SessionRecord } from "../../session-core/recap/index.ts";
import {
	inUsualOrder,
	isInState,
	type Lease,
	leaseFinder,
	listSessions,
	matches,
	type Overlap,
	openLeases,
	overlapsOf,
	readFilter,
	type SessionSummary,
	type SessionView,
	seconds,
	sessionJson,
	stampOf,
	viewOf,
	watchSessions,
	withForeignChanges,
	withLease,
} from "../../session-core/sessions/index.ts";
import { cleanText, outgoing } from "../../session-core/text/index.ts";
import { type Answer, type Refused, refused, refusedAs } from "./http.ts";
import type { SessionsQuery } from "./requests.ts";

export interface Item {
	id: string;
	summary: SessionSummary;
	/** The view of the session without its live state. */
	view: SessionView;
}

/** The id and path with which a request identifies a session. The path is needed only if several files have the same id. */
export interface SessionName {
	id: string;
	/** The path as given in the session's JSON. */
	path?: string | undefined;
}

/** The sessions that were changed, and the ids of those that were removed, between two scans of the session folders. */
export type BoardChange = { changed: Item[]; removed: string[] };

/** Keeps all sessions in memory, with one watcher and one index for all clients. */
export class SessionBoard {
	readonly #place: { agentDir: string; cwd: string | undefined; folders: string[] | undefined };
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
	#asOf = 0;

	/** `sessionDir`: the single folder that contains all sessions; undefined if each project has its own folder. */
	constructor(agentDir: string, sessionDir: string | undefined, cwd?: string) {
		this.#place = { agentDir, cwd, folders: sessionDir === undefined ? undefined : [sessionDir] };
		this.#unwatch = watchSessions({ ...this.#place, onChange: () => this.touch() });
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
		if (!item) return refused("unknown_session");
		if (found.length === 1) return { ok: true, item };
		const message = `${found.length} session files have this id.`;
		return refusedAs(
			409,
			"ambiguous_id",
			message,
			'Add the "path" that GET /v1/sessions shows for the session.',
		);
	}

	/** Responds to a request about the session that `name` identifies. If there is no such session, the request is refused. */
	async answerFor(name: SessionName, answer: (item: Item) => Answer | Promise<Answer>): Promise<Answer> {
		await this.ready();
		const found = this.find(name);
		return found.ok ? answer(found.item) : found;
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

	leases(): Lease[] {
		return openLeases(this.#place.agentDir, Date.now());
	}

	leaseOf({ summary }: Item): Lease | undefined {
		return leaseFinder(this.leases())(summary);
	}

	/** Returns the files that two live sessions have changed, by the instances of their leases. */
	async overlaps(): Promise<ReadonlyMap<string, Overlap[]>> {
		const { agentDir } = this.#place;
		return overlapsOf(await withForeignChanges(this.leases(), { agentDir, now: Date.now() }));
	}

	/** Returns one page of the list: live sessions in order of urgency, then closed ones, newest message first. */
	async page({ limit = 100, offset = 0, ...filter }: SessionsQuery) {
		await this.ready();
		const overlaps = await this.overlaps();
		const leases = this.leases();
		const leaseOf = leaseFinder(leases);
		const isShown = matcher(filter);
		const rows = this.items
			.map((item) => ({
				view: viewWith(item, leaseOf(item.summary)),
				instance: leaseOf(item.summary)?.instance,
			}))
			.filter(({ view }) => isShown(view))
			.sort((one, other) => inUsualOrder(one.view, other.view));
		const end = offset + limit;
		return {
			total: rows.length,
			offset,
			next_offset: end < rows.length ? end : null,
			as_of: seconds(this.#asOf),
			revision: this.revision,
			counts: countsOf(leases),
			sessions: rows
				.slice(offset, end)
				.map(({ view, instance = "" }) => sessionJson(view, overlaps.get(instance))),
		};
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
		const rows = await listSessions({ ...this.#place, signal });
		if (signal.aborted) return;
		const before = this.#byPath;
		this.items = rows.map((summary) => {
			const known = before.get(summary.path);
			return known?.view.stamp === stampOf(summary)
				? known
				: { id: summary.id, summary, view: viewOf(summary) };
		});
		this.#byPath = new Map(this.items.map((item) => [item.summary.path, item]));
		this.#asOf = Date.now();
		const changed = this.items.filter((item) => before.get(item.summary.path) !== item);
		if (changed.length === 0 && before.size === this.#byPath.size && this.revision > 0) return;
		this.revision++;
		const ids = new Set(this.items.map(({ id }) => id));
		const removed = [...before.values()].flatMap(({ id }) => (ids.has(id) ? [] : [id]));
		if (changed.length + removed.length > 0) this.#onChange?.({ changed, removed });
	}
}

/** Returns the view of a session with the state from its lease. */
export function viewWith({ view }: Item, lease: Lease | undefined): SessionView {
	return lease ? withLease(view, lease) : view;
}

export function countsOf(live: readonly Lease[]) {
	const counts = { waiting: 0, failed: 0, finished: 0, working: 0, idle: 0 };
	for (const { state } of live) counts[state]++;
	return counts;
}

function matcher({ state, kind, cwd, q = "" }: SessionsQuery): (view: SessionView) => boolean {
	const words = readFilter(q);
	return (view) =>
		(kind === undefined || view.kind === kind) &&
		(state === undefined || isInState(view, state)) &&
		isIn(view, cwd) &&
		matches(view, words);
}

/** Whether a session belongs to a folder. Clients know only the sanitized form of a folder's path, so that form is also accepted. */
export function isIn({ cwd }: Pick<SessionView, "cwd">, folder: string | undefined): boolean {
	const plain = (path: string) => cleanText(path).replace(/(?<=.)[\\/]$/, "");
	return folder === undefined || plain(cwd) === plain(folder);
}

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
