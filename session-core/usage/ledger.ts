import {
	appendFileSync,
	closeSync,
	fstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	readSync,
	unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { readUsageLine, type UsageEntry, usageLine } from "./entry.ts";

export type { UsageEntry } from "./entry.ts";

export interface UsageTotal {
	calls: number;
	input: number;
	output: number;
	cost: number;
}

export interface Ledger {
	/** Never throws: a full disk must not cost the user their recap. False: nothing was written. */
	record(entry: UsageEntry): boolean;
	/** Everything spent today (local time), by all extensions in all processes. */
	dayTotal(): UsageTotal;
	/** What one session has spent today. */
	sessionTotal(session: string): UsageTotal;
	/** Whether today's calls have used up `limit`; 0 allows none. */
	overLimit(limit: number): boolean;
}

export interface LedgerOptions {
	agentDir: string;
	/** Milliseconds since the epoch. */
	now(): number;
}

/** Days of which the lines are kept. */
const KEPT_DAYS = 90;
/** A day of ten thousand calls has about 2 MB; what lies before the tail of a larger file is not counted. */
const MAX_BYTES = 4 * 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;
const FILE_NAME = /^(\d{4})-(\d{2})-(\d{2})\.jsonl$/;

/**
 * The usage ledger: one JSON line a call in one file a day. A line is one small append, which the platform keeps
 * whole, so any number of processes can write without a lock; a call in flight elsewhere is not seen by the limit.
 */
export function createLedger({ agentDir, now }: LedgerOptions): Ledger {
	const folder = join(agentDir, "session-suite", "usage");
	const today = () => join(folder, `${dayOf(now())}.jsonl`);
	let isSwept = false;
	const total = (counts: (entry: UsageEntry) => boolean): UsageTotal =>
		sumOf(readEntries(today()).filter(counts));
	return {
		record(entry) {
			const isWritten = append(folder, today(), usageLine(now(), entry));
			if (isWritten && !isSwept) sweep(folder, now());
			isSwept ||= isWritten;
			return isWritten;
		},
		dayTotal: () => total(() => true),
		sessionTotal: (session) => total((entry) => entry.session === session),
		overLimit: (limit) => limit <= 0 || total(() => true).cost >= limit,
	};
}

/** The local day, as in the file's name. */
function dayOf(ms: number): string {
	const date = new Date(ms);
	const two = (value: number) => String(value).padStart(2, "0");
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function append(folder: string, path: string, line: string): boolean {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		appendFileSync(path, `${line}\n`, { mode: 0o600 });
		return true;
	} catch {
		// Read-only or full disk: the call was made all the same, and saying so is the caller's choice.
		return false;
	}
}

function sumOf(entries: readonly UsageEntry[]): UsageTotal {
	const sum: UsageTotal = { calls: 0, input: 0, output: 0, cost: 0 };
	for (const entry of entries) {
		sum.calls += 1;
		sum.input += entry.input;
		sum.output += entry.output;
		sum.cost += entry.cost;
	}
	return sum;
}

function readEntries(path: string): UsageEntry[] {
	return readTail(path)
		.split("\n")
		.flatMap((line) => readUsageLine(line) ?? []);
}

function readTail(path: string): string {
	let fd: number;
	try {
		fd = openSync(path, "r");
	} catch {
		// No call was made today.
		return "";
	}
	try {
		const { size } = fstatSync(fd);
		const tail = Buffer.alloc(Math.min(size, MAX_BYTES));
		const read = readSync(fd, tail, 0, tail.length, size - tail.length);
		return tail.toString("utf8", 0, read);
	} catch {
		// Unreadable: nothing is known to be spent.
		return "";
	} finally {
		closeSync(fd);
	}
}

/** Remove what is too old. Another process may do the same at the same time. */
function sweep(folder: string, now: number): void {
	try {
		for (const name of readdirSync(folder)) {
			const [, year, month, day] = FILE_NAME.exec(name) ?? [];
			if (day === undefined) continue;
			const age = now - new Date(Number(year), Number(month) - 1, Number(day)).getTime();
			if (age > KEPT_DAYS * DAY_MS) unlinkSync(join(folder, name));
		}
	} catch {
		// Old lines do no harm; the next process tries again.
	}
}
