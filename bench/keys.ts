import { readdirSync } from "node:fs";
import { join } from "node:path";
import { inputHandler } from "../session-recap/terminal.ts";
import { createCompletion } from "../session-resume/command/run.ts";
import { type BenchRow, median, repeated, shortest, timeOf } from "./lib/harness.ts";
import { onTree, projects } from "./lib/sessions.ts";

const KEYS = ["a", "é", "한", "\x1b[A", "\r", "\x1b[97;1:3u", "\x1b[200~pasted\x1b[201~"];
const BATCH = 100_000;
const TYPED = ["", "f", "fi", "fix", "fix the ", "0195", "0195a1b2-c3d4", "e", "session 77", "no such thing"];

/** Measures how long a keystroke takes in our raw input handler, and in the completion of `/resume-from` with many sessions. */
export async function rows(): Promise<BenchRow[]> {
	const tree = { sessions: 10_000, bytes: 4_000, projects: projects(1) };
	return [await keystroke(), await onTree(tree, completion)];
}

async function keystroke(): Promise<BenchRow> {
	let keys = 0;
	const handle = inputHandler(
		{ useFocus: true, areHosts: () => false },
		{ focusIn: () => undefined, focusOut: () => undefined, key: () => void keys++ },
	);
	const batch = () => {
		for (let i = 0; i < BATCH; i++) handle(KEYS[i % KEYS.length] ?? "a");
	};
	const times = await repeated(21, () => timeOf(batch));
	if (keys === 0) throw new Error("no key reached the listener");
	const value = (median(times) * 1_000) / BATCH;
	return { what: "Keystroke handler: median time", value, unit: "µs", most: 2 };
}

async function completion(agentDir: string): Promise<BenchRow> {
	const root = join(agentDir, "sessions");
	const nothing = { getLeafEntry: () => undefined, getEntry: () => undefined, getEntries: () => [] };
	const complete = createCompletion({
		agentDir,
		folder: join(root, readdirSync(root)[0] ?? ""),
		open: { id: "none", source: nothing },
		now: Date.now,
	});
	const slowest: number[] = [];
	for (const typed of TYPED) slowest.push(await shortest(7, () => complete("resume-from", typed)));
	const what = "Autocompletion for /resume-from with 10,000 sessions: slowest keystroke";
	return { what, value: Math.max(...slowest), unit: "ms", most: 5 };
}
