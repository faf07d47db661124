import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionEnd } from "./in-host/probe.ts";
import { PROBED, type World } from "./world.ts";

/**
 * Allowed growth of the heap per replacement, in bytes. The host (0.73.1) never frees an extension's modules: 1.5 MB for the suite at
 * startup, up to 2.5 MB with all commands loaded, and 0.3 MB of its own.
 */
const HEAP_GROWTH = 4_000_000;

/** Outlives its session on purpose: text is held until the next session opens, for up to 5 seconds. */
const HELD_PROMPT = /^setTimeout \(session-core\/host\/prompt\.ts:/;

/** How the sessions of all processes ended. */
export function sessionEnds({ sandbox }: Pick<World, "sandbox">): SessionEnd[] {
	const folder = join(sandbox.root, PROBED);
	const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+\.jsonl$/.test(name)) : [];
	return names.flatMap((name) => linesOf(join(folder, name)).map((line) => JSON.parse(line)));
}

/** The number of sessions that have ended in a process. */
export function endsOf({ sandbox }: Pick<World, "sandbox">, pid: number): number {
	return linesOf(join(sandbox.root, PROBED, `${pid}.jsonl`)).length;
}

export function endFaults(world: World): string[] {
	return sessionEnds(world).flatMap(({ reason, held, leases, heapGrowth = 0 }) => {
		const open = new Set(held.filter((what) => !HELD_PROMPT.test(what)));
		const faults = [...open].map((what) => `still open after a session's end (${reason}): ${what}`);
		if (leases > 0) faults.push(`${leases} leases left after a session's end (${reason})`);
		if (heapGrowth > HEAP_GROWTH)
			faults.push(`the heap grew by ${Math.round(heapGrowth)} bytes for each replaced session`);
		return faults;
	});
}

function linesOf(path: string): string[] {
	if (!existsSync(path)) return [];
	return readFileSync(path, "utf8")
		.split("\n")
		.filter((line) => line !== "");
}
