import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What a process has open, and its heap when nothing of it is garbage. */
export interface Measured {
	/** Listeners, active resources by kind, and open files. */
	counts: Record<string, number>;
	/** Bytes. */
	heap: number;
}

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

export function measure(): Measured {
	collect();
	const counts: Record<string, number> = { files: openFiles() };
	for (const [name, emitter] of Object.entries({ process, stdin: process.stdin, stdout: process.stdout })) {
		for (const event of emitter.eventNames())
			counts[`${name}.${String(event)}`] = emitter.listenerCount(String(event));
	}
	for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
	return { counts, heap: process.memoryUsage().heapUsed };
}

/** Leases of this process that stand on disk. */
export function ownLeaseCount(agentDir: string): number {
	const folder = join(agentDir, "session-suite", "live");
	try {
		const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
		return files.filter((name) => JSON.parse(readFileSync(join(folder, name), "utf8")).pid === process.pid)
			.length;
	} catch {
		// Not there yet, or another process's has just gone: those are counted when it ends.
		return 0;
	}
}

/** 0 where the system does not say. */
function openFiles(): number {
	try {
		return readdirSync("/proc/self/fd").length;
	} catch {
		return 0;
	}
}
