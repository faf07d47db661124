import { join } from "node:path";
import { replaceFile, type WriteOutcome } from "../atomic-file.ts";

/**
 * The state of `/recap on` and `/recap off`. It takes precedence over the user's settings file, which is
 * never written.
 */
export function recapSwitchPath(agentDir: string): string {
	return join(agentDir, "session-suite", "state.json");
}

export function switchRecaps(agentDir: string, enabled: boolean): WriteOutcome {
	return replaceFile(recapSwitchPath(agentDir), `${JSON.stringify({ recap: { enabled } })}\n`);
}
