import { readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { appendRegular, errorCode, readRegular, readSpan } from "../regular-file.ts";
import { cleanLine } from "../text/sanitize.ts";
import type { CallFailure } from "./failure.ts";

/** What a model is called for. */
export type Feature = "recap" | "title" | "resume";

/** What caused a call: an automatic feature or a typed command. */
export type Trigger = "auto" | "typed";

/** One model call of the suite. Token counts are as reported by the provider; `cost` is in the currency of the model's price table. */
export interface LedgerCall {
	/** When the call was reserved, in Unix seconds. This must be the first field of a line; see `LINE_START`. */
	at: number;
	id: string;
	session: string;
	feature: Feature;
	/** The state of the conversation, identified by its last message. */
	state: string;
	by: Trigger;
	/** Identifies the request. All calls of one request share this id. */
	question: string;
	/** `provider/model`. */
	model: string;
	input: number;
	output: number;
	/** While a call is reserved, its maximum cost. */
	cost: number;
	/**
	 * The outcome of the call. `reserved`: the call is in progress, or its process died. `withdrawn`: the call was reserved but never
	 * made.
	 */
	outcome: "ok" | CallFailure | "reserved" | "withdrawn";
	/** Whether the token counts and the cost are estimates, because the provider reported none. */
	estimated?: true;
	/** Whether no price is known for the model. If so, a cost of 0 is meaningless. */
	unpriced?: true;
}

/** The calls of all days in the order of their reservations, without withdrawn ones, or why they cannot be counted. */
type LedgerRead = { ok: true; calls: LedgerCall[] } | { ok: false; problem: string };

/**
 * The calls of all processes. There is one file per day (UTC), with a JSON line for the start of a call and another for its result. Each
 * line is one small append, which is atomic, so all processes see the same lines in the same order without a lock. Problems are one-line
 * messages that say what is wrong and how to fix it.
 */
interface Ledger {
	read(): LedgerRead;
	/** Appends a line. A result is written to the file that contains the start of its call. Returns the problem; undefined if there was none. */
	append(call: LedgerCall): string | undefined;
	/** Returns the problem with the files or the last append; undefined if there is none. Writes nothing. */
	problem(): string | undefined;
	/** Today's file. */
	path(): string;
}

/** Maximum size of a ledger file in bytes. Ten thousand calls take about 6 MB. */
const MAX_BYTES = 8 * 1024 * 1024;
/**
 * Number of ledger files that are kept. Their dates are not considered, so that a clock that is wrong for an hour does not cause the ledger
 * to be deleted.
 */
const KEPT_DAYS = 90;
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/;

/** Opens the ledger. `now` returns milliseconds since the epoch. */
export function openLedger(agentDir: string, now: () => number): Ledger {
	const suite = join(agentDir, "session-suite");
	const folder = join(suite, "usage");
	const pathOn = (seconds: number) => join(folder, `${utcDay(seconds)}.jsonl`);
	/** Parsed files by path. A file is parsed again only if it has changed. */
	const known = new Map<string, { stamp: string; calls: LedgerCall[] }>();
	let notWritten: string | undefined;

	const dayFiles = () =>
		readdirSync(folder)
			.filter((name) => DAY_FILE.test(name))
			.sort()
			.map((name) => join(folder, name));

	/** Returns the calls in a file, or why it cannot be read. */
	function readDay(path: string): LedgerCall[] | string {
		const read = readRegular(path, (opened) => {
			const { size, mtimeMs } = opened.stamp;
			const stamp = `${size}:${mtimeMs}`;
			const before = known.get(path);
			if (before?.stamp === stamp) return before.calls;
			if (size > MAX_BYTES) return problemWith(path, "too_large", "", suite);
			const calls = readCalls(readSpan(opened, 0, size).toString("utf8"));
			known.set(path, { stamp, calls });
			return calls;
		});
		if (typeof read === "string" || Array.isArray(read)) return read;
		// A file that is missing has just been removed by another process.
		return read.reason === "missing" ? [] : problemWith(path, read.reason, read.detail, suite);
	}

	function read(): LedgerRead {
		const calls: LedgerCall[] = [];
		try {
			for (const path of dayFiles()) {
				const day = readDay(path);
				if (typeof day === "string") return { ok: false, problem: day };
				calls.push(...day.filter(({ outcome }) => outcome !== "withdrawn"));
			}
		} catch (error) {
			if (errorCode(error) !== "ENOENT") {
				const reason = errorCode(error) === "ENOTDIR" ? "not_regular" : "unreadable";
				return { ok: false, problem: problemWith(folder, reason, String(error), suite) };
			}
		}
		return { ok: true, calls };
	}

	function removeOldest(): void {
		try {
			for (const path of dayFiles().slice(0, -KEPT_DAYS)) unlinkSync(path);
		} catch {
			// Old files do no harm, and the next process will try again to remove them.
		}
	}

	return {
		read,
		append(call) {
			const path = pathOn(call.at);
			const appended = appendRegular(path, `${JSON.stringify(call)}\n`);
			notWritten = appended.ok ? undefined : problemWith(path, appended.reason, appended.detail, suite);
			// Old files are removed at most once a day, because the existence of today's file is remembered.
			if (!notWritten && !known.has(path)) removeOldest();
			return notWritten;
		},
		problem() {
			const found = read();
			return found.ok ? notWritten : found.problem;
		},
		path: () => pathOn(now() / 1000),
	};
}

/** Returns the day in UTC, so that all time zones share one limit. `seconds` is a Unix time. */
export function utcDay(seconds: number): string {
	return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** Maximum length of a name. This limit keeps each line far below 4,096 bytes, the length up to which POSIX systems append in one piece. */
const MAX_NAME = 200;
/** The latest accepted time, in Unix seconds. `utcDay` cannot represent a later one. */
const MAX_TIME = 1e11;
/** The beginning of every line. It is used to find a complete line that follows a line that a crash cut off. */
const LINE_START = '{"at":';

/** Makes an id or a name from a session file safe for a line of the ledger, because a session file may contain anything. */
export function ledgerName(text: string): string {
	return cleanLine(text).slice(0, MAX_NAME);
}

/** Returns a number that a provider reported, or 0 if it is not a positive finite number. */
export function ledgerFigure(value: number): number {
	return Number.isFinite(value) && value > 0 ? value : 0;
}

/**
 * Parses the calls in a ledger file. If a call has a second line, that line replaces the first one, but the call keeps its original
 * position and time.
 */
function readCalls(text: string): LedgerCall[] {
	const calls = new Map<string, LedgerCall>();
	for (const line of text.split("\n")) {
		const read = readLine(line);
		if (!read) continue;
		const reserved = calls.get(read.id);
		if (reserved && read.outcome === "reserved") continue;
		calls.set(read.id, { ...read, at: reserved?.at ?? read.at });
	}
	return [...calls.values()];
}

/** Parses a line of the ledger. Returns undefined if the line is incomplete or in an unknown format. */
function readLine(line: string): LedgerCall | undefined {
	const start = line.lastIndexOf(LINE_START);
	if (start < 0) return undefined;
	try {
		const call: LedgerCall = JSON.parse(line.slice(start));
		const { at, input, output, cost } = call;
		const isValid =
			at <= MAX_TIME && [at, input, output, cost].every((value) => value >= 0 && value < Infinity);
		return isValid && typeof call.id === "string" && typeof call.session === "string" ? call : undefined;
	} catch {
		// The line was cut off by a crash or a full disk.
		return undefined;
	}
}

const PROBLEMS = {
	not_regular: "is not a regular file or folder",
	symlink: "is a symlink, which is not followed",
	missing: "is missing",
	unreadable: "cannot be read",
	unwritable: "cannot be written",
	too_large: "is too large to be read",
} as const;

/** Returns a one-line message that tells the user what is wrong and how to fix it. `suite` is the suite's folder. */
function problemWith(path: string, reason: keyof typeof PROBLEMS, detail: string, suite: string): string {
	const remedy = () => {
		if (reason === "not_regular" || reason === "symlink" || reason === "too_large") return "Move it away.";
		// Other files in the suite's folder may also belong to root after a run with `sudo`.
		if (/\b(?:EACCES|EPERM)\b/.test(detail)) return `Make it yours again: sudo chown -R "$USER" "${suite}"`;
		if (/\b(?:ENOTDIR|EEXIST)\b/.test(detail))
			return "A file is in place of its folder: move that file away.";
		return `The system reports: ${detail.split(/, \w+(?: '|$)/, 1)[0]}.`;
	};
	return `${path} ${PROBLEMS[reason]}. ${remedy()}`;
}
