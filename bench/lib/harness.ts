import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSandbox, type Sandbox } from "../../test/host/sandbox.ts";
import { ScriptedModel } from "../../test/host/scripted-model.ts";
import type { SessionFixture } from "../../test/host/session-files.ts";

export interface BenchRow {
	what: string;
	/** `NaN` means that this system does not support the measurement. */
	value: number;
	/** The `×` unit stands for the ratio of two measurements in the same run. */
	unit: string;
	most?: number;
	least?: number;
}

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((one, other) => one - other);
	const middle = (sorted.length - 1) / 2;
	return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

export async function repeated(count: number, measure: () => number | Promise<number>): Promise<number[]> {
	const all: number[] = [];
	for (let time = 0; time < count; time++) all.push(await measure());
	return all;
}

export async function timeOf(call: () => unknown): Promise<number> {
	const start = performance.now();
	await call();
	return performance.now() - start;
}

/** Other processes can only slow a call down, so the shortest measured time is the most accurate. */
export async function shortest(count: number, call: () => unknown): Promise<number> {
	return Math.min(...(await repeated(count, () => timeOf(call))));
}

/** Calls the two functions alternately, so that other processes affect both measurements equally. */
export async function alternately(
	count: number,
	one: () => unknown,
	other: () => unknown,
): Promise<[one: number[], other: number[]]> {
	const times: number[] = [];
	const others = await repeated(count, async () => {
		times.push(await timeOf(one));
		return timeOf(other);
	});
	return [times, others];
}

/**
 * Runs a program from `bench/lib` in a separate process, so that the program's peak memory can be
 * measured. The program must print its result as JSON on the last line. The heap limit is 8 GB, because
 * pi's own session listing needs several gigabytes.
 */
export function measuredBy<T>(program: string, args: readonly string[], env = process.env): T {
	const paths = ["../../node_modules/jiti/lib/jiti-cli.mjs", `./${program}`].map((path) =>
		fileURLToPath(new URL(path, import.meta.url)),
	);
	const all = ["--max-old-space-size=8192", ...paths, ...args];
	const output = execFileSync(process.execPath, all, { encoding: "utf8", env });
	return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}

export async function inFolder<T>(measure: (folder: string) => T | Promise<T>): Promise<T> {
	const folder = mkdtempSync(join(tmpdir(), "session-bench-"));
	try {
		return await measure(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

export function waitedMs(pid: number): number {
	if (process.platform !== "linux") return 0;
	const [, nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ");
	return Number(nanoseconds) / 1e6;
}

export interface BenchWorld {
	sandbox: Sandbox;
	model: ScriptedModel;
}

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

export function emptyExtension({ root }: Sandbox): string {
	const folder = join(root, "empty-extension");
	mkdirSync(folder);
	writeFileSync(join(folder, "index.ts"), "export default function () {}\n");
	return join(folder, "index.ts");
}
