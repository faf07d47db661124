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
import type { BenchRow } from "./lib/row.ts";

const RUNS = 31;
const LONG = 50_000;
const SESSION = new URL("../../shared/sessions/badlogic-pi-mono/before-compaction.jsonl", import.meta.url);

/** What reading a session costs, on the event loop of the host. */
export async function rows(): Promise<BenchRow[]> {
	return [...longBranchRows(), ...realSessionRows()];
}

/** A branch of 50,000 entries in memory: prompts, replies, edits and commands in turn. */
function longSession(): SessionManager {
	const manager = SessionManager.inMemory("/code/project");
	const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
	const from = { api: "anthropic-messages" as const, provider: "bench", model: "bench", timestamp: 0 };
	for (let index = 0; index < LONG; index += 4) {
		const id = `call-${index}`;
		manager.appendMessage({
			role: "user",
			content: `Make parser number ${index} accept trailing commas`,
			timestamp: 0,
		});
		manager.appendMessage({
			role: "assistant",
			content: [
				{
					type: "toolCall",
					id,
					name: "bash",
					arguments: { command: `cd app && npm test -- parser-${index} 2>&1 | tail -5` },
				},
			],
			...from,
			usage: { ...usage, cost },
			stopReason: "toolUse",
		});
		manager.appendMessage({
			role: "toolResult",
			toolCallId: id,
			toolName: "bash",
			content: [{ type: "text", text: `ran ${index}\n12 passed\n` }],
			isError: false,
			timestamp: 0,
		});
		manager.appendMessage({
			role: "assistant",
			content: [
				{
					type: "text",
					text: `Parser ${index} accepts trailing commas now.\n\n- \`src/parser-${index}.ts\` skips them`,
				},
			],
			...from,
			usage: { ...usage, cost },
			stopReason: "stop",
		});
	}
	return manager;
}

function longBranchRows(): BenchRow[] {
	const manager = longSession();
	const source = hostSource(manager);
	const ours = timed(() => renderTimeline(readTimeline(walkBranch(source), { cwd: manager.getCwd() })));
	const hosts = timed(() => [manager.getBranch(), manager.getBranch()], 5);
	const ratio = hosts / ours;
	return [
		{
			what: "walk + timeline + rendering of a 50,000-entry branch",
			figure: `${ours.toFixed(2)} ms`,
			budget: "≤ 5 ms",
			ok: ours <= 5,
		},
		{
			what: "the host's getBranch() twice ÷ that",
			figure: `${ratio.toFixed(0)}×`,
			budget: "≥ 50×",
			ok: ratio >= 50,
		},
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
		const figure = `${offline.toFixed(2)} ms`;
		return [
			{
				what: "timeline + offline text of a 2.4 MB session, warm",
				figure,
				budget: "≤ 10 ms",
				ok: offline <= 10,
			},
		];
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
