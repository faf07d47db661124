import { join } from "node:path";
import { PROJECT_ROOT } from "../test/host/launch.ts";
import { startHost } from "../test/host/terminal-host.ts";
import { type BenchRow, type BenchWorld, emptyExtension, inWorld, median, waitedMs } from "./lib/harness.ts";

const PAIRS = 24;
const LAUNCH = "Startup of pi until the first visible prompt";
const SUBJECTS = [
	{ name: "all extensions", path: PROJECT_ROOT, most: 1.05 },
	{ name: "session-recap alone", path: join(PROJECT_ROOT, "session-recap/index.ts"), most: 1.03 },
];

/**
 * Other processes slow down adjacent measurements equally, so only the ratio of the times is stable.
 */
export function rows(): Promise<BenchRow[]> {
	return inWorld([], async (world) => {
		const empty = emptyExtension(world.sandbox);
		const rows: BenchRow[] = [];
		const base: number[] = [];
		for (const { name, path, most } of SUBJECTS) {
			// pi's first start with an extension only warms the caches, so the time is discarded.
			for (const extension of [path, empty]) await measureStart(extension, world);
			const ratios: number[] = [];
			for (let pair = 0; pair < PAIRS; pair++) {
				// The order of the two measurements alternates, because the second start is usually faster.
				const before = pair % 2 === 0 ? undefined : await measureStart(empty, world);
				const ours = await measureStart(path, world);
				const nothing = before ?? (await measureStart(empty, world));
				base.push(nothing);
				ratios.push(ours / nothing);
			}
			const what = `${LAUNCH}: ${name} relative to one empty extension`;
			rows.push({ what, value: median(ratios), unit: "×", most });
		}
		return [...rows, { what: `${LAUNCH}: one empty extension`, value: median(base), unit: "ms" }];
	});
}

/** Time spent waiting for the CPU is not counted, because that time depends on other processes. */
async function measureStart(extension: string, world: BenchWorld): Promise<number> {
	const host = await startHost({ extensions: [extension], ...world });
	const took = performance.now() - host.startedAt - waitedMs(host.pid);
	host.key("ctrl+d");
	await host.exit;
	await host.dispose();
	return took;
}
