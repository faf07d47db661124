import { lstatSync, renameSync } from "node:fs";
import { join } from "node:path";
import { appendRegular } from "./regular-file.ts";
import { clipColumns } from "./text/clip.ts";
import { redact } from "./text/redact.ts";
import { cleanLine } from "./text/sanitize.ts";

/** Fields of an event: counts, ids, reasons and redacted error messages, but never session text. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;
export type DebugLog = (event: string, fields: LogFields) => void;

export interface DebugLogOptions {
	agentDir: string;
	now?: () => number;
}

const MAX_BYTES = 1024 * 1024;
const MAX_VALUE_COLUMNS = 120;

/** The debug log `<agentDir>/session-suite/debug.log`: readable by its owner only, at most 2 MB. */
export function createDebugLog({ agentDir, now = Date.now }: DebugLogOptions): DebugLog {
	const path = join(agentDir, "session-suite", "debug.log");
	let isBroken = false;
	return (event, fields) => {
		if (isBroken) return;
		const pairs = Object.entries(fields).flatMap(([name, value]) =>
			value === undefined ? [] : `${name}=${shown(value)}`,
		);
		const line = [new Date(now()).toISOString(), process.pid, event, ...pairs].join(" ");
		// A log that cannot be written must not disturb the user, so there is no retry and no message.
		isBroken = !rotate(path) || !appendRegular(path, `${line}\n`).ok;
	};
}

/** Switches the debug log on for one run. */
const DEBUG_VARIABLE = "PI_SESSION_SUITE_DEBUG";

export interface LogOptions {
	agentDir: string;
	/** The `debug` setting; the environment variable switches it on too. */
	enabled: boolean;
	env?: Readonly<Record<string, string | undefined>>;
}

/** The debug log, if the setting or the environment switches it on. */
export function openLog({ agentDir, enabled, env = process.env }: LogOptions): DebugLog {
	return enabled || env[DEBUG_VARIABLE] === "1" ? createDebugLog({ agentDir }) : () => undefined;
}

function shown(value: string | number | boolean): string {
	return typeof value === "string"
		? JSON.stringify(clipColumns(cleanLine(redact(value)), MAX_VALUE_COLUMNS))
		: String(value);
}

/** False if the full log file could not be renamed. */
function rotate(path: string): boolean {
	try {
		const stat = lstatSync(path, { throwIfNoEntry: false });
		if (stat?.isFile() && stat.size > MAX_BYTES) renameSync(path, `${path}.1`);
		return true;
	} catch {
		// Another process has just renamed it, or the folder is not writable.
		return false;
	}
}
