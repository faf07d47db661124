import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
	appendRegular,
	errorCode,
	fileErrorText,
	fileFailure,
	type NotOpened,
	parseObject,
	readRegular,
	readSpan,
} from "../../text/files/index.ts";
import type { CallFailure } from "./failure.ts";

export type Feature = "recap" | "title";

export type Trigger = "auto" | "typed";

/** A model call made by pi-session-suite. `cost` is in the currency of the model's price table. */
export interface LedgerCall {
	at: number;
	id: string;
	session: string;
	feature: Feature;
	state: string;
	by: Trigger;
	question: string;
	model: string;
	input: number;
	output: number;
	/** While a call is `reserved`, `cost` is the maximum cost of the call. */
	cost: number;
	/**
	 * A `reserved` call is in progress, or its process died during the call. A `withdrawn` call was never
	 * made.
	 */
	outcome: "ok" | CallFailure | "reserved" | "withdrawn";
	/** The token counts and the cost are estimates, because the provider reported no usage. */
	estimated?: true;
	/** If a model's price is unknown, a cost of 0 is meaningless. */
	unpriced?: true;
}

/**
 * The number of ledger files to keep, one for each day. Ledger files are not deleted by age, because a
 * wrong clock could then cause all of them to be deleted.
 */
const KEPT_DAYS = 90;
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/;

/**
 * The ledger records the model calls of all processes. Each call appends a JSON line at its start and at
 * its end to the file of the UTC day on which it started. Short appends are atomic, so no lock is needed.
 * `now` returns milliseconds since the epoch.
 */
export function openLedger(agentDir: string, now: () => number) {
	const suite = join(agentDir, "session-suite");
	const folder = join(suite, "usage");
	const pathOn = (seconds: number) => join(folder, `${utcDay(seconds)}.jsonl`);
	const known = new Map<string, { stamp: string; calls: LedgerCall[] }>();
	let notWritten: string | undefined;

	function readDay(path: string): { ok: true; calls: LedgerCall[] } | NotOpened {
		return readRegular(path, (opened) => {
			const { size, mtimeMs } = opened.stamp;
			const stamp = `${size}:${mtimeMs}`;
			const before = known.get(path);
			if (before?.stamp === stamp) return { ok: true, calls: before.calls };
			const calls = callsIn(readSpan(opened, 0, size).toString("utf8"));
			known.set(path, { stamp, calls });
			return { ok: true, calls };
		});
	}

	function read(): { ok: true; calls: LedgerCall[] } | { ok: false; detail: string } {
		let calls: LedgerCall[] = [];
		try {
			const names = readdirSync(folder).filter((name) => DAY_FILE.test(name));
			const paths = names.sort().map((name) => join(folder, name));
			for (const old of paths.slice(0, -KEPT_DAYS)) rmSync(old, { force: true });
			for (const path of paths.slice(-KEPT_DAYS)) {
				const day = readDay(path);
				if (day.ok) calls = calls.concat(day.calls);
				else if (day.reason !== "missing") return { ok: false, detail: problemWith(path, day, suite) };
			}
		} catch (error) {
			if (errorCode(error) !== "ENOENT")
				return { ok: false, detail: problemWith(folder, fileFailure(error), suite) };
		}
		return { ok: true, calls };
	}

	return {
		calls(): LedgerCall[] {
			const found = read();
			return found.ok ? found.calls : [];
		},
		append(call: LedgerCall): void {
			const path = pathOn(call.at);
			const appended = appendRegular(path, `${JSON.stringify(call)}\n`);
			notWritten = appended.ok ? undefined : problemWith(path, appended, suite);
		},
		problem(): string | undefined {
			const found = read();
			return found.ok ? notWritten : found.detail;
		},
		path: () => pathOn(now() / 1000),
	};
}

/**
 * Returns the UTC date of a Unix time in seconds. The local date is not used, because the daily limit must
 * not depend on the time zone.
 */
export function utcDay(seconds: number): string {
	return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/**
 * Reads the model calls in a ledger file. Each call has a line for its start and a line for its end.
 * The second line replaces the first line, but the call keeps its position and start time.
 */
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

function problemWith(path: string, { reason, code, detail }: NotOpened, suite: string): string {
	if (reason === "not_regular" || reason === "symlink" || code === "ENOTDIR" || code === "EEXIST")
		return `${path} is not a regular file in a regular folder. Move or delete what is in its place.`;
	// If pi ran with `sudo`, root may own several files, so the suggested `chown` command is recursive.
	if (reason === "no_permission")
		return `${path} belongs to another user. Change its owner: sudo chown -R "$USER" "${suite}"`;
	return `${path} cannot be read or written. The system reports: ${fileErrorText(detail)}.`;
}
