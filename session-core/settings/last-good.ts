import { createHash } from "node:crypto";
import { join } from "node:path";
import { isObject, type JsonObject } from "../json.ts";
import { readHead } from "../store/span.ts";
import { SETTINGS_FILE } from "./schema.ts";

/**
 * What each settings file said when it could last be read. A file that is broken keeps to it: a slip of the pen, a torn write or
 * `sudo` must not turn on what the user turned off.
 */

const MAX_BYTES = 64 * 1024;

/** Where the copy of a settings file stands: beside the user's own; a project's is kept here, for its folder is not ours. */
export function lastGoodPath(agentDir: string, file: string): string {
	if (file === join(agentDir, SETTINGS_FILE)) return `${file}.last-good`;
	const hash = createHash("sha256").update(file).digest("hex").slice(0, 16);
	return join(agentDir, "session-suite", "last-good", `${hash}.json`);
}

/** Undefined where the file has never been read. */
export function readLastGood(agentDir: string, file: string): JsonObject | undefined {
	const head = readHead(lastGoodPath(agentDir, file), MAX_BYTES);
	if (!head.ok) return undefined;
	try {
		const values: unknown = JSON.parse(head.bytes.toString("utf8"));
		return isObject(values) ? values : undefined;
	} catch {
		// Damaged: as good as none.
		return undefined;
	}
}

/** Whether the copy says just this. Both are in the order of the schema. */
export function isSaid(values: JsonObject, copy: JsonObject | undefined): boolean {
	return copy !== undefined && JSON.stringify(values) === JSON.stringify(copy);
}
