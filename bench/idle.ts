import { setTimeout as pause } from "node:timers/promises";
import { PROJECT_ROOT } from "../test/host/launch.ts";
import { createSandbox } from "../test/host/sandbox.ts";
import { ScriptedModel } from "../test/host/scripted-model.ts";
import { startHost, type TerminalHost } from "../test/host/terminal-host.ts";
import { yesterdaySession } from "../test/host/yesterday-session.ts";
import { emptyExtension } from "./lib/empty-extension.ts";
import { processorTime, TICK_MS } from "./lib/processor-time.ts";
import { atMost, type BenchRow, told } from "./lib/row.ts";

const SECONDS = 60;
/** Until everything that comes after the start has come, the collector's tidying up among it. */
const SETTLE_SECONDS = 30;

/** What an idle pi costs: both side by side, so that both see the same machine. The suite's one has a card on its screen. */
export async function rows(): Promise<BenchRow[]> {
	const model = await ScriptedModel.start();
	const worlds = ["ours", "empty"].map(() =>
		createSandbox({ modelUrl: model.url, sessions: [yesterdaySession] }),
	);
	const [ours, empty] = worlds;
	if (!ours || !empty) throw new Error("no worlds");
	const hosts: TerminalHost[] = [];
	try {
		const args = ["-c"];
		hosts.push(await startHost({ sandbox: ours, model, args, rows: 50, extensions: [PROJECT_ROOT] }));
		hosts.push(
			await startHost({ sandbox: empty, model, args, rows: 50, extensions: [emptyExtension(empty)] }),
		);
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
			told("the same, with the suite", suite, "ticks"),
		];
	} finally {
		for (const host of hosts) await host.dispose();
		for (const world of worlds) world.remove();
		await model.close();
	}
}

function ticks({ pid }: TerminalHost): number {
	return (processorTime(pid) ?? Number.NaN) / TICK_MS;
}
