import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { heuristicRecap } from "../session-core/recap/heuristic.ts";
import { recapText } from "../session-core/recap/text.ts";
import { walkBranch } from "../session-core/session/branch.ts";
import { hostSource } from "../session-core/session/host-source.ts";
import { renderTimeline } from "../session-core/timeline/render.ts";
import { readTimeline } from "../session-core/timeline/timeline.ts";
import { longSession } from "./lib/long-session.ts";
import { atLeast, atMost, type BenchRow } from "./lib/row.ts";

const RUNS = 31;
const LONG = 50_000;
const SESSION = new URL("../../shared/sessions/badlogic-pi-mono/before-compaction.jsonl", import.meta.url);

/** What reading a session costs, on the event loop of the host. */
export async function rows(): Promise<BenchRow[]> {
	return [...longBranchRows(), ...realSessionRows()];
}

function longBranchRows(): BenchRow[] {
	const manager = longSession(LONG);
	const source = hostSource(manager);
	const ours = timed(() => renderTimeline(readTimeline(walkBranch(source), { cwd: manager.getCwd() })));
	const hosts = timed(() => [manager.getBranch(), manager.getBranch()], 5);
	return [
		atMost("walk + timeline + rendering of a 50,000-entry branch", ours, 5, "ms"),
		atLeast("the host's getBranch() twice ÷ that", hosts / ours, 50),
	];
}

/** The real 2.4 MB session, where it is at hand. */
function realSessionRows(): BenchRow[] {
	if (!existsSync(SESSION)) return [];
	const folder = mkdtempSync(join(tmpdir(), "timeline-bench-"));
	try {
		// The host rewrites old versions when it opens them.
		const copy = join(folder, "session.jsonl");
		writeFileSync(copy, readFileSync(fileURLToPath(SESSION)));
		const manager = SessionManager.open(copy);
		const source = hostSource(manager);
		const offline = timed(() => {
			const timeline = readTimeline(walkBranch(source), { cwd: manager.getCwd() });
			return recapText(heuristicRecap(timeline, { id: "", subjectId: "", createdAt: 0 }));
		});
		return [atMost("timeline + offline text of a 2.4 MB session, warm", offline, 10, "ms")];
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Milliseconds of a call, warm: the least of many runs, since whatever else the machine does only adds to it. */
function timed(call: () => unknown, runs = RUNS): number {
	for (let run = 0; run < Math.min(5, runs); run++) call();
	const times = Array.from({ length: runs }, () => {
		const start = performance.now();
		call();
		return performance.now() - start;
	});
	return Math.min(...times);
}
