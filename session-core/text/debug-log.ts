import { lstatSync, renameSync } from "node:fs";
import { join } from "node:path";
import { locationOf } from "./background.ts";
import { errorCode } from "./files/file-system.ts";
import { appendRegular } from "./files/regular-file.ts";
import { shownLine } from "./safe.ts";

/** Log fields contain counts, ids, reasons and redacted error messages, but never session text. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;
export type DebugLog = (event: string, fields: LogFields) => void;

const MAX_BYTES = 1024 * 1024;
const MAX_VALUE_COLUMNS = 120;

const DEBUG_VARIABLE = "PI_SESSION_SUITE_DEBUG";

interface LogOptions {
	agentDir: string;
	enabled: boolean;
	env?: Readonly<Record<string, string | undefined>>;
	session?: (() => string | undefined) | undefined;
}

/**
 * Opens the debug log, which only the owner can read and which is rotated at 1 MB. A line that cannot be
 * written is dropped.
 */
export function openLog({ agentDir, enabled, env = process.env, session }: LogOptions): DebugLog {
	if (!enabled && env[DEBUG_VARIABLE] !== "1") return () => undefined;
	const path = join(agentDir, "session-suite", "debug.log");
	return (event, fields) => {
		const all = Object.entries({ ...fields, session: fields["session"] ?? session?.() });
		const pairs = all.flatMap(([name, value]) => (value === undefined ? [] : `${name}=${shown(value)}`));
		const line = [new Date().toISOString(), process.pid, event, ...pairs].join(" ");
		rotate(path);
		appendRegular(path, `${line}\n`);
	};
}

/**
 * Returns an error's name, code and location. The error's message is not returned, because it may quote
 * a session.
 */
export function errorFields(
	error: unknown,
): Record<"error", string> & Record<"code" | "at", string | undefined> {
	if (!(error instanceof Error)) return { error: typeof error, code: undefined, at: undefined };
	return { error: error.name, code: errorCode(error) || undefined, at: locationOf(error) };
}

function shown(value: string | number | boolean): string {
	return typeof value === "string" ? JSON.stringify(shownLine(value, MAX_VALUE_COLUMNS)) : String(value);
}

function rotate(path: string): void {
	try {
		const stat = lstatSync(path, { throwIfNoEntry: false });
		if (stat?.isFile() && stat.size > MAX_BYTES) renameSync(path, `${path}.1`);
	} catch {
		// The error is ignored, because another process may have rotated the debug log at the same time.
	}
}
