import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./lib/median.ts";
import type { BenchRow } from "./lib/row.ts";
import { type Probed, probe } from "./store/probed.ts";
import { addGiant, growTree, LAST_WORD, RARE_WORD, type TreeShape } from "./store/tree.ts";

/** Pairs of neighbours in time: the host's listing and ours see the same machine. */
const PAIRS = 3;
const KB = 1_000;
const MANY: TreeShape = { sessions: 10_000, bytes: 100 * KB, folders: 50 };
const LARGE: TreeShape = { sessions: 1_000, bytes: 1_000 * KB, folders: 10 };
const GIANT_BYTES = 1024 ** 3;

interface Pair {
	host: Probed;
	cold: Probed;
	warm: Probed;
}

/**
 * Listing and searching sessions against the host's own listing. Files are in the system's cache for both. Ratios are medians
 * of pairs; times and holds are those of the least disturbed round, since other processes can only add to them.
 */
export async function rows(): Promise<BenchRow[]> {
	return [...onTree(MANY, many), ...onTree(LARGE, large)];
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

function many(agentDir: string): BenchRow[] {
	const pairs = measurePairs(agentDir);
	const of = (value: (pair: Pair) => number) => median(pairs.map(value));
	const best = (value: (pair: Pair) => number) => Math.min(...pairs.map(value));
	const searches = (word: string) => Array.from({ length: PAIRS }, () => probe("search", agentDir, word));
	const common = searches(RARE_WORD);
	const last = searches(LAST_WORD);
	return [
		atMost(
			"10,000 sessions of 100 KB: first rows, cold",
			best(({ cold }) => cold.first),
			100,
			"ms",
		),
		atMost(
			"the same, warm",
			best(({ warm }) => warm.first),
			100,
			"ms",
		),
		atLeast(
			"complete cold, the host's listing ÷ ours",
			of(({ host, cold }) => host.complete / cold.complete),
			4,
		),
		atLeast(
			"the same, names deep in files included",
			of(({ host, cold }) => host.complete / cold.settled),
			4,
		),
		atLeast(
			"complete warm, the host's listing ÷ ours",
			of(({ host, warm }) => host.complete / warm.settled),
			40,
		),
		atLeast(
			"peak memory, the host's ÷ ours, cold",
			of(({ host, cold }) => host.peakMb / cold.peakMb),
			8,
		),
		atMost(
			"longest hold of the event loop, cold",
			best(({ cold }) => cold.heldCpu),
			16,
			"ms",
		),
		atMost(
			"the same, warm",
			best(({ warm }) => warm.heldCpu),
			16,
			"ms",
		),
		atMost("search of 1 GB, one session in a hundred matches: first hit", least(common, "first"), 300, "ms"),
		told("the same, all hits", least(common, "complete"), "ms"),
		told("search of 1 GB for a word of the very last session", least(last, "complete"), "ms"),
		atMost(
			"longest hold of the event loop",
			Math.max(least(common, "heldCpu"), least(last, "heldCpu")),
			16,
			"ms",
		),
		told(
			"host's listing",
			of(({ host }) => host.complete),
			"ms",
		),
	];
}

function large(agentDir: string): BenchRow[] {
	const pairs = measurePairs(agentDir);
	const of = (value: (pair: Pair) => number) => median(pairs.map(value));
	addGiant(agentDir, GIANT_BYTES);
	const giant = Array.from({ length: PAIRS }, () => probeCold(agentDir));
	const slower = median(giant.map(({ complete }) => complete)) / of(({ cold }) => cold.complete);
	const larger = median(giant.map(({ peakMb }) => peakMb)) / of(({ cold }) => cold.peakMb);
	return [
		atLeast(
			"1,000 of 1 MB: complete cold, the host's ÷ ours",
			of(({ host, cold }) => host.complete / cold.complete),
			20,
		),
		told(
			"the same, names deep in files included",
			of(({ host, cold }) => host.complete / cold.settled),
			"×",
		),
		atLeast(
			"peak memory, the host's ÷ ours, cold",
			of(({ host, cold }) => host.peakMb / cold.peakMb),
			8,
		),
		atMost("one file of 1 GB among them: time with ÷ without", slower, 1.25, "×"),
		atMost("the same, peak memory", larger, 1.1, "×"),
		told(
			"host's listing",
			of(({ host }) => host.complete),
			"ms",
		),
	];
}

function least(probes: Probed[], what: "first" | "complete" | "heldCpu"): number {
	return Math.min(...probes.map((one) => one[what]));
}

function measurePairs(agentDir: string): Pair[] {
	// The first round fills the system's file cache and the compile cache.
	probeCold(agentDir);
	return Array.from({ length: PAIRS }, () => {
		const host = probe("host", agentDir);
		const cold = probeCold(agentDir);
		const warm = probe("scan", agentDir);
		if (cold.count !== host.count || warm.count !== host.count)
			throw new Error("the listings differ in length");
		return { host, cold, warm };
	});
}

function probeCold(agentDir: string): Probed {
	rmSync(join(agentDir, "session-suite"), { recursive: true, force: true });
	return probe("scan", agentDir);
}

function atMost(what: string, value: number, budget: number, unit: string): BenchRow {
	return {
		what,
		figure: figure(value, unit),
		budget: `≤ ${budget} ${unit}`.replace(" ×", "×"),
		ok: value <= budget,
	};
}

function atLeast(what: string, value: number, budget: number): BenchRow {
	return { what, figure: figure(value, "×"), budget: `≥ ${budget}×`, ok: value >= budget };
}

function told(what: string, value: number, unit: string): BenchRow {
	return { what, figure: figure(value, unit), budget: "–", ok: true };
}

function figure(value: number, unit: string): string {
	return unit === "×"
		? `${value.toFixed(value < 10 ? 2 : 0)}×`
		: `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}
