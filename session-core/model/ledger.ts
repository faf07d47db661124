import { readdirSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type AppendFailure, appendRegular, errorCode, readRegular, readSpan } from "../regular-file.ts";
import { cleanLine } from "../text/sanitize.ts";
import type { CallFailure } from "./failure.ts";

/** What a model is called for. */
export type Feature = "recap" | "title" | "resume";

/** Who caused a call: pi by itself, or the user with a command. */
export type Trigger = "auto" | "typed";

/** One model call of the suite. Tokens as the provider counted them; `cost` in the currency of the model's price table. */
export interface LedgerCall {
	id: string;
	/** When it was reserved, in unix seconds. */
	at: number;
	session: string;
	feature: Feature;
	/** The state of the conversation: the id of its last message. Calls that older versions wrote have none. */
	state?: string;
	by?: Trigger;
	/** Joins the calls of one question: a model that cannot answer lets the next one try. */
	question?: string;
	/** `provider/model`. */
	model: string;
	input: number;
	output: number;
	cost: number;
	/** `reserved`: in flight, or its process died. `withdrawn`: it was reserved and never made. */
	outcome: "ok" | CallFailure | "reserved" | "withdrawn";
	/** Of a reservation: the most that the call may cost. Counts until `until` (unix seconds), `cost` from then on. */
	most?: number;
	until?: number;
	/** The provider reported no figures; these are our estimate. */
	estimated?: true;
	/** The model has no price, so a cost of 0 means nothing. */
	unpriced?: true;
}

/** Why calls cannot be counted. */
export interface LedgerProblem {
	path: string;
	reason: AppendFailure | "unreadable" | "too_large";
	/** The system's own words. */
	detail: string;
}

export type LedgerRead = { ok: true; calls: LedgerCall[] } | { ok: false; problem: LedgerProblem };

/**
 * The calls of all processes: one file a day (UTC), with a JSON line when a call is reserved and one when it is over. A line is one
 * small append, which the platform keeps whole, so all processes see the same lines in the same order without a lock.
 */
export interface Ledger {
	/** The calls of all days, in the order of their reservations; withdrawn ones are left out. */
	read(): LedgerRead;
	/** Writes a line. A call that is over goes into the file of its reservation. Undefined: it is on disk. */
	append(call: LedgerCall): LedgerProblem | undefined;
	/** What keeps calls from being counted, as far as reading the files and the last append show; writes nothing. */
	problem(): LedgerProblem | undefined;
	/** Today's file. */
	path(): string;
}

/** A day of ten thousand calls has about 6 MB. What cannot be read whole cannot be counted. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Files kept. Counted and not dated, so that a clock that is wrong for an hour removes nothing. */
const KEPT_DAYS = 90;
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/;

/** `now` in milliseconds since the epoch. */
export function openLedger(agentDir: string, now: () => number): Ledger {
	const folder = join(agentDir, "session-suite", "usage");
	const pathOn = (seconds: number) => join(folder, `${utcDay(seconds)}.jsonl`);
	const path = () => pathOn(now() / 1000);
	/** Files that have not changed are not read again: only today's does. */
	const known = new Map<string, { stamp: string; calls: LedgerCall[] }>();
	let notWritten: LedgerProblem | undefined;

	function dayFiles(): string[] {
		return readdirSync(folder)
			.filter((name) => DAY_FILE.test(name))
			.sort();
	}

	function readDay(name: string): LedgerRead {
		const file = join(folder, name);
		const read = readRegular(file, (opened) => {
			const { size, mtimeMs } = opened.stamp;
			const stamp = `${size}:${mtimeMs}`;
			const before = known.get(name);
			if (before?.stamp === stamp) return { ok: true as const, calls: before.calls };
			if (size > MAX_BYTES)
				return { ok: false as const, reason: "too_large" as const, detail: `${size} bytes` };
			const calls = readCalls(name, readSpan(opened, 0, size).toString("utf8"));
			known.set(name, { stamp, calls });
			return { ok: true as const, calls };
		});
		if (read.ok) return read;
		const { reason, detail } = read;
		// Another process has just removed it.
		if (reason === "missing") return { ok: true, calls: [] };
		return { ok: false, problem: { path: file, reason, detail } };
	}

	function read(): LedgerRead {
		const calls: LedgerCall[] = [];
		let names: string[];
		try {
			names = dayFiles();
		} catch (error) {
			if (errorCode(error) === "ENOENT") return { ok: true, calls };
			const reason = errorCode(error) === "ENOTDIR" ? "not_regular" : "unreadable";
			return { ok: false, problem: { path: folder, reason, detail: messageOf(error) } };
		}
		for (const name of names) {
			const day = readDay(name);
			if (!day.ok) return day;
			calls.push(...day.calls);
		}
		return { ok: true, calls: calls.filter(({ outcome }) => outcome !== "withdrawn") };
	}

	function removeOldest(): void {
		try {
			for (const name of dayFiles().slice(0, -KEPT_DAYS)) unlinkSync(join(folder, name));
		} catch {
			// Old files do no harm; the next process tries again.
		}
	}

	return {
		read,
		append(call) {
			const file = pathOn(call.at);
			const appended = appendRegular(file, `${lineOf(call)}\n`);
			notWritten = appended.ok ? undefined : { path: file, reason: appended.reason, detail: appended.detail };
			if (notWritten) return notWritten;
			// Today's file is known as soon as it has been read.
			if (!known.has(basename(file))) removeOldest();
			return undefined;
		},
		problem() {
			const found = read();
			return found.ok ? notWritten : found.problem;
		},
		path,
	};
}

