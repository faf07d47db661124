import type { DebugLog } from "./debug-log.ts";
import { lazily } from "./lazily.ts";

/** Environment variable that switches the debug log on for one run. */
export const DEBUG_VARIABLE = "PI_SESSION_SUITE_DEBUG";

/** The debug log, if the setting or the environment wants one; its code is loaded only then. */
export async function openLog({
	agentDir,
	enabled,
}: {
	agentDir: string;
	enabled: boolean;
}): Promise<DebugLog> {
	if (!enabled && process.env[DEBUG_VARIABLE] !== "1") return () => undefined;
	const { createDebugLog } = await lazily(() => import("./debug-log.ts"));
	return createDebugLog({ agentDir, enabled: true });
}
