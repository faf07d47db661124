import { parseLine, wholeLines } from "../../session-core/log/index.ts";
import { readRecap, type SessionRecord } from "../../session-core/recap/index.ts";
import {
	inUsualOrder,
	isInState,
	type Lease,
	leaseFinder,
	listSessions,
	matches,
	type Overlaps,
	openLeases,
	overlapsOf,
	readFilter,
	type SessionView,
	seconds,
	sessionJson,
	versionOf,
	viewOf,
	wantedFormats,
	watchSessions,
	withLease,
} from "../../session-core/sessions/index.ts";
import { background, cleanText, outgoing, Pace } from "../../session-core/text/index.ts";
import { type Answer, type Refused, refused, refusedAs } from "./http.ts";
import type { SessionsQuery } from "./requests.ts";

export interface SessionName {
	id: string;
	path?: string | undefined;
}

export type SessionsJson = Awaited<ReturnType<SessionBoard["page"]>>;

export type BoardChange = { changed: SessionView[]; removed: string[] };

/** All clients share one list of sessions, so the session folders are watched only once. */
export class SessionBoard {
	readonly #place: { agentDir: string; cwd: string | undefined; folders: string[] | undefined };
	readonly #unwatch: () => void;
	#onChange: ((change: BoardChange) => void) | undefined;
	#byPath: ReadonlyMap<string, SessionView> = new Map();
	#scan: Promise<void> | undefined;
	#isDirty = true;
	readonly #ending = new AbortController();
	sessions: readonly SessionView[] = [];
	revision = 0;
	#asOf = 0;

	constructor(agentDir: string, sessionDir: string | undefined, cwd?: string) {
		this.#place = { agentDir, cwd, folders: sessionDir === undefined ? undefined : [sessionDir] };
		this.#unwatch = watchSessions({ ...this.#place, onChange: () => this.touch() });
	}

