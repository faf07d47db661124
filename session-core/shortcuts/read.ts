import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Configured, configuredKeys } from "./configured.ts";
import { BINDINGS_FILE } from "./shortcuts.ts";

/** The suite's keys as the user has bound them. A file that cannot be read binds nothing, in the host neither. */
export function readShortcuts(agentDir: string): Configured {
	try {
		return configuredKeys(readFileSync(join(agentDir, BINDINGS_FILE), "utf8"));
	} catch {
		// There is none, or it is not ours to read.
		return configuredKeys(undefined);
	}
}
