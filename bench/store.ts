import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atLeast, atMost, type BenchRow, told } from "./lib/row.ts";
import { explainMissing, type Host, LOCKED_HOST, listByHost, newestHost } from "./store/hosts.ts";
import { type Probed, probe } from "./store/probed.ts";
import { addGiant, growTree, LAST_WORD, RARE_WORD, type TreeShape } from "./store/tree.ts";

const ROUNDS = 3;
const KB = 1_000;
const MANY: TreeShape = { sessions: 10_000, bytes: 100 * KB, folders: 50 };
const LARGE: TreeShape = { sessions: 1_000, bytes: 1_000 * KB, folders: 10 };
const GIANT_BYTES = 1024 ** 3;

/** Listing and searching sessions against the host's own listing. Files are in the system's cache for both. */
export async function rows(): Promise<BenchRow[]> {
	const newest = newestHost();
	if (!newest) console.error(explainMissing());
	return [
		...onTree(MANY, (agentDir) => many(agentDir, newest)),
		...onTree(LARGE, (agentDir) => large(agentDir, newest)),
	];
}

function onTree(shape: TreeShape, measure: (agentDir: string) => BenchRow[]): BenchRow[] {
	const agentDir = mkdtempSync(join(tmpdir(), "session-store-bench-"));
	try {
		growTree(agentDir, shape);
		return measure(agentDir);
	} finally {
		rmSync(agentDir, { recursive: true, force: true });
	}
}

function many(agentDir: string, newest: Host | undefined): BenchRow[] {
	const { hosts, host, cold, warm } = measure(agentDir, newest);
	const common = repeat(() => probe("search", agentDir, RARE_WORD));
	const last = repeat(() => probe("search", agentDir, LAST_WORD));
	const searching = Math.max(common.heldCpu, last.heldCpu);
	return [
		atMost("10,000 sessions of 100 KB: first rows, cold", cold.first, 100, "ms"),
		atMost("the same, warm", warm.first, 100, "ms"),
		atLeast("complete cold, the host's listing ÷ ours", host.complete / cold.complete, 4),
		atLeast("the same, names deep in files included", host.complete / cold.settled, 4),
		atLeast("complete warm, the host's listing ÷ ours", host.complete / warm.settled, 40),
		told("processor time of the process, the host's ÷ ours, cold", host.cpu / cold.cpu, "×"),
		atLeast("peak memory, the host's ÷ ours, cold", host.peakMb / cold.peakMb, 8),
		atMost("longest hold of the event loop, cold", cold.heldCpu, 16, "ms"),
		atMost("the same, warm", warm.heldCpu, 16, "ms"),
		atMost("search of 1 GB, one session in a hundred matches: first hit", common.first, 300, "ms"),
		told("the same, all hits", common.complete, "ms"),
		told("search of 1 GB for a word of the very last session", last.complete, "ms"),
		atMost("longest hold of the event loop while searching", searching, 16, "ms"),
		...besideEachOther("10,000 of 100 KB", hosts, cold),
	];
}

function large(agentDir: string, newest: Host | undefined): BenchRow[] {
	const { hosts, host, cold } = measure(agentDir, newest);
	const { without, giant } = measureGiant(agentDir);
	return [
		atLeast("1,000 of 1 MB: complete cold, the host's ÷ ours", host.complete / cold.complete, 20),
		told("the same, names deep in files included", host.complete / cold.settled, "×"),
		told("processor time of the process, the host's ÷ ours, cold", host.cpu / cold.cpu, "×"),
		atLeast("peak memory, the host's ÷ ours, cold", host.peakMb / cold.peakMb, 8),
		atMost("one file of 1 GB among them: time with ÷ without", giant.complete / without.complete, 1.25, "×"),
		atMost("the same, peak memory", giant.peakMb / without.peakMb, 1.1, "×"),
		...besideEachOther("1,000 of 1 MB", hosts, cold),
	];
}

/** The listings of both hosts against ours. */
function besideEachOther(tree: string, hosts: readonly Listed[], cold: Probed): BenchRow[] {
	return hosts.flatMap(({ version, listing }) => [
		told(`${tree}, pi ${version}: its listing ÷ ours, cold`, listing.complete / cold.complete, "×"),
		told(`${tree}, pi ${version}: its peak memory ÷ ours, cold`, listing.peakMb / cold.peakMb, "×"),
		told(`${tree}, pi ${version}: its listing`, listing.complete, "ms"),
	]);
}

interface Listed {
	version: string;
	listing: Probed;
}

interface Measured extends Record<"host" | "cold" | "warm", Probed> {
	/** Both hosts, the locked one first; the newest only where it is here. */
	hosts: Listed[];
}

/** The hosts' listings, ours without an index, and ours with one, in turn, so that they see the same machine. */
function measure(agentDir: string, newest: Host | undefined): Measured {
	// The first round fills the system's file cache and the compile cache.
	probeCold(agentDir);
	const rounds = Array.from({ length: ROUNDS }, () => {
		const host = listByHost(LOCKED_HOST, agentDir);
		const newer = newest && listByHost(newest, agentDir);
		// Ours are over so soon that a burst of other work may cover the whole of one.
		const cold = repeat(() => probeCold(agentDir));
		const warm = repeat(() => probe("scan", agentDir));
		const counts = new Set([host, cold, warm, ...(newer ? [newer] : [])].map(({ count }) => count));
		if (counts.size > 1) throw new Error("the listings differ in length");
		return { host, newer, cold, warm };
	});
	const host = leastDisturbed(rounds.map(({ host }) => host));
	const hosts = [{ version: LOCKED_HOST.version, listing: host }];
	if (newest) {
		const listing = leastDisturbed(rounds.flatMap(({ newer }) => newer ?? []));
		hosts.push({ version: newest.version, listing });
	}
	return {
		host,
		hosts,
		cold: leastDisturbed(rounds.map(({ cold }) => cold)),
		warm: leastDisturbed(rounds.map(({ warm }) => warm)),
	};
}

/** With and without one giant among the files, in turn: a burst of other work then falls on both. */
function measureGiant(agentDir: string): Record<"without" | "giant", Probed> {
	const rounds = Array.from({ length: ROUNDS }, () => {
		const without = probeCold(agentDir);
		const path = addGiant(agentDir, GIANT_BYTES);
		const giant = probeCold(agentDir);
		rmSync(path);
		return { without, giant };
	});
	return {
		without: leastDisturbed(rounds.map(({ without }) => without)),
		giant: leastDisturbed(rounds.map(({ giant }) => giant)),
	};
}

function repeat(measurement: () => Probed): Probed {
	return leastDisturbed(Array.from({ length: ROUNDS }, measurement));
}

/** The least of each figure: whatever else runs on the machine can only add to it. */
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
