/** Other agents write no leases, so the files that they have changed are read from their session logs. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Entry, type Env, openSessionFile, roleOf, type SessionHeader } from "../log/index.ts";
import { readDoing } from "../log/timeline/index.ts";
import { Pace, readTime } from "../text/files/index.ts";
import { logFolders, sessionNames, wantedFormats } from "./folders.ts";
import { type ChangedFile, type Lease, realPath } from "./live/index.ts";

/** A session without a lease counts as live if its log was modified within this number of milliseconds. */
const RECENT_MS = 10 * 60_000;
/** The result is reused for this number of milliseconds, because the board asks for it once a second. */
const KNOWN_MS = 5_000;

const read = new Map<string, { size: number; mtimeMs: number; lease: Lease | undefined }>();
let last: { at: number; key: string; found: Promise<Lease[]> } | undefined;

export async function withForeignChanges(
	leases: readonly Lease[],
	{ agentDir, now, env = process.env }: { agentDir: string; now: number; env?: Env },
): Promise<Lease[]> {
	const formats = wantedFormats(agentDir);
	if (formats.length === 0) return [...leases];
	const key = [agentDir, ...formats.map(({ name }) => name)].join();
	if (!last || last.key !== key || Math.abs(now - last.at) > KNOWN_MS)
		last = { at: now, key, found: recentlyWritten(logFolders(formats, env), now) };
	const others = new Map((await last.found).map((lease) => [lease.sessionId, lease]));
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
			if (!stat?.isFile() || now - stat.mtimeMs > RECENT_MS) continue;
			const { size, mtimeMs } = stat;
			let known = read.get(path);
			if (known?.size !== size || known.mtimeMs !== mtimeMs) {
				known = { size, mtimeMs, lease: leaseOf(path, mtimeMs) };
				read.set(path, known);
			}
			if (known.lease) found.push(known.lease);
		}
	return found;
}

function leaseOf(path: string, at: number): Lease | undefined {
	const { header, changed } = changesIn(path) ?? {};
	if (!header || !changed?.length) return undefined;
	const { id: sessionId, cwd } = header;
	const facts = { sessionId, sessionFile: path, cwd, state: "working", since: at, changed } as const;
	return { instance: path, pid: 0, host: "", ...facts };
}

/** A fork's log also contains its parent's earlier changes, which are left out here. */
export function changesOf(path: string): ChangedFile[] {
	const { header, changed = [] } = changesIn(path) ?? {};
	const begun = readTime(header?.timestamp) ?? 0;
	return changed.filter(({ at }) => at >= begun);
}

function changesIn(path: string): { header: SessionHeader; changed: ChangedFile[] } | undefined {
	const opened = openSessionFile(path);
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
