import { hostSource, walkBranch } from "../session-core/log/index.ts";
import { renderTimeline } from "../session-core/log/timeline/render.ts";
import { readTimeline } from "../session-core/log/timeline/timeline.ts";
import { offlineRecap } from "../session-core/recap/heuristic.ts";
import { recapText } from "../session-core/recap/text.ts";
import { type BenchRow, shortest } from "./lib/harness.ts";
import { longSession } from "./lib/sessions.ts";

export async function rows(): Promise<BenchRow[]> {
	const manager = longSession(50_000);
	const source = hostSource(manager);
	const read = () => readTimeline(walkBranch(source), { cwd: manager.getCwd() });
	const recap = () => recapText(offlineRecap(read()));
	const value = await shortest(36, () => renderTimeline(read()));
	const hosts = await shortest(10, () => [manager.getBranch(), manager.getBranch()]);
	const relative = "Two calls of the host's getBranch(), relative to our walk, timeline and rendering";
	const offline = await shortest(36, recap);
	return [
		{ what: "Walk, timeline and rendering of a branch of 50,000 entries", value, unit: "ms", most: 5 },
		{ what: relative, value: hosts / value, unit: "×", least: 50 },
		{ what: "Walk, timeline and offline recap of the same branch", value: offline, unit: "ms", most: 10 },
	];
}
