import { join } from "node:path";
import { PROJECT_ROOT } from "../test/host/launch.ts";
import { startHost } from "../test/host/terminal-host.ts";
import { mainThread, median, medianRange } from "./lib/figures.ts";
import { emptyExtension, inWorld, type World } from "./lib/host.ts";
import { atMost, type BenchRow, figureOnly } from "./lib/row.ts";

/**
 * Minimum and maximum number of measured pairs. Beyond the minimum, pairs are measured only as long as the confidence interval of the ratio
 * contains the budget.
 */
const LEAST_PAIRS = 12;
const MOST_PAIRS = 48;
/**
 * The extensions whose startup is measured, with their budgets: the whole package, and one extension alone, as if it had been selected by a
 * package filter.
 */
const SUBJECTS = [
	{ name: "all extensions", path: PROJECT_ROOT, budget: 1.05 },
	{ name: "session-recap alone", path: join(PROJECT_ROOT, "session-recap/index.ts"), budget: 1.03 },
];

type Subject = (typeof SUBJECTS)[number];

/** Startup time in milliseconds with our extensions, and with the empty extension. */
type Pair = [ours: number, empty: number];

/**
 * Measures startup with the package relative to startup with one empty extension, in a terminal and with cached sources. The result is the
 * median of the ratios of adjacent measurements, because other work on the machine affects both measurements of a pair alike.
 */
export function rows(): Promise<BenchRow[]> {
	return inWorld([], async (world) => {
		const empty = emptyExtension(world.sandbox);
		const rows: BenchRow[] = [];
		for (const subject of SUBJECTS) rows.push(...report(subject, await measurePairs(subject, empty, world)));
		return rows;
	});
}

async function measurePairs({ path, budget }: Subject, empty: string, world: World): Promise<Pair[]> {
	// The first start with each extension only fills the caches of the loader and the system.
	await measureStart(path, world);
	await measureStart(empty, world);
	const pairs: Pair[] = [];
	while (pairs.length < LEAST_PAIRS || (pairs.length < MOST_PAIRS && isOpen(pairs, budget))) {
		// The order alternates, so that neither extension is always measured second.
		const before = pairs.length % 2 === 0 ? undefined : await measureStart(empty, world);
		const ours = await measureStart(path, world);
		pairs.push([ours, before ?? (await measureStart(empty, world))]);
	}
	return pairs;
}

function ratios(pairs: readonly Pair[]): number[] {
	return pairs.map(([ours, empty]) => ours / empty);
}

/** Whether measuring more pairs could move the median to the other side of the budget. */
function isOpen(pairs: readonly Pair[], budget: number): boolean {
	const { low, high } = medianRange(ratios(pairs));
	return low <= budget && budget <= high;
}

function report({ name, budget }: Subject, pairs: readonly Pair[]): BenchRow[] {
	return [
		atMost(
			`Launch of pi to the first visible prompt: ${name} relative to one empty extension`,
			median(ratios(pairs)),
			budget,
			"×",
		),
		figureOnly(
			"Launch of pi to the first visible prompt: one empty extension",
			median(pairs.map(([, empty]) => empty)),
			"ms",
		),
	];
}

/**
 * Returns the milliseconds from the start of the process to the painted prompt, minus the time that the main thread spent waiting for the
 * processor.
 */
async function measureStart(extension: string, world: World): Promise<number> {
	const host = await startHost({ extensions: [extension], ...world });
	const took = performance.now() - host.startedAt - (mainThread(host.pid)?.waited ?? 0);
	host.key("ctrl+d");
	await host.exit;
	await host.dispose();
	return took;
}
