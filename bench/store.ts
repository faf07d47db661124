import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BenchRow, measuredBy } from "./lib/harness.ts";
import { MANY, onTree, projects } from "./lib/sessions.ts";

const LARGE = { sessions: 1_000, bytes: 1_000_000, projects: projects(10) };

/** All times are in milliseconds. */
interface Listing {
	count: number;
	first: number;
	complete: number;
	peakMb: number;
}

export async function rows(): Promise<BenchRow[]> {
	const what = "Listing 10,000 sessions of 100 KB each";
	const { host, cold, warm, command } = await onTree(MANY, listings);
	const large = await onTree(LARGE, listings);
	const ratio = (name: string, host: number, ours: number, least: number): BenchRow => ({
		what: `${name} relative to ours`,
		value: host / ours,
		unit: "×",
		least,
	});
	const total = "the host's total time";
	return [
		{ what: `${what}, cold: time to the first rows`, value: cold.first, unit: "ms", most: 100 },
		{ what: `${what}, warm: time to the first rows`, value: warm.first, unit: "ms", most: 100 },
		{ what: `${what}, cold: time to all rows`, value: cold.complete, unit: "ms", most: 2_000 },
		ratio(`${what}, cold: ${total}`, host.complete, cold.complete, 4),
		ratio(`${what}, warm: ${total}`, host.complete, warm.complete, 40),
		{
			what: `${what}, cold: run time of pi-sessions list --all --json`,
			value: command,
			unit: "ms",
			most: 4_000,
		},
		ratio(`${what}, cold: the host's peak memory`, host.peakMb, cold.peakMb, 8),
		ratio(
			`Listing 1,000 sessions of 1 MB each, cold: ${total}`,
			large.host.complete,
			large.cold.complete,
			20,
		),
	];
}

type Listings = Record<"host" | "cold" | "warm", Listing> & { command: number };

function listings(agentDir: string): Listings {
	// The first run only warms the caches, so it is not measured.
	listing("ours", agentDir);
	const host = listing("host", agentDir);
	const withoutIndex = () => rmSync(join(agentDir, "session-suite"), { recursive: true, force: true });
	const cold = listing("ours", agentDir, withoutIndex);
	const warm = listing("ours", agentDir);
	if (host.count !== cold.count || cold.count !== warm.count)
		throw new Error("the listings differ in length");
	return { host, cold, warm, command: commandTime(agentDir, withoutIndex) };
}

function commandTime(agentDir: string, before: () => void): number {
	const program = fileURLToPath(new URL("../bin/pi-sessions.mjs", import.meta.url));
	const env = { ...process.env, PI_CODING_AGENT_DIR: agentDir };
	const times = [1, 2, 3].map(() => {
		before();
		const started = performance.now();
		execFileSync(process.execPath, [program, "list", "--all", "--json"], { env, stdio: "ignore" });
		return performance.now() - started;
	});
	return Math.min(...times);
}

function listing(what: "ours" | "host", agentDir: string, before = (): void => undefined): Listing {
	const env = { ...process.env, PI_CODING_AGENT_DIR: agentDir, PI_OFFLINE: "1" };
	const runs = [1, 2, 3].map(() => {
		before();
		return measuredBy<Listing>("listing.ts", [what, agentDir], env);
	});
	const smallest = (name: keyof Listing) => Math.min(...runs.map((one) => one[name]));
	return {
		count: smallest("count"),
		first: smallest("first"),
		complete: smallest("complete"),
		peakMb: smallest("peakMb"),
	};
}
