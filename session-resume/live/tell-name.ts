import { setTimeout as pause } from "node:timers/promises";
import type { Lease } from "../../session-core/store/lease.ts";
import { shownLine } from "../../session-core/store/shown-line.ts";
import { summarize } from "../../session-core/store/summarize.ts";
import { isWaiting, leaveNote, withdrawNote } from "./name-notes.ts";
import { otherWriters } from "./writers.ts";

/**
 * `taken`: the session has the name now. `not_taken`: its process does not answer (it is suspended, or busy with itself).
 * `not_written`: it answered, and the name is not in the file.
 */
export type Told = "taken" | "not_taken" | "not_written";

/** How long the other process may take, in milliseconds; it needs a few. */
const PATIENCE_MS = 1_000;
const LOOK_MS = 10;

/** Gives a name to a session that is open elsewhere, through the process that has it open. */
export async function tellName(
	agentDir: string,
	{ instance }: Pick<Lease, "instance">,
	{ path, name }: { path: string; name: string },
): Promise<Told> {
	if (!leaveNote(agentDir, instance, name).ok) return "not_taken";
	const isTaken = await eventually(() => !isWaiting(agentDir, instance));
	if (!isTaken && withdrawNote(agentDir, instance)) return "not_taken";
	const shown = shownLine(name);
	return (await eventually(() => nameOf(path) === shown)) ? "taken" : "not_written";
}

/**
 * The same for all that have it open: whatever one of them answers. `not_taken` if nobody has, or nobody answers; `at_work` if
 * one that does not answer may be writing right now.
 */
export async function tellOthers(
	agentDir: string,
	session: { path: string; id: string },
	name: string,
): Promise<Told | "at_work"> {
	const writers = otherWriters(agentDir, { sessionFile: session.path, sessionId: session.id }, Date.now());
	const told = await Promise.all(
		writers.map((lease) => tellName(agentDir, lease, { path: session.path, name })),
	);
	const answer = (["taken", "not_written"] as const).find((one) => told.includes(one));
	return answer ?? (writers.some(({ state }) => state === "working") ? "at_work" : "not_taken");
}

async function eventually(condition: () => boolean): Promise<boolean> {
	for (const end = performance.now() + PATIENCE_MS; ; await pause(LOOK_MS)) {
		if (condition()) return true;
		if (performance.now() > end) return false;
	}
}

function nameOf(path: string): string | undefined {
	const looked = summarize(path);
	return looked.ok ? looked.record.summary.name : undefined;
}
