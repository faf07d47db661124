import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { appendRegular, errorCode, parseObject, readRegular, readSpan } from "../../text/files/index.ts";
import type { CallFailure } from "./failure.ts";

export type Feature = "recap" | "title";

export type Trigger = "auto" | "typed";

/** One model call by the suite. Token counts are as reported by the provider; `cost` is in the currency of the model's price table. */
export interface LedgerCall {
	/** When the call was reserved, in Unix seconds. */
	at: number;
	id: string;
	session: string;
	feature: Feature;
	/** The state of the conversation, identified by its last message. */
	state: string;
	by: Trigger;
	/** Identifies the request. All calls of one request share this id. */
	question: string;
	model: string;
	input: number;
	output: number;
	/** While a call is reserved, its maximum cost. */
	cost: number;
	/** `reserved`: in progress, or its process died. `withdrawn`: never made. */
	outcome: "ok" | CallFailure | "reserved" | "withdrawn";
	/** Whether the token counts and the cost are estimates, because the provider reported none. */
	estimated?: true;
	/** Set if the model's price is unknown, so that a cost of 0 is meaningless. */
	unpriced?: true;
}

/** The limit counts files, not days, so that a clock that is wrong for an hour does not delete the ledger. */
const KEPT_DAYS = 90;
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/;

/**
 * Opens the ledger, which contains the calls of all processes. There is one file per day (UTC), with a JSON line for the start of a call
 * and another for its result. Each line is one small append, which is atomic, so all processes see the same lines in the same order without
 * a lock. `now` returns milliseconds since the epoch.
 */
export function openLedger(agentDir: string, now: () => number) {
	const suite = join(agentDir, "session-suite");
	const folder = join(suite, "usage");
	const pathOn = (seconds: number) => join(folder, `${utcDay(seconds)}.jsonl`);
	/** Parsed files by path. A file is parsed again only if it has changed. */
	const known = new Map<string, { stamp: string; calls: LedgerCall[] }>();
	let notWritten: string | undefined;

	function readDay(path: string): LedgerCall[] | string {
		const read = readRegular(path, (opened) => {
			const { size, mtimeMs } = opened.stamp;
			const stamp = `${size}:${mtimeMs}`;
			const before = known.get(path);
			if (before?.stamp === stamp) return before.calls;
			const calls = callsIn(readSpan(opened, 0, size).toString("utf8"));
			known.set(path, { stamp, calls });
			return calls;
		});
		if (Array.isArray(read)) return read;
		// A missing file was removed by another process after the folder was read.
		return read.reason === "missing" ? [] : problemWith(path, read, suite);
	}

	/** Returns all calls in the order of their first lines, or one line that says why they cannot be read and how to fix it. */
	function read(): LedgerCall[] | string {
		try {
			const names = readdirSync(folder).filter((name) => DAY_FILE.test(name));
			const paths = names.sort().map((name) => join(folder, name));
			for (const old of paths.slice(0, -KEPT_DAYS)) rmSync(old, { force: true });
			const days = paths.slice(-KEPT_DAYS).map(readDay);
			return days.find((day) => typeof day === "string") ?? (days as LedgerCall[][]).flat();
		} catch (error) {
			return errorCode(error) === "ENOENT" ? [] : problemWith(folder, { detail: String(error) }, suite);
		}
	}

	return {
		/** Returns all calls; none if they cannot be read. */
		calls(): LedgerCall[] {
			const found = read();
			return typeof found === "string" ? [] : found;
		},
		/** Appends a line. A result is written to the file that contains the start of its call. */
		append(call: LedgerCall): void {
			const path = pathOn(call.at);
			const appended = appendRegular(path, `${JSON.stringify(call)}\n`);
			notWritten = appended.ok ? undefined : problemWith(path, appended, suite);
		},
		/** Returns a one-line explanation of why calls cannot be counted, with the file and the remedy; undefined if they can be counted. */
		problem(): string | undefined {
			const found = read();
			return typeof found === "string" ? found : notWritten;
		},
		path: () => pathOn(now() / 1000),
	};
}

/** All time zones share one limit. `seconds` is a Unix time. */
export function utcDay(seconds: number): string {
	return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** A call's second line replaces its first one, but the call keeps its position and time. Damaged lines and withdrawn calls are left out. */
function callsIn(text: string): LedgerCall[] {
	const calls = new Map<string, LedgerCall>();
	for (const line of text.split("\n")) {
		const call = parseObject(line) as LedgerCall | undefined;
		const figures = [call?.at, call?.input, call?.output, call?.cost];
		const isValid = figures.every((figure) => typeof figure === "number" && figure >= 0 && figure < 1e11);
		if (!call || !isValid || typeof call.id !== "string") continue;
		const reserved = calls.get(call.id);
		if (reserved && call.outcome === "reserved") continue;
		calls.set(call.id, { ...call, at: reserved?.at ?? call.at });
	}
	return [...calls.values()].filter(({ outcome }) => outcome !== "withdrawn");
}

function problemWith(path: string, failed: { reason?: string; detail: string }, suite: string): string {
	const { reason = "", detail } = failed;
	if (reason === "not_regular" || reason === "symlink" || /\b(?:ENOTDIR|EEXIST)\b/.test(detail))
		return `${path} is not a regular file in a regular folder. Move away what is in its place.`;
	// Other files in the suite's folder may also belong to root after a run with `sudo`.
	if (/\b(?:EACCES|EPERM)\b/.test(detail))
		return `${path} belongs to another user. Make it yours again: sudo chown -R "$USER" "${suite}"`;
	return `${path} cannot be used. The system reports: ${detail.split(/, \w+(?: '|$)/, 1)[0]}.`;
}