	/**
	 * Marks the session list as outdated. The folders are scanned immediately if `listen` has been called,
	 * and otherwise when the next request arrives.
	 */
	touch(): void {
		this.#isDirty = true;
		if (this.#onChange && !this.#scan) background("serve", () => this.#refresh());
	}

	async ready(): Promise<void> {
		await this.#scan;
		if (this.#isDirty) await this.#refresh();
	}

	/** Copies of a session file share its session id, so several files can have the same session id. */
	named(id: string): readonly SessionView[] {
		return this.sessions.filter((session) => session.id === id);
	}

	find({ id, path }: SessionName): { ok: true; session: SessionView } | Refused {
		const found = this.named(id).filter(
			(view) => path === undefined || path === view.path || path === outgoing(view.path),
		);
		const [session] = found;
		if (!session) return refused("unknown_session");
		if (found.length === 1) return { ok: true, session };
		const message = `${found.length} session files have this id.`;
		return refusedAs(
			409,
			"ambiguous_id",
			message,
			'Add the "path" that GET /v1/sessions shows for the session.',
		);
	}

	async answerFor(
		name: SessionName,
		answer: (session: SessionView) => Answer | Promise<Answer>,
	): Promise<Answer> {
		await this.ready();
		const found = this.find(name);
		return found.ok ? answer(found.session) : found;
	}

	/** For speed, recaps in memory are searched before session files are read. */
	async findRecap(recapId: string): Promise<{ session: SessionView; recap: SessionRecord } | undefined> {
		for (const session of this.sessions) {
			const { recap } = session;
			if (recap?.id === recapId && recap.subject_id === session.id) return { session, recap };
		}
		if (!RECAP_ID.test(recapId)) return undefined;
		for (const session of this.sessions) {
			const recap = (await storedRecords(session, `"${recapId}"`)).find(({ id }) => id === recapId);
			if (recap) return { session, recap };
		}
		return undefined;
	}

	leases(): Lease[] {
		const { agentDir } = this.#place;
		return openLeases(agentDir, Date.now(), { formats: wantedFormats(agentDir) });
	}

	leaseOf(session: SessionView): Lease | undefined {
		return leaseFinder(this.leases())(session);
	}

	/**
	 * Returns one lease for each open session id. If several files have the same id, only the most recent
	 * file is considered.
	 */
	openSessions(leases = this.leases()): Lease[] {
		const leaseOf = leaseFinder(leases);
		const ids = new Set(leases.map(({ sessionId }) => sessionId));
		return [...ids].flatMap((id) => leaseOf({ id, path: this.named(id)[0]?.path ?? "" }) ?? []);
	}

	async overlaps(): Promise<Overlaps> {
		return overlapsOf(this.leases(), { agentDir: this.#place.agentDir, now: Date.now() });
	}

	/**
	 * Live sessions come first, sorted by urgency. Closed sessions follow, sorted by the time of their
	 * last message.
	 */
	async page({ limit = 100, offset = 0, ...filter }: SessionsQuery) {
		await this.ready();
		const overlaps = await this.overlaps();
		const leases = this.leases();
		const leaseOf = leaseFinder(leases);
		const isShown = matcher(filter);
		const rows = this.sessions
			.map((session) => withLease(session, leaseOf(session), overlaps))
			.filter(isShown)
			.sort(inUsualOrder);
		const end = offset + limit;
		return {
			total: rows.length,
			offset,
			next_offset: end < rows.length ? end : null,
			as_of: seconds(this.#asOf),
			revision: this.revision,
			counts: countsOf(this.openSessions(leases)),
			sessions: rows.slice(offset, end).map(sessionJson),
		};
	}

	listen(onChange: ((change: BoardChange) => void) | undefined): void {
		this.#onChange = onChange;
	}

	close(): void {
		this.#onChange = undefined;
		this.#ending.abort();
		this.#unwatch();
	}

	#refresh(): Promise<void> {
		this.#scan ??= this.#look().then(
			() => {
				this.#scan = undefined;
				if (this.#isDirty && this.#onChange) background("serve", () => this.#refresh());
			},
			(bug: unknown) => {
				this.#scan = undefined;
				// After a failed scan, the next request or file change starts another scan.
				this.#isDirty = true;
				throw bug;
			},
		);
		return this.#scan;
	}

	async #look(): Promise<void> {
		this.#isDirty = false;
		const { signal } = this.#ending;
		const rows = await listSessions({ ...this.#place, signal });
		const before = this.#byPath;
		const sessions: SessionView[] = [];
		const pace = new Pace();
		for (const summary of rows) {
			const known = before.get(summary.path);
			sessions.push(known && versionOf(known) === versionOf(summary) ? known : viewOf(summary));
			if (pace.isDue) await pace.rest();
		}
		if (signal.aborted) return;
		this.sessions = sessions;
		this.#byPath = new Map(this.sessions.map((session) => [session.path, session]));
		this.#asOf = Date.now();
		const gone = [...before.values()].filter(({ path }) => !this.#byPath.has(path));
		const removed = new Set(gone.map(({ id }) => id));
		// When an id is removed, clients drop all sessions with that id, so the remaining sessions are sent again.
		const changed = this.sessions.filter(
			(session) => before.get(session.path) !== session || removed.has(session.id),
		);
		if (changed.length + removed.size === 0 && this.revision > 0) return;
		this.revision++;
		if (changed.length + removed.size > 0) this.#onChange?.({ changed, removed: [...removed] });
	}
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

/**
 * Clients know only the sanitized form of a folder's path, so the sanitized form is accepted as well.
 */
export function isIn({ cwd }: Pick<SessionView, "cwd">, folder: string | undefined): boolean {
	const plain = (path: string) => cleanText(path).replace(/(?<=.)[\\/]$/, "");
	return folder === undefined || plain(cwd) === plain(folder);
}

/** Matches record ids, which are not always UUIDs, because other programs can also create records. */
const RECAP_ID = /^[\w-]{8,100}$/;

/**
 * Returns a session's own records, oldest first. Records that a fork inherited are omitted. Only lines
 * that contain `text` are parsed.
 */
export async function storedRecords({ id, path }: SessionView, text: string): Promise<SessionRecord[]> {
	const records: SessionRecord[] = [];
	await wholeLines(path, ({ bytes }) => {
		if (bytes.includes(text))
			records.push(...parseLine(bytes.toString("utf8")).objects.flatMap((entry) => readRecap(entry) ?? []));
		return undefined;
	});
	return records.filter(({ subject_id: subject }) => subject === id);
}
