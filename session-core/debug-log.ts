import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { DEBUG_VARIABLE } from "./open-log.ts";
import { clipColumns } from "./text/clip.ts";
import { redact } from "./text/redact.ts";
import { cleanLine } from "./text/sanitize.ts";

/** Counts, ids and reasons. Never anything that was said in a session. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;
export type DebugLog = (event: string, fields: LogFields) => void;

export interface DebugLogOptions {
	agentDir: string;
	/** The `debug` setting; the environment variable switches it on too. */
	enabled: boolean;
	env?: Readonly<Record<string, string | undefined>>;
	now?: () => number;
}

const MAX_BYTES = 1024 * 1024;
const MAX_VALUE_COLUMNS = 120;

/** The debug log `<agentDir>/session-suite/debug.log`: off by default, readable by its owner only, at most 2 MB. */
export function createDebugLog(options: DebugLogOptions): DebugLog {
	const { agentDir, enabled, env = process.env, now = Date.now } = options;
	if (!enabled && env[DEBUG_VARIABLE] !== "1") return () => undefined;
	const folder = join(agentDir, "session-suite");
	const path = join(folder, "debug.log");
	let isBroken = false;
	return (event, fields) => {
		if (isBroken) return;
		const pairs = Object.entries(fields).flatMap(([name, value]) =>
			value === undefined ? [] : `${name}=${shown(value)}`,
		);
		try {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			rotate(path);
			appendFileSync(path, `${[new Date(now()).toISOString(), process.pid, event, ...pairs].join(" ")}\n`, {
				mode: 0o600,
			});
		} catch {
			// A log that cannot be written must not disturb anybody; it is not tried again.
			isBroken = true;
		}
	};
}

function shown(value: string | number | boolean): string {
	return typeof value === "string"
		? JSON.stringify(clipColumns(cleanLine(redact(value)), MAX_VALUE_COLUMNS))
		: String(value);
}

function rotate(path: string): void {
	const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
	if (size > MAX_BYTES) renameSync(path, `${path}.1`);
}
