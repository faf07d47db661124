import { setTimeout as pause } from "node:timers/promises";
import { PROJECT_ROOT } from "../test/host/launch.ts";
import { startHost, type TerminalHost } from "../test/host/terminal-host.ts";
import { yesterdaySession } from "../test/host/yesterday-session.ts";
import { type BenchRow, type BenchWorld, emptyExtension, inWorld, procNumbers } from "./lib/harness.ts";

const SECONDS = 60;
/** Seconds to wait after pi has started, so that startup work and garbage collection are over before the measurement begins. */
const SETTLE_SECONDS = 30;

/** Measures the processor time of an idle pi: with the suite and a card on the screen, and with one empty extension. */
export function rows(): Promise<BenchRow[]> {
	return inWorld([yesterdaySession], (ours) => inWorld([yesterdaySession], (empty) => idle(ours, empty)));
}

async function idle(ours: BenchWorld, empty: BenchWorld): Promise<BenchRow[]> {
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
		const what = `CPU ticks used by an idle pi in ${SECONDS} s, minus the ticks used with one empty extension`;
		return [{ what, value: suite - nothing, unit: "ticks", most: 1 }];
	} finally {
		for (const host of hosts) await host.dispose();
	}
}

/** Returns the processor time of a process in ticks: its user and system time (fields 14 and 15 of `/proc/PID/stat`, see proc(5)). */
function ticks({ pid }: TerminalHost): number {
	const fields = procNumbers(`${pid}/stat`);
	return (fields[11] ?? Number.NaN) + (fields[12] ?? Number.NaN);
}
