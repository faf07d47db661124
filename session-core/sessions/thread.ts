import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { formatNamed } from "../log/index.ts";
import { type FileStamp, Pace } from "../text/files/index.ts";
import type { Cached } from "./cache.ts";
import { summarize, summaryScratch, withSettledName } from "./summary.ts";

/** A session file to summarize, in a form that can be sent to a thread. `format`: the name of the file's format. */
export interface ThreadFile {
	path: string;
	format: string;
	isArchive: boolean;
}

/** A summary as the index stores it. `at`: the index of the session's file among the files that were sent to the thread. */
export interface Summarized {
	at: number;
	stamp: FileStamp;
	json: string;
}

/** Starting a thread takes as long as summarizing several hundred files. */
const LEAST_FILES = 2_000;
/** Number of summaries that are passed on together. */
const BATCH = 64;

/**
 * Summarizes files in a second thread, in order, and passes the summaries to `take`. Returns a function that stops the thread. The caller
 * must not depend on the summaries: nothing is passed on if there are only a few files or the thread cannot run here.
 */
export function startThread(
	files: readonly ThreadFile[],
	take: (batch: readonly Summarized[]) => void,
	least = LEAST_FILES,
): () => void {
	if (files.length < least || availableParallelism() < 2) return () => undefined;
	const url = new URL("./summary-thread.mjs", import.meta.url);
	let worker: Worker;
	try {
		// The options of this process may be for its own code, such as a loader.
		worker = new Worker(url, { workerData: files, execArgv: [] });
	} catch {
		// This process may not start threads.
		return () => undefined;
	}
	worker.on("message", take);
	worker.on("error", () => {
		// A packed extension does not contain the thread's modules. The files are then summarized by this thread alone.
	});
	worker.unref();
	return () => void worker.terminate();
}

/** Runs in the thread. A file that cannot be read is left to the main thread, which reports it. */
export async function summarizeFor(
	files: readonly ThreadFile[],
	pass: (batch: readonly Summarized[]) => void,
): Promise<void> {
	const scratch = summaryScratch();
	let batch: Summarized[] = [];
	for (const [at, { path, format, isArchive }] of files.entries()) {
		const outcome = summarize(path, { scratch, format: formatNamed(format), isArchive });
		if (outcome.ok) {
			const record = await withSettledName(path, outcome.record, scratch, new Pace());
			batch.push({ at, stamp: record.stamp, json: JSON.stringify(record satisfies Cached) });
		} else if (outcome.stamp) {
			const skipped: Cached = { skipped: true };
			batch.push({ at, stamp: outcome.stamp, json: JSON.stringify(skipped) });
		}
		if (batch.length < BATCH) continue;
		pass(batch);
		batch = [];
	}
	pass(batch);
}