/** The day in UTC, so that all time zones share one limit. `seconds`: unix time. */
export function utcDay(seconds: number): string {
	return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** Keeps a line far below the 4,096 bytes that POSIX systems append in one piece. */
const MAX_NAME = 200;
/** In unix seconds; beyond the year 5000 no date can be written in ten characters for certain. */
const MAX_TIME = 1e11;
const LINE_START = '{"at":';

/** Ids, counts and names, field by field, so that nothing else can get in. */
function lineOf(call: LedgerCall): string {
	const { state, by, question, most, until, estimated, unpriced } = call;
	return JSON.stringify({
		at: Math.floor(call.at),
		id: call.id,
		session: ledgerName(call.session),
		feature: call.feature,
		...(state !== undefined && { state: ledgerName(state) }),
		...(by !== undefined && { by }),
		...(question !== undefined && { question }),
		model: ledgerName(call.model),
		input: amount(call.input),
		output: amount(call.output),
		cost: amount(call.cost),
		...(most !== undefined && { most: amount(most) }),
		...(until !== undefined && { until: amount(until) }),
		outcome: call.outcome,
		...(estimated && { estimated }),
		...(unpriced && { unpriced }),
	});
}

/** Ids come from session files, which may hold anything. */
export function ledgerName(text: string): string {
	return cleanLine(text).slice(0, MAX_NAME);
}

/** A provider may report nonsense; it must not break the sum of a day. */
function amount(value: number): number {
	return Number.isFinite(value) && value > 0 ? value : 0;
}

/** The calls in a file. The second line of a call replaces its figures, not its place and time. */
function readCalls(file: string, text: string): LedgerCall[] {
	const calls = new Map<string, LedgerCall>();
	for (const [index, line] of text.split("\n").entries()) {
		const read = readLine(line, `${file}:${index}`);
		if (!read) continue;
		const reserved = calls.get(read.id);
		if (reserved && read.outcome === "reserved") continue;
		calls.set(read.id, { ...read, at: reserved?.at ?? read.at });
	}
	return [...calls.values()];
}

/** Undefined: torn or foreign. Lines of the first version have no id, and then their place stands for one. */
function readLine(line: string, place: string): LedgerCall | undefined {
	// A line that a crash cut off may stand before a whole one.
	const start = line.lastIndexOf(LINE_START);
	if (start < 0) return undefined;
	try {
		const call: LedgerCall = { id: place, ...JSON.parse(line.slice(start)) };
		const { at, input, output, cost, most = 0, until = 0 } = call;
		if (at > MAX_TIME) return undefined;
		const isWhole = [at, input, output, cost, most, until].every(
			(value) => Number.isFinite(value) && value >= 0,
		);
		return isWhole && typeof call.session === "string" ? call : undefined;
	} catch {
		// Cut off by a crash or a full disk.
		return undefined;
	}
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** What is wrong and how to fix it: one line for the user. */
export function describeProblem({ path, reason, detail }: LedgerProblem): string {
	return `${path} ${WRONG[reason]}. ${remedy(path, reason, detail)}`;
}

const WRONG: Readonly<Record<LedgerProblem["reason"], string>> = {
	not_regular: "is in the way: it is not a file or folder of ours",
	symlink: "is a symlink, which is not followed",
	unreadable: "cannot be read",
	unwritable: "cannot be written",
	too_large: "is too large to be read",
};

function remedy(path: string, reason: LedgerProblem["reason"], detail: string): string {
	if (reason === "not_regular" || reason === "symlink" || reason === "too_large") return "Move it away.";
	if (/\b(?:EACCES|EPERM)\b/.test(detail))
		return `Make it yours again: sudo chown -R "$USER" "${suiteFolder(path)}"`;
	if (/\b(?:ENOSPC|EDQUOT)\b/.test(detail)) return "Make room on the disk.";
	if (/\bEROFS\b/.test(detail)) return "The disk is mounted read-only.";
	if (/\b(?:ENOTDIR|EEXIST)\b/.test(detail)) return "A file is in the place of its folder: move that away.";
	return `The system says: ${detail.split(/, \w+(?: '|$)/, 1)[0]}.`;
}

/** The folder of the suite that a path lies in: all of it belongs to the user. */
function suiteFolder(path: string): string {
	for (let at = path; dirname(at) !== at; at = dirname(at)) if (basename(at) === "session-suite") return at;
	return path;
}
