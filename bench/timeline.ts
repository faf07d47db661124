import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { heuristicRecap } from "../session-core/recap/heuristic.ts";
import { recapText } from "../session-core/recap/text.ts";
import { walkBranch } from "../session-core/session-file/branch.ts";
import { hostSource } from "../session-core/session-file/entry.ts";
import { renderTimeline } from "../session-core/timeline/render.ts";
import { readTimeline } from "../session-core/timeline/timeline.ts";
import { least, timeOf } from "./lib/figures.ts";
import { atLeast, atMost, type BenchRow } from "./lib/row.ts";
import { longSession } from "./lib/sessions.ts";

const RUNS = 31;
const LONG = 50_000;
const SESSION = new URL("../../shared/sessions/badlogic-pi-mono/before-compaction.jsonl", import.meta.url);

/** Measures how long reading a session occupies the host's event loop. */
export async function rows(): Promise<BenchRow[]> {
	return [...longBranch(), ...realSession()];
}

function longBranch(): BenchRow[] {
	const manager = longSession(LONG);
	const source = hostSource(manager);
	const ours = warm(() => renderTimeline(readTimeline(walkBranch(source), { cwd: manager.getCwd() })));
	const hosts = warm(() => [manager.getBranch(), manager.getBranch()], 5);
	return [
		atMost("Walk, timeline and rendering of a branch of 50,000 entries", ours, 5, "ms"),
		atLeast(
			"Two calls of the host's getBranch(), relative to our walk, timeline and rendering",
			hosts / ours,
			50,
		),
	];
}

/** Measures the reading of a real session of 2.4 MB, if it is available. */
function realSession(): BenchRow[] {
	if (!existsSync(SESSION)) return [];
	const folder = mkdtempSync(join(tmpdir(), "timeline-bench-"));
	try {
		// A copy is opened, because the host rewrites session files that have an older format version.
		const copy = join(folder, "session.jsonl");
		writeFileSync(copy, readFileSync(fileURLToPath(SESSION)));
		const manager = SessionManager.open(copy);
		const source = hostSource(manager);
		const offline = warm(() => {
			const timeline = readTimeline(walkBranch(source), { cwd: manager.getCwd() });
			return recapText(heuristicRecap(timeline, { id: "", subjectId: "", createdAt: 0 }));
		});
		return [atMost("Timeline and offline recap of a 2.4 MB session, warm", offline, 10, "ms")];
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Returns the duration of a warm call in milliseconds: the minimum of many runs. */
function warm(call: () => unknown, runs = RUNS): number {
	for (let run = 0; run < Math.min(5, runs); run++) call();
	return least(Array.from({ length: runs }, () => timeOf(call)));
}
