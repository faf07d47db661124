import { rmSync } from "node:fs";
import { join } from "node:path";
import { atLeast, atMost, type BenchRow, type Probed, probe } from "./lib/harness.ts";
import { MANY, onTree, projects } from "./lib/sessions.ts";

const LARGE = { sessions: 1_000, bytes: 1_000_000, projects: projects(10) };

/** Measures our session listing relative to the host's. For both, the files are in the system's cache. */
export async function rows(): Promise<BenchRow[]> {
	const what = "Listing 10,000 sessions of 100 KB each";
	const { host, cold, warm } = await onTree(MANY, listings);
	const large = await onTree(LARGE, listings);
	return [
		atMost(`${what}, cold: time to the first rows`, cold.first, 100, "ms"),
		atMost(`${what}, warm: time to the first rows`, warm.first, 100, "ms"),
		atLeast(`${what}, cold: the host's total time relative to ours`, host.complete / cold.complete, 4),
		atLeast(`${what}, warm: the host's total time relative to ours`, host.complete / warm.complete, 40),
		atLeast(`${what}, cold: the host's peak memory relative to ours`, host.peakMb / cold.peakMb, 8),
		atLeast(
			"Listing 1,000 sessions of 1 MB each, cold: the host's total time relative to ours",
			large.host.complete / large.cold.complete,
			20,
		),
	];
}

/** Measures the host's listing, our listing without an index, and our listing with an index. */
function listings(agentDir: string): Record<"host" | "cold" | "warm", Probed> {
	// The first run only warms the caches.
	probe("scan", agentDir);
	const before = () => rmSync(join(agentDir, "session-suite"), { recursive: true, force: true });
	const host = probe("host", agentDir);
	const cold = probe("scan", agentDir, { before });
	const warm = probe("scan", agentDir);
	if (host.count !== cold.count || cold.count !== warm.count)
		throw new Error("the listings differ in length");
	return { host, cold, warm };
}
