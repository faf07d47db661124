import { heuristicRecap } from "../../session-core/recap/heuristic.ts";
import type { Recap } from "../../session-core/recap/record.ts";
import { walkBranch } from "../../session-core/session/branch.ts";
import { openSessionFile } from "../../session-core/store/session-file.ts";
import { readTimeline } from "../../session-core/timeline/timeline.ts";
import { ENGLISH } from "../../session-core/words/en.ts";
import type { Words } from "../../session-core/words/words.ts";

/** So little that it is read between two keystrokes; the end of a session is what a card is about. In bytes. */
const LIMITS = {
	wholeBytes: 192 * 1024,
	headBytes: 32 * 1024,
	tailBytes: 160 * 1024,
	maxTailBytes: 640 * 1024,
	lineBytes: 640 * 1024,
};

/** The card of a session that has no current record, from the end of its file. Undefined if there is nothing to say. */
export function cardOf(
	{ path, id, cwd }: { path: string; id: string; cwd: string },
	words: Words = ENGLISH,
): Recap | undefined {
	const opened = openSessionFile(path, LIMITS);
	if (!opened.ok) return undefined;
	const timeline = readTimeline(walkBranch(opened.session), { cwd });
	// It is shown and forgotten, so it needs neither an id nor a time.
	return timeline.stamp === undefined
		? undefined
		: heuristicRecap(timeline, { id: "", subjectId: id, createdAt: 0 }, words);
}
