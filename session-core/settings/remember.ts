import { join } from "node:path";
import type { JsonObject } from "../json.ts";
import { replaceFile, sweepTemporaries } from "../store/atomic-file.ts";
import { inTurn } from "../store/turn.ts";
import { saysStill } from "./file.ts";
import { isSaid, lastGoodPath, readLastGood } from "./last-good.ts";

/** Where processes wait for each other before they change settings or the copies of them. */
export function settingsTurns(agentDir: string): string {
	return join(agentDir, "session-suite", "turns", "settings");
}

/** Keeps what a file that holds `text` says, unless it has changed again: then whoever changed it does. */
export async function remember(
	agentDir: string,
	{ file, text, values }: { file: string; text: string; values: JsonObject },
): Promise<void> {
	const write = () => {
		if (saysStill(file, text)) writeLastGood(agentDir, file, values);
	};
	// Without a turn there is no copy, or an older one; the next load tries again.
	await inTurn(settingsTurns(agentDir), write, { patienceMs: 500 });
}

/** Keeps what a file says; writes only what is news. In turn with others, or an older state could overtake a newer one. */
export function writeLastGood(agentDir: string, file: string, values: JsonObject): void {
	if (isSaid(values, readLastGood(agentDir, file))) return;
	const copy = lastGoodPath(agentDir, file);
	sweepTemporaries(copy);
	// Where it cannot be written there is no copy, or an older one: both err on the quiet side or on the user's own words.
	replaceFile(copy, `${JSON.stringify(values, null, 2)}\n`, { until: "disk" });
}
