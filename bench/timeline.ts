import { offlineRecap } from "../session-core/recap/heuristic.ts";
import { recapText } from "../session-core/recap/text.ts";
import { walkBranch } from "../session-core/session-file/branch.ts";
import { hostSource } from "../session-core/session-file/entry.ts";
import { renderTimeline } from "../session-core/timeline/render.ts";
import { readTimeline } from "../session-core/timeline/timeline.ts";
import { atLeast, atMost, type BenchRow, least, repeated, timeOf } from "./lib/harness.ts";
import { longSession } from "./lib/sessions.ts";

/** Measures how long reading a session occupies the host's event loop. */
export async function rows(): Promise<BenchRow[]> {
	const manager = longSession(50_000);
	const source = hostSource(manager);
	const read = () => readTimeline(walkBranch(source), { cwd: manager.getCwd() });
	const recap = () => recapText(offlineRecap(read()).recap);
	// The shortest of many runs is a warm one.
	const shortest = async (call: () => unknown, runs = 36) => least(await repeated(runs, () => timeOf(call)));
	const ours = await shortest(() => renderTimeline(read()));
	const hosts = await shortest(() => [manager.getBranch(), manager.getBranch()], 10);
	return [
		atMost("Walk, timeline and rendering of a branch of 50,000 entries", ours, 5, "ms"),
		atLeast(
			"Two calls of the host's getBranch(), relative to our walk, timeline and rendering",
			hosts / ours,
			50,
		),
		atMost("Walk, timeline and offline recap of the same branch", await shortest(recap), 10, "ms"),
	];
}
