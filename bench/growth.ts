import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { walkBranch } from "../session-core/session/branch.ts";
import { hostSource } from "../session-core/session/host-source.ts";
import { renderTimeline } from "../session-core/timeline/render.ts";
import { readTimeline } from "../session-core/timeline/timeline.ts";
import { longSession } from "./lib/long-session.ts";
import { type BenchRow, told } from "./lib/row.ts";
import { LOCKED_HOST, listByHost } from "./store/hosts.ts";
import { type Probed, probe } from "./store/probed.ts";
import { addGiant, growTree } from "./store/tree.ts";

const MB = 1024 ** 2;
const RUNS = 15;
/** With more, the host's listing ends with EMFILE here: it opens the files of a folder all at once. */
const MOST_FOR_HOST = 10_000;

/** What each task costs as it grows, as multiples of its smallest size. `npm run bench:plot` draws these rows. */
export async function rows(): Promise<BenchRow[]> {
	return [
		...branches([100, 1_000, 10_000, 100_000]),
		...files([1, 10, 100, 1_000]),
		...listings([1_000, 10_000, 100_000]),
	];
}

function branches(sizes: readonly number[]): BenchRow[] {
	const took = sizes.map((entries) => {
		const manager = longSession(entries);
		const source = hostSource(manager);
		return {
			ours: least(() => renderTimeline(readTimeline(walkBranch(source), { cwd: manager.getCwd() }))),
			hosts: least(() => manager.getBranch()),
		};
	});
	return sizes.flatMap((entries, at) => [
		told(
			`entries ${entries}: walk + timeline + rendering`,
			grown(took, at, ({ ours }) => ours),
			"×",
		),
		told(
			`entries ${entries}: the host's getBranch()`,
			grown(took, at, ({ hosts }) => hosts),
			"×",
		),
	]);
}

/** One file among none: a listing reads its ends, whatever stands between. */
function files(megabytes: readonly number[]): BenchRow[] {
	const took = megabytes.map((size) =>
		inTree((agentDir) => {
			growTree(agentDir, { sessions: 1, bytes: 4_000, folders: 1 });
			addGiant(agentDir, size * MB);
			return { ours: cold(agentDir).complete };
		}),
	);
	return megabytes.map((size, at) =>
		told(
			`MB ${size}: listing of one file of that size`,
			grown(took, at, ({ ours }) => ours),
			"×",
		),
	);
}

function listings(counts: readonly number[]): BenchRow[] {
	const took = counts.map((sessions) =>
		inTree((agentDir) => {
			growTree(agentDir, { sessions, bytes: 4_000, folders: 50 });
			const first = cold(agentDir);
			const hosts = sessions > MOST_FOR_HOST ? undefined : listByHost(LOCKED_HOST, agentDir);
			return { cold: first, warm: probe("scan", agentDir), hosts };
		}),
	);
	return counts.flatMap((sessions, at) => [
		told(
			`sessions ${sessions}: first rows, warm`,
			grown(took, at, ({ warm }) => warm.first),
			"×",
		),
		told(
			`sessions ${sessions}: complete, cold`,
			grown(took, at, ({ cold }) => cold.complete),
			"×",
		),
		told(
			`sessions ${sessions}: complete, warm`,
			grown(took, at, ({ warm }) => warm.complete),
			"×",
		),
		told(
			`sessions ${sessions}: the host's listing`,
			grown(took, at, ({ hosts }) => hosts?.complete ?? Number.NaN),
			"×",
		),
	]);
}

function cold(agentDir: string): Probed {
	rmSync(join(agentDir, "session-suite"), { recursive: true, force: true });
	return probe("scan", agentDir);
}

function inTree<T>(measure: (agentDir: string) => T): T {
	const agentDir = mkdtempSync(join(tmpdir(), "session-growth-bench-"));
	try {
		return measure(agentDir);
	} finally {
		rmSync(agentDir, { recursive: true, force: true });
	}
}

/** A figure as a multiple of the same figure at the smallest size. */
function grown<T>(took: readonly T[], at: number, figure: (taken: T) => number): number {
	const [smallest] = took;
	const here = took[at];
	return smallest === undefined || here === undefined ? Number.NaN : figure(here) / figure(smallest);
}

/** Milliseconds of a call, warm: the least of many runs, since whatever else the machine does only adds to it. */
function least(call: () => unknown): number {
	const times = Array.from({ length: RUNS }, () => {
		const start = performance.now();
		call();
		return performance.now() - start;
	});
	return Math.min(...times);
}
