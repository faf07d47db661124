/** An overlap is a file that two live sessions have changed and that has not been committed yet. */
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
	AGENT_LIVE_MS,
	type Entry,
	type Env,
	openSessionFile,
	roleOf,
	type SessionHeader,
} from "../log/index.ts";
import { readDoing } from "../log/timeline/index.ts";
import { fileState, Pace, readTime } from "../text/index.ts";
import { logFolders, sessionNames, wantedFormats } from "./folders.ts";
import { type ChangedFile, isChangedFile, type Lease, liveLeases } from "./live/index.ts";

export interface Overlap {
	path: string;
	session: string;
	sessionFile?: string | undefined;
	at: number;
}

interface Surroundings {
	agentDir: string;
	now: number;
	env?: Env;
}

/**
 * Returns each lease's overlaps, keyed by `instance`. Changes that have been committed or restored are
 * not included.
 */
export async function overlapsOf(
	leases: readonly Lease[],
	place: Surroundings,
	look: (path: string) => Promise<{ isClean: boolean; committedAt: number }> = lookedAt,
): Promise<Map<string, Overlap[]>> {
	const changes = (await withForeignChanges(leases, place)).flatMap((lease) =>
		(lease.changed ?? []).map(({ path, at }) => ({ path, at, lease })),
	);
	const byPath = new Map<string, typeof changes>();
	for (const change of changes) byPath.set(change.path, [...(byPath.get(change.path) ?? []), change]);
	const found = new Map<string, Overlap[]>();
	for (const [path, by] of byPath) {
		if (new Set(by.map(({ lease }) => lease.sessionId)).size < 2) continue;
		const { isClean, committedAt } = await look(path);
		const open = isClean ? [] : by.filter(({ at }) => at > committedAt);
		for (const { lease } of open) {
			const others = open.filter((other) => other.lease.sessionId !== lease.sessionId);
			for (const { at, lease: other } of others) {
				const { sessionId: session, sessionFile } = other;
				const before = found.get(lease.instance) ?? [];
				found.set(lease.instance, [...before, { path, session, sessionFile, at }]);
			}
		}
	}
	return found;
}

/** Every session calls this function after each edit, so it must be fast. */
export function leasesWith(agentDir: string, now: number, files: Pick<ReadonlySet<string>, "has">): Lease[] {
	const isAmong = (file: unknown) => isChangedFile(file) && files.has(file.path);
	return liveLeases(agentDir, now, ({ changed }) => Array.isArray(changed) && changed.some(isAmong));
}

/**
 * How long, in milliseconds, git's output is cached, because the board asks for overlaps once a
 * second.
 */
const GIT_KNOWN_MS = 3_000;
const known = new Map<string, { at: number; state: ReturnType<typeof fileState> }>();

function lookedAt(path: string): ReturnType<typeof fileState> {
	const now = performance.now();
	for (const [name, { at }] of known) if (now - at > GIT_KNOWN_MS) known.delete(name);
	const before = known.get(path) ?? { at: now, state: fileState(path) };
	known.set(path, before);
	return before.state;
}

/** How long, in milliseconds, the changes in other agents' session logs are cached. */
const LOGS_KNOWN_MS = 5_000;

const readLogs = new Map<string, { size: number; mtimeMs: number; lease: Lease | undefined }>();
let lastFound: { at: number; key: string; found: Promise<Lease[]> } | undefined;

/**
 * Other agents write no leases, so the files that they have changed are read from their session logs.
 */
export async function withForeignChanges(
	leases: readonly Lease[],
	{ agentDir, now, env = process.env }: Surroundings,
): Promise<Lease[]> {
	const formats = wantedFormats(agentDir);
	if (formats.length === 0) return [...leases];
	const key = [agentDir, ...formats.map(({ name }) => name)].join();
	if (!lastFound || lastFound.key !== key || Math.abs(now - lastFound.at) > LOGS_KNOWN_MS)
		lastFound = { at: now, key, found: recentlyWritten(logFolders(formats, env), now) };
	const others = new Map((await lastFound.found).map((lease) => [lease.sessionId, lease]));
	const known = leases.map((lease) => {
		const { changed, sessionFile } = others.get(lease.sessionId) ?? {};
		others.delete(lease.sessionId);
		return changed && sessionFile ? { ...lease, changed, sessionFile } : lease;
	});
	return [...known, ...others.values()];
}

async function recentlyWritten(folders: ReturnType<typeof logFolders>, now: number): Promise<Lease[]> {
	const { step } = new Pace();
	const found: Lease[] = [];
	for (const { folder, format, isArchive } of folders)
		for (const name of isArchive ? [] : sessionNames(folder, undefined, format.ending)) {
			await step();
			const path = join(folder, name);
			const stat = lstatSync(path, { throwIfNoEntry: false });
			if (!stat?.isFile() || now - stat.mtimeMs > AGENT_LIVE_MS) continue;
			const { size, mtimeMs } = stat;
			let known = readLogs.get(path);
			if (known?.size !== size || known.mtimeMs !== mtimeMs) {
				known = { size, mtimeMs, lease: await leaseOf(path, mtimeMs) };
				readLogs.set(path, known);
			}
			if (known.lease) found.push(known.lease);
		}
	return found;
}

async function leaseOf(path: string, at: number): Promise<Lease | undefined> {
	const { header, changed } = (await changesIn(path)) ?? {};
	if (!header || !changed?.length) return undefined;
	const { id: sessionId, cwd } = header;
	const facts = { sessionId, sessionFile: path, cwd, state: "working", since: at, changed } as const;
	return { instance: path, pid: 0, host: "", ...facts };
}

/** Returns the files that a session has changed, without changes that a fork's log inherited. */
export async function changesOf(path: string): Promise<ChangedFile[]> {
	const { header, changed = [] } = (await changesIn(path)) ?? {};
	const begun = readTime(header?.timestamp) ?? 0;
	return changed.filter(({ at }) => at >= begun);
}

async function changesIn(
	path: string,
): Promise<{ header: SessionHeader; changed: ChangedFile[] } | undefined> {
	const opened = await openSessionFile(path);
	if (!opened.ok || !opened.session.header) return undefined;
	const { header, slice } = opened.session;
	const files = new Map<string, number>();
	let turn: Entry[] = [];
	const endTurn = () => {
		const at = readTime(turn.at(-1)?.timestamp) ?? 0;
		const messages = turn.map(({ message }) => message);
		for (const changed of readDoing(messages, header.cwd).changed) files.set(realPath(changed), at);
		turn = [];
	};
	for (const entry of slice.entries) {
		if (roleOf(entry) !== "toolResult") endTurn();
		if (entry.message) turn.push(entry);
	}
	endTurn();
	return { header, changed: [...files].map(([changed, at]) => ({ path: changed, at })) };
}

/** Resolves symlinks, because two sessions may use different paths for the same file. */
export function realPath(path: string): string {
	for (const known of [path, dirname(path)])
		try {
			return known === path ? realpathSync(path) : join(realpathSync(known), basename(path));
		} catch {
			// The file no longer exists.
		}
	return path;
}
