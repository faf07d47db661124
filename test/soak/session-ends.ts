import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionEnd } from "./in-host/probe.ts";
import { PROBED, type World } from "./world.ts";

/** Length of a series of replacements. The first ones load what is loaded only once. */
const WARM_UP = 3;
const ROW = 9;
/**
 * Allowed growth of the heap per replacement, in bytes. The host (0.73.1) never frees an extension's modules: 1.5 MB for the suite at
 * startup, up to 2.5 MB with all commands loaded, and 0.3 MB of its own. Anything above that is a leak.
 */
const HEAP_GROWTH = 3_000_000;

/** Outlives its session on purpose: text is held until the next session opens, for up to 5 seconds. */
const HELD_PROMPT = /^setTimeout \(session-core\/host\/prompt\.ts:/;

/** What the sessions of all processes left behind. */
export interface EndFigures {
	ends: number;
	/** Series of replacements that are long enough to detect growth. */
	rows: number;
	/** The largest growth of a heap per replacement, in bytes. */
	heapGrowth: number;
}

export function endFigures(world: World): EndFigures {
	const reports = readReports(world);
	const rows = reports.flatMap(rowsIn);
	return {
		ends: reports.flat().length,
		rows: rows.length,
		heapGrowth: Math.max(0, ...rows.map(heapGrowth)),
	};
}

export function endFaults(world: World): string[] {
	return readReports(world).flatMap((ends) => [
		...ends.flatMap(leftFaults),
		...rowsIn(ends).flatMap(growthFaults),
	]);
}

/** The number of sessions that have ended in a process. */
export function endsOf({ sandbox }: Pick<World, "sandbox">, pid: number): number {
	const path = join(sandbox.root, PROBED, `${pid}.jsonl`);
	return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

/** For each process, how its sessions ended, oldest first. */
function readReports({ sandbox }: World): SessionEnd[][] {
	const folder = join(sandbox.root, PROBED);
	if (!existsSync(folder)) return [];
	return readdirSync(folder)
		.filter((name) => /^\d+\.jsonl$/.test(name))
		.map((name) => readFileSync(join(folder, name), "utf8").split("\n"))
		.map((lines) => lines.filter((line) => line !== "").map((line) => JSON.parse(line)));
}

function leftFaults({ reason, held, leases }: SessionEnd): string[] {
	const left = held.filter((what) => !HELD_PROMPT.test(what));
	const open = [...new Set(left)].map((what) => `still open after a session's end (${reason}): ${what}`);
	return leases > 0 ? [...open, `${leases} leases left after a session's end (${reason})`] : open;
}

/** Series of replacements without prompts in between, during which only a leak grows. */
function rowsIn(ends: readonly SessionEnd[]): SessionEnd[][] {
	const rows: SessionEnd[][] = [];
	for (const end of ends) {
		if (end.inRow === undefined) continue;
		if (end.inRow === 1) rows.push([]);
		rows.at(-1)?.push(end);
	}
	return rows.map((row) => row.slice(WARM_UP)).filter(({ length }) => length >= ROW);
}

function growthFaults(row: readonly SessionEnd[]): string[] {
	const [first = {}, last = {}] = [row.slice(0, 3), row.slice(-3)].map((part) => counts(part));
	const grown = Object.entries(last).filter(([name, [least]]) => least > (first[name]?.[1] ?? 0) + 1);
	const faults = grown.map(
		([name, [least]]) =>
			`${name} grew to ${least} over ${row.length} replaced sessions, from ${first[name]?.[1] ?? 0}`,
	);
	const bytes = heapGrowth(row);
	return bytes > HEAP_GROWTH
		? [...faults, `the heap grew by ${Math.round(bytes)} bytes a replaced session`]
		: faults;
}

/** Minimum and maximum of each count. */
function counts(part: readonly SessionEnd[]): Record<string, [number, number]> {
	const names = new Set(part.flatMap((end) => Object.keys(end.counts)));
	const range = (name: string): [number, number] => {
		const all = part.map((end) => end.counts[name] ?? 0);
		return [Math.min(...all), Math.max(...all)];
	};
	return Object.fromEntries([...names].map((name) => [name, range(name)]));
}

function heapGrowth(row: readonly SessionEnd[]): number {
	const least = (part: readonly SessionEnd[]) => Math.min(...part.map(({ heap }) => heap));
	return (least(row.slice(-3)) - least(row.slice(0, 3))) / (row.length - 3);
}
