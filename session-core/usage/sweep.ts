import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** Days for which the files of calls are kept. */
const KEPT_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;
/** `2026-05-17.jsonl`: a day's calls. Forty hex digits: what was asked in one session. */
const DAY_FILE = /^(\d{4})-(\d{2})-(\d{2})\.jsonl$/;
const SESSION_FILE = /^[0-9a-f]{40}\.jsonl$/;

/** Remove our files that are too old; strangers stay. Another process may do the same at the same time. */
export function sweepOld(folder: string, now: number): void {
	try {
		for (const name of readdirSync(folder)) {
			const at = timeOf(folder, name);
			if (at !== undefined && now - at > KEPT_DAYS * DAY_MS) unlinkSync(join(folder, name));
		}
	} catch {
		// Old lines do no harm; the next process tries again.
	}
}

function timeOf(folder: string, name: string): number | undefined {
	const [, year, month, day] = DAY_FILE.exec(name) ?? [];
	if (day !== undefined) return new Date(Number(year), Number(month) - 1, Number(day)).getTime();
	return SESSION_FILE.test(name) ? lstatSync(join(folder, name)).mtimeMs : undefined;
}
