import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { appendRegular, errorCode, parseObject, readRegular, readSpan } from "../../text/files/index.ts";
import type { CallFailure } from "./failure.ts";

export type Feature = "recap" | "title";

export type Trigger = "auto" | "typed";

/** A model call that the suite made. The provider reports the token counts. The cost uses the currency of the model's price table. */
export interface LedgerCall {
	/** The time at which the call was reserved, in Unix seconds. */
	at: number;
	id: string;
	session: string;
	feature: Feature;
	/** The state of the conversation when the call was made, identified by the last message's id. */
	state: string;
	by: Trigger;
	/** The id of the request. All calls of one request share this id. */
	question: string;
	model: string;
	input: number;
	output: number;
	/** The cost of the call. As long as the call is `reserved`, this is its maximum cost. */
	cost: number;
	/** A `reserved` call is in progress, or its process died. A `withdrawn` call was never made. */
	outcome: "ok" | CallFailure | "reserved" | "withdrawn";
	/** Set if the token counts and the cost are estimates, because the provider reported none. */
	estimated?: true;
	/** Set if the model's price is unknown, so that a cost of 0 is meaningless. */
	unpriced?: true;
}

/** The maximum number of files in the ledger. Age is not considered, because a clock that is wrong for an hour could delete the ledger. */
const KEPT_DAYS = 90;
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/;

/**
 * Opens the ledger, which contains the calls of all processes. Each day (UTC) has one file, with one JSON line for the start of a call and
 * another for its result. Appending such a short line is atomic, so all processes see the same lines in the same order without a lock.
 * `now` returns milliseconds since the epoch.
 */
export function openLedger(agentDir: string, now: () => number) {
	const suite = join(agentDir, "session-suite");
	const folder = join(suite, "usage");
	const pathOn = (seconds: number) => join(folder, `${utcDay(seconds)}.jsonl`);
	/** The parsed files by path. A file is parsed again only if it has changed. */
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
		// If the file is missing, another process has removed it since the folder was read.
		return read.reason === "missing" ? [] : problemWith(path, read, suite);
	}

	/** Returns all calls in the order of their first lines. If they cannot be read, returns one line that names the cause and the remedy. */
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
		/** Returns all calls, or an empty list if the calls cannot be read. */
		calls(): LedgerCall[] {
			const found = read();
			return typeof found === "string" ? [] : found;
		},
		/** Appends a line. The result of a call is written to the same file as its start. */
		append(call: LedgerCall): void {
			const path = pathOn(call.at);
			const appended = appendRegular(path, `${JSON.stringify(call)}\n`);
			notWritten = appended.ok ? undefined : problemWith(path, appended, suite);
		},
		/** If calls cannot be counted, returns one line that names the file, the cause and the remedy. Otherwise, returns undefined. */
		problem(): string | undefined {
			const found = read();
			return typeof found === "string" ? found : notWritten;
		},
		path: () => pathOn(now() / 1000),
	};
}

/** Returns the UTC day of a Unix time in seconds, so that all time zones share one limit. */
export function utcDay(seconds: number): string {
	return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** The second line of a call replaces the first, but the call keeps its position and time. Damaged and withdrawn calls are skipped. */
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
		return `${path} is not a regular file in a regular folder. Move or delete what is in its place.`;
	// The remedy covers the whole folder, because after a run with `sudo` other files in it may also belong to root.
	if (/\b(?:EACCES|EPERM)\b/.test(detail))
		return `${path} belongs to another user. Change its owner: sudo chown -R "$USER" "${suite}"`;
	return `${path} cannot be read or written. The system reports: ${detail.split(/, \w+(?: '|$)/, 1)[0]}.`;
}
