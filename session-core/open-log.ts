import type { DebugLog } from "./debug-log.ts";
import { lazily } from "./lazily.ts";

/** Environment variable that switches the debug log on for one run. */
const DEBUG_VARIABLE = "PI_SESSION_SUITE_DEBUG";

export interface LogOptions {
	agentDir: string;
	/** The `debug` setting; the environment variable switches it on too. */
	enabled: boolean;
	env?: Readonly<Record<string, string | undefined>>;
}

/** The debug log, if the setting or the environment wants one; its code is loaded only then. */
export async function openLog({ agentDir, enabled, env = process.env }: LogOptions): Promise<DebugLog> {
	if (!enabled && env[DEBUG_VARIABLE] !== "1") return () => undefined;
	const { createDebugLog } = await lazily(() => import("./debug-log.ts"));
	return createDebugLog({ agentDir });
}
