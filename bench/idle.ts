import { setTimeout as pause } from "node:timers/promises";
import { PROJECT_ROOT } from "../test/host/launch.ts";
import { startHost, type TerminalHost } from "../test/host/terminal-host.ts";
import { yesterdaySession } from "../test/host/yesterday-session.ts";
import { processorTime, TICK_MS } from "./lib/figures.ts";
import { emptyExtension, inWorld, type World } from "./lib/host.ts";
import { atMost, type BenchRow, figureOnly } from "./lib/row.ts";

const SECONDS = 60;
/** Time for everything that follows the start, including garbage collection. */
const SETTLE_SECONDS = 30;

/** Processor time of an idle pi: with the suite and a card on the screen, and with one empty extension. */
export function rows(): Promise<BenchRow[]> {
	return inWorld([yesterdaySession], (ours) => inWorld([yesterdaySession], (empty) => idle(ours, empty)));
}

async function idle(ours: World, empty: World): Promise<BenchRow[]> {
	const hosts: TerminalHost[] = [];
	try {
		const view = { args: ["-c"], rows: 50 };
		hosts.push(await startHost({ ...ours, ...view, extensions: [PROJECT_ROOT] }));
		hosts.push(await startHost({ ...empty, ...view, extensions: [emptyExtension(empty.sandbox)] }));
		await pause(SETTLE_SECONDS * 1000);
		const before = hosts.map(ticks);
		await pause(SECONDS * 1000);
		const [suite = Number.NaN, nothing = Number.NaN] = hosts.map(
			(host, at) => ticks(host) - (before[at] ?? 0),
		);
		return [
			atMost(
				`idle for ${SECONDS} s: ticks of the processor more than with one empty extension`,
				suite - nothing,
				1,
				"ticks",
			),
			figureOnly("the same, with the suite", suite, "ticks"),
		];
	} finally {
		for (const host of hosts) await host.dispose();
	}
}

function ticks({ pid }: TerminalHost): number {
	return (processorTime(pid) ?? Number.NaN) / TICK_MS;
}
