import { join } from "node:path";
import { replaceFile, type WriteOutcome } from "../atomic-file.ts";

/** What `/recap on` and `/recap off` chose. It wins over the user's settings file, which is never written. */
export function recapSwitchPath(agentDir: string): string {
	return join(agentDir, "session-suite", "state.json");
}

export function switchRecaps(agentDir: string, enabled: boolean): WriteOutcome {
	return replaceFile(recapSwitchPath(agentDir), `${JSON.stringify({ recap: { enabled } })}\n`);
}
