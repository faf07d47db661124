import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Feature, readUsageLine, type UsageEntry, usageLine } from "./entry.ts";
import type { Estimate } from "./estimate.ts";
import { type Journal, type JournalProblem, openJournal } from "./journal.ts";
import { callsOf, sumOf, type UsageTotal } from "./sum.ts";
import { sweepOld } from "./sweep.ts";

export type { UsageEntry } from "./entry.ts";
export type { UsageTotal } from "./sum.ts";

/** A call that is about to be made. */
export interface PlannedCall extends Estimate {
	session: string;
	feature: Feature;
	/** `provider/model`. */
	model: string;
	/** Milliseconds after which it is over in any case. */
	deadlineMs: number;
}

/** What a call came to. `isBilled`: its input costs money even if the provider reported nothing. */
export interface CallResult {
	outcome: UsageEntry["outcome"];
	input: number;
	output: number;
	cost: number;
	isBilled: boolean;
}

/** A call with its place in the ledger. */
export interface Booking {
	/** Book what became of it, in place of what was held back. */
	settle(result: CallResult): void;
	/** What kept the reservation from being written; undefined: other processes see it. */
	problem: JournalProblem | undefined;
}

export type Reserved =
	| { ok: true; booking: Booking }
	| { ok: false; reason: "daily_limit" }
	| { ok: false; reason: "uncounted"; problem: JournalProblem };

export interface Ledger {
	/**
	 * Hold back the most that a call may cost, before it is made. With a `limit` it is refused where today's calls, those
	 * under way in all processes among them, leave no room for it, and where they cannot be counted. Never throws.
	 */
	reserve(call: PlannedCall, limit?: number): Reserved;
	/** Everything spent today (local time), by all extensions in all processes. */
	dayTotal(): UsageTotal;
	/** What one session has spent today. */
	sessionTotal(session: string): UsageTotal;
	/** Whether today's calls have used up `limit`; 0 allows none. */
	overLimit(limit: number): boolean;
	/** What keeps calls from being counted; undefined: nothing. */
	problem(): JournalProblem | undefined;
	/** Today's file. */
	path(): string;
}

export interface LedgerOptions {
	agentDir: string;
	/** Milliseconds since the epoch. */
	now(): number;
}

/** Time beyond a call's deadline within which its process books it, in ms. */
const GRACE_MS = 10_000;

/**
 * The usage ledger: in one file a day two JSON lines a call, a reservation and what became of it. A process that dies in
 * between leaves the reservation, which from its deadline on counts as what the input costs.
 */
export function createLedger({ agentDir, now }: LedgerOptions): Ledger {
	const folder = join(agentDir, "session-suite", "usage");
	const today = (): Journal => openJournal(join(folder, `${dayOf(now())}.jsonl`));
	let isSwept = false;

	/** Today's calls; where the file cannot be read, at least those of this process. */
	const calls = (): UsageEntry[] => {
		const journal = today();
		const read = journal.read();
		return callsOf(entriesIn(read.ok ? read.lines : journal.own()));
	};

	const reserve: Ledger["reserve"] = (call, limit) => {
		if (limit !== undefined && limit <= 0) return { ok: false, reason: "daily_limit" };
		const journal = today();
		const before = journal.read();
		if (limit !== undefined && !before.ok) return { ok: false, reason: "uncounted", problem: before.problem };
		if (limit !== undefined && before.ok && !hasRoom(entriesIn(before.lines), call, limit, now())) {
			return { ok: false, reason: "daily_limit" };
		}
		const id = randomUUID();
		const entry = reservation(id, call, now());
		const write = (line: UsageEntry) => journal.append(usageLine(now(), line));
		const problem = write(entry) ?? (before.ok ? undefined : before.problem);
		const withdraw = () => write({ ...entry, outcome: "withdrawn", input: 0, cost: 0 });
		if (limit !== undefined) {
			// Others may have reserved at the same moment: in the order of the file, the later one gives way.
			const after = journal.read();
			const failed = problem ?? (after.ok ? undefined : after.problem);
			if (failed) {
				withdraw();
				return { ok: false, reason: "uncounted", problem: failed };
			}
			const lines = after.ok ? entriesIn(after.lines) : [];
			const mine = lines.findIndex((line) => line.id === id);
			if (!hasRoom(settledBefore(lines, mine), call, limit, now())) {
				withdraw();
				return { ok: false, reason: "daily_limit" };
			}
		}
		if (!isSwept) sweepOld(folder, now());
		isSwept = true;
		return { ok: true, booking: { problem, settle: (result) => void write(settled(entry, result)) } };
	};

	return {
		reserve,
		dayTotal: () => sumOf(calls(), now()),
		sessionTotal: (session) =>
			sumOf(
				calls().filter((call) => call.session === session),
				now(),
			),
		overLimit: (limit) => limit <= 0 || sumOf(calls(), now()).cost >= limit,
		problem: () => today().check(),
		path: () => today().path,
	};
}

/** The calls that stand before the line at `mine`, as they are known by now. */
function settledBefore(lines: readonly UsageEntry[], mine: number): UsageEntry[] {
	const earlier = new Set(lines.slice(0, mine).map(({ id }) => id));
	return lines.filter(({ id }, index) => index < mine || (id !== undefined && earlier.has(id)));
}

function hasRoom(lines: readonly UsageEntry[], { most }: PlannedCall, limit: number, now: number): boolean {
	const { cost } = sumOf(callsOf(lines), now);
	return cost < limit && cost + most <= limit;
}

function entriesIn(lines: readonly string[]): UsageEntry[] {
	return lines.flatMap((line) => readUsageLine(line) ?? []);
}

function reservation(id: string, call: PlannedCall, now: number): UsageEntry & { id: string } {
	const { session, feature, model, input, cost, most, unpriced, deadlineMs } = call;
	const until = Math.ceil((now + deadlineMs + GRACE_MS) / 1000);
	const flags = unpriced ? { unpriced } : {};
	return { id, session, feature, model, input, output: 0, cost, most, until, outcome: "reserved", ...flags };
}

/** The line that ends a call. What was billed and not reported is booked at what its input costs. */
function settled(entry: UsageEntry, { outcome, input, output, cost, isBilled }: CallResult): UsageEntry {
	const { most: _most, until: _until, ...call } = entry;
	const isReported = input > 0 || output > 0 || cost > 0;
	if (isReported || !isBilled) return { ...call, input, output, cost, outcome };
	return { ...call, outcome, estimated: true };
}

/** The local day, as in the file's name. */
function dayOf(ms: number): string {
	const date = new Date(ms);
	const two = (value: number) => String(value).padStart(2, "0");
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
