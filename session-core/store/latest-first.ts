import type { FoundFile } from "./folder-scan.ts";

const RUN = 1_024;

/**
 * Files by their last change, newest first, one at a time. Sorted in runs that are merged on the way: sorting ten thousand at
 * once would by itself take most of a slice.
 */
export function* latestFirst(files: FoundFile[]): Generator<FoundFile | undefined> {
	const runs: FoundFile[][] = [];
	for (let start = 0; start < files.length; start += RUN) {
		// Oldest first within a run, so that the newest is taken from its end.
		runs.push(files.slice(start, start + RUN).sort((one, other) => one.stamp.mtimeMs - other.stamp.mtimeMs));
		yield;
	}
	for (let newest = newestOf(runs); newest; newest = newestOf(runs)) yield newest.pop();
}

function newestOf(runs: FoundFile[][]): FoundFile[] | undefined {
	let newest: FoundFile[] | undefined;
	let time = -Infinity;
	for (const run of runs) {
		const last = run.at(-1);
		if (!last || last.stamp.mtimeMs <= time) continue;
		time = last.stamp.mtimeMs;
		newest = run;
	}
	return newest;
}
