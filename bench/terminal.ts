import { setTimeout as pause } from "node:timers/promises";
import { say } from "../test/host/answer.ts";
import { createSandbox } from "../test/host/sandbox.ts";
import { ScriptedModel } from "../test/host/scripted-model.ts";
import { startHost, type TerminalHost } from "../test/host/terminal-host.ts";
import { until } from "../test/host/until.ts";
import { yesterdaySession } from "../test/host/yesterday-session.ts";
import { attached } from "../test/recap/attached.ts";
import { median } from "./lib/median.ts";
import { atMost, type BenchRow } from "./lib/row.ts";
import { growTree } from "./store/tree.ts";

const SESSIONS = 10_000;
const ROUNDS = 7;
/** Long enough to be worth a recap. */
const REPLY = "This part reads a date, checks it against the calendar and says what day it is. ".repeat(4);
/** Long enough for the last keystroke to be no typing any more. */
const AWAY_MS = 3_000;
/** Until a pi has loaded what it loads after its first paint, as one has where somebody works. */
const SETTLE_MS = 2_000;
const LOOK_EVERY_MS = 1;

/** How long a person waits, from the bytes of a key to the painted screen of a real terminal. */
export async function rows(): Promise<BenchRow[]> {
	return [await returning(), await opening()];
}

/** Drafted while away: what is left to do is to paint it. */
async function returning(): Promise<BenchRow> {
	const args = ["--recap-focus-min-seconds", "0.01"];
	const host = await startHost({
		args,
		rows: 40,
		script: (model) => model.always("agent", say(REPLY)).always("recap", say("<recap>It works.</recap>")),
	});
	try {
		await attached(host);
		const took: number[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			host.submit(`look at part ${round} of the project, please, and say what it does`);
			host.focusOut();
			await until(() => host.model.calls("recap")[round]?.state === "answered", { what: "the draft" });
			await pause(AWAY_MS);
			took.push(
				await timed(
					() => host.focusIn(),
					() => /✦ recap/.test(host.screen.text()),
				),
			);
		}
		return atMost("return to the painted recap, drafted while away", median(took), 50, "ms");
	} finally {
		await host.dispose();
	}
}

/** The index is warm, pi is fresh: the first `/sessions` of a process imports the board as well. */
async function opening(): Promise<BenchRow> {
	const model = await ScriptedModel.start();
	const sandbox = createSandbox({ modelUrl: model.url, sessions: [yesterdaySession] });
	const hosts: TerminalHost[] = [];
	try {
		growTree(sandbox.agentDir, { sessions: SESSIONS, bytes: 4_000, folders: 20 });
		const took: number[] = [];
		for (let round = 0; round <= ROUNDS; round++) {
			const host = await startHost({ sandbox, model, rows: 40 });
			hosts.push(host);
			await attached(host);
			await pause(SETTLE_MS);
			host.type("/sessions --all");
			await host.screen.waitFor(/\/sessions --all/);
			const passed = await timed(
				() => host.key("enter"),
				() => /in the parser/.test(host.screen.text()),
			);
			// The first one of all makes the index.
			if (round > 0) took.push(passed);
			await host.dispose();
		}
		return atMost(
			"key press to the board's first rows, 10,000 sessions, warm, import included",
			median(took),
			150,
			"ms",
		);
	} finally {
		for (const host of hosts) await host.dispose();
		sandbox.remove();
		await model.close();
	}
}

async function timed(act: () => void, isThere: () => boolean): Promise<number> {
	const start = performance.now();
	act();
	await until(isThere, { what: "the screen", everyMs: LOOK_EVERY_MS });
	return performance.now() - start;
}
