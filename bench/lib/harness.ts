import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSandbox, type Sandbox } from "../../test/host/sandbox.ts";
import { ScriptedModel } from "../../test/host/scripted-model.ts";
import type { SessionFixture } from "../../test/host/session-files.ts";

/** One row of the report, which contains a single measured value. */
export interface BenchRow {
	/** What was measured, in a few words. */
	what: string;
	/** The measured value, or NaN if it cannot be measured on this system. */
	value: number;
	/** Unit of the value: `×` for a ratio of two measurements of this run, otherwise `ms`, `µs`, `MB`, `ticks` … */
	unit: string;
	/** The value's budget, if it has one. Values without a budget are only printed. */
	budget?: { kind: "most" | "least"; value: number };
}

/** The type of the function that every benchmark file in `bench/` exports as `rows`. */
export type Rows = () => Promise<BenchRow[]>;

export function atMost(what: string, value: number, budget: number, unit: string): BenchRow {
	return { what, value, unit, budget: { kind: "most", value: budget } };
}

export function atLeast(what: string, value: number, budget: number): BenchRow {
	return { what, value, unit: "×", budget: { kind: "least", value: budget } };
}

export function figureOnly(what: string, value: number, unit: string): BenchRow {
	return { what, value, unit };
}

/** Returns the median; NaN for an empty list. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((one, other) => one - other);
	const middle = (sorted.length - 1) / 2;
	return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** Returns the shortest of several times, because other work on the machine can only make them longer. NaN for an empty list. */
export function least(values: readonly number[]): number {
	return values.length === 0 ? Number.NaN : Math.min(...values);
}

/** Milliseconds of a call. */
export function timeOf(call: () => unknown): number {
	const start = performance.now();
	call();
	return performance.now() - start;
}

/** Milliseconds until a promise settles. */
export async function timeUntil(call: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	await call();
	return performance.now() - start;
}

/** Runs a measurement several times. */
export async function repeated(count: number, measure: () => number | Promise<number>): Promise<number[]> {
	const all: number[] = [];
	for (let time = 0; time < count; time++) all.push(await measure());
	return all;
}

/** The numbers in a file of `/proc`, which are all NaN on systems other than Linux. */
export function procNumbers(path: string): number[] {
	if (process.platform !== "linux") return [];
	const text = readFileSync(`/proc/${path}`, "latin1");
	// A program's name may contain spaces and parentheses.
	return text
		.slice(text.lastIndexOf(")") + 1)
		.trim()
		.split(" ")
		.map(Number);
}

/** The surroundings of hosts. */
export interface BenchWorld {
	sandbox: Sandbox;
	model: ScriptedModel;
}

/** Runs a measurement in a private sandbox, which is removed afterwards. */
export async function inWorld<T>(
	sessions: SessionFixture[],
	measure: (world: BenchWorld) => Promise<T>,
): Promise<T> {
	const model = await ScriptedModel.start();
	const sandbox = createSandbox({ modelUrl: model.url, sessions });
	try {
		return await measure({ sandbox, model });
	} finally {
		sandbox.remove();
		await model.close();
	}
}

/** Creates an empty extension that serves as the baseline for the suite, and returns its path. */
export function emptyExtension({ root }: Sandbox): string {
	const folder = join(root, "empty-extension");
	mkdirSync(folder);
	writeFileSync(join(folder, "index.ts"), "export default function () {}\n");
	return join(folder, "index.ts");
}

/** The result of a measurement in a separate process. Times are in milliseconds. */
export interface Probed {
	/** Sessions or hits. */
	count: number;
	/** Time to the first rows or hit. */
	first: number;
	/** Time to the last. */
	complete: number;
	/** Peak memory of the process. */
	peakMb: number;
}

/** The arguments of a process that runs a part of `child.ts`. */
export function childArguments(...args: string[]): string[] {
	const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
	// The heap limit is high because the host's listing needs several gigabytes.
	const flags = ["--expose-gc", "--max-old-space-size=8192"];
	return [...flags, file("../../scripts/run.mjs"), file("./child.ts"), ...args];
}

/**
 * Runs one measurement three times: `scan` is our listing, `search` our search for a query, and `host` the host's own listing. Returns the
 * minimum of each figure, because other work on the machine can only add to it. `before` is called before each run.
 */
export function probe(
	what: "scan" | "search" | "host",
	agentDir: string,
	{ query = "", before = () => undefined }: { query?: string; before?: () => void } = {},
): Probed {
	const env = { ...process.env, PI_CODING_AGENT_DIR: agentDir, PI_OFFLINE: "1" };
	const runs = Array.from({ length: 3 }, (): Probed => {
		before();
		const args = childArguments(what, agentDir, query);
		const output = execFileSync(process.execPath, args, { encoding: "utf8", env });
		return JSON.parse(output.trim().split("\n").at(-1) ?? "{}");
	});
	const smallest = (name: keyof Probed) => least(runs.map((run) => run[name]));
	return {
		count: smallest("count"),
		first: smallest("first"),
		complete: smallest("complete"),
		peakMb: smallest("peakMb"),
	};
}
