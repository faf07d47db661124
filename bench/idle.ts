import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { PROJECT_ROOT } from "../test/host/launch.ts";
import { startHost, type TerminalHost } from "../test/host/terminal-host.ts";
import { yesterdaySession } from "../test/host/yesterday-session.ts";
import { emptyExtension, inWorld, type World } from "./lib/host.ts";
import { atMost, type BenchRow } from "./lib/row.ts";

const SECONDS = 60;
/** Seconds to wait after pi has started, so that startup work and garbage collection are over before the measurement begins. */
const SETTLE_SECONDS = 30;

/** Measures the processor time of an idle pi: first with the suite and a card on the screen, then with one empty extension. */
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
				`CPU ticks used by an idle pi in ${SECONDS} s, minus the ticks used with one empty extension`,
				suite - nothing,
				1,
				"ticks",
			),
		];
	} finally {
		for (const host of hosts) await host.dispose();
	}
}

/**
 * Returns the processor time of a process in ticks, which is the sum of its user and system time (fields 14 and 15 of `/proc/PID/stat`, see
 * proc(5)). Returns NaN on systems other than Linux.
 */
function ticks({ pid }: TerminalHost): number {
	if (process.platform !== "linux") return Number.NaN;
	const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return Number(fields[11]) + Number(fields[12]);
}
