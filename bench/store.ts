import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Probed, probe } from "./lib/probe.ts";
import { atLeast, atMost, type BenchRow } from "./lib/row.ts";
import { addGiant, onTree, projects } from "./lib/sessions.ts";

const ROUNDS = 3;
export const MANY = { sessions: 10_000, bytes: 100_000, projects: projects(50) };
const LARGE = { sessions: 1_000, bytes: 1_000_000, projects: projects(10) };
const GIANT_BYTES = 1024 ** 3;

/** Measures our session listing relative to the host's. For both, the files are in the system's cache. */
export async function rows(): Promise<BenchRow[]> {
	return [...(await onTree(MANY, many)), ...(await onTree(LARGE, large))];
}

function many(agentDir: string): BenchRow[] {
	const { host, cold, warm } = listings(agentDir);
	return [
		atMost("Listing 10,000 sessions of 100 KB each, cold: time to the first rows", cold.first, 100, "ms"),
		atMost("Listing 10,000 sessions of 100 KB each, warm: time to the first rows", warm.first, 100, "ms"),
		atLeast(
			"Listing 10,000 sessions of 100 KB each, cold: the host's total time relative to ours",
			host.complete / cold.complete,
			4,
		),
		atLeast(
			"Listing 10,000 sessions of 100 KB each, cold, with names in the middle of files: the host's time relative to ours",
			host.complete / cold.settled,
			4,
		),
		atLeast(
			"Listing 10,000 sessions of 100 KB each, warm: the host's total time relative to ours",
			host.complete / warm.settled,
			40,
		),
		atLeast(
			"Listing 10,000 sessions of 100 KB each, cold: the host's peak memory relative to ours",
			host.peakMb / cold.peakMb,
			8,
		),
		atMost(
			"Listing 10,000 sessions of 100 KB each, cold: longest block of the event loop",
			cold.held,
			16,
			"ms",
		),
		atMost(
			"Listing 10,000 sessions of 100 KB each, warm: longest block of the event loop",
			warm.held,
			16,
			"ms",
		),
	];
}

function large(agentDir: string): BenchRow[] {
	const { host, cold } = listings(agentDir);
	const { without, giant } = withGiant(agentDir);
	return [
		atLeast(
			"Listing 1,000 sessions of 1 MB each, cold: the host's total time relative to ours",
			host.complete / cold.complete,
			20,
		),
		atLeast(
			"Listing 1,000 sessions of 1 MB each, cold: the host's peak memory relative to ours",
			host.peakMb / cold.peakMb,
			8,
		),
		atMost(
			"Listing with an additional file of 1 GB: time relative to the listing without that file",
			giant.complete / without.complete,
			1.25,
			"×",
		),
		atMost(
			"Listing with an additional file of 1 GB: peak memory relative to the listing without that file",
			giant.peakMb / without.peakMb,
			1.1,
			"×",
		),
	];
}

/** Measures, in alternation, the host's listing, our listing without an index, and our listing with an index. */
function listings(agentDir: string): Record<"host" | "cold" | "warm", Probed> {
	// The first round only warms the caches.
	probeCold(agentDir);
	const rounds = Array.from({ length: ROUNDS }, () => {
		const host = probe("host", agentDir);
		// Our times are so short that other work could distort a measurement, so each measurement is repeated and the minimum is used.
		const cold = leastOf(() => probeCold(agentDir));
		const warm = leastOf(() => probe("scan", agentDir));
		if (host.count !== cold.count || cold.count !== warm.count)
			throw new Error("the listings differ in length");
		return { host, cold, warm };
	});
	return {
		host: leastDisturbed(rounds.map(({ host }) => host)),
		cold: leastDisturbed(rounds.map(({ cold }) => cold)),
		warm: leastDisturbed(rounds.map(({ warm }) => warm)),
	};
}

/** Measures listings with and without one huge file, alternately. */
function withGiant(agentDir: string): Record<"without" | "giant", Probed> {
	const rounds = Array.from({ length: ROUNDS }, () => {
		const without = probeCold(agentDir);
		const path = addGiant(agentDir, LARGE.projects[0] ?? "", GIANT_BYTES);
		const giant = probeCold(agentDir);
		rmSync(path);
		return { without, giant };
	});
	return {
		without: leastDisturbed(rounds.map(({ without }) => without)),
		giant: leastDisturbed(rounds.map(({ giant }) => giant)),
	};
}

export function leastOf(measurement: () => Probed): Probed {
	return leastDisturbed(Array.from({ length: ROUNDS }, measurement));
}

/** Returns the minimum of each figure, because other work on the machine can only add to it. */
function leastDisturbed(rounds: Probed[]): Probed {
	const [first, ...others] = rounds;
	if (!first) throw new Error("nothing was measured");
	const least = { ...first };
	for (const round of others) {
		for (const key of Object.keys(least) as (keyof Probed)[]) least[key] = Math.min(least[key], round[key]);
	}
	return least;
}

function probeCold(agentDir: string): Probed {
	rmSync(join(agentDir, "session-suite"), { recursive: true, force: true });
	return probe("scan", agentDir);
}
