import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Open resources and the heap after garbage collection. */
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

/** Number of leases of this process on disk. */
export function ownLeaseCount(agentDir: string): number {
	const folder = join(agentDir, "session-suite", "live");
	try {
		const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
		return files.filter((name) => JSON.parse(readFileSync(join(folder, name), "utf8")).pid === process.pid)
			.length;
	} catch {
		// The folder does not exist yet, or another process has just removed a lease.
		return 0;
	}
}

/** 0 if the system does not tell. */
function openFiles(): number {
	try {
		return readdirSync("/proc/self/fd").length;
	} catch {
		return 0;
	}
}
