import type { BranchSlice } from "../log/index.ts";
import { lastTurn, readBriefly } from "../log/timeline/index.ts";
import { ENGLISH, lastStep, type NextStep, nextOf, openActions, openOf, topicOf } from "../recap/index.ts";
import { foldCase, redact, shownLine } from "../text/index.ts";

/** The topic of a session according to its timeline, and whether the session is waiting for the user. */
export interface SessionWork {
	title: string;
	/** The kind of the title: the topic, the newest request or, if the session has no request, the last step. */
	source: "topic" | "request" | "step";
	waits: boolean;
	next: NextStep | undefined;
}

/**
 * Determines the topic of a session, and what is open, from a brief reading of its file. The brief reading contains the same requests and
 * the same last reply as any other reading. A log without a request, such as one whose beginning is missing, is named after its last step.
 * `isTitled`: whether a list can show the first prompt instead.
 */
export function readWork(
	slice: BranchSlice,
	{ isTitled, cwd }: { isTitled: boolean; cwd: string },
): SessionWork {
	const timeline = readBriefly(slice, { cwd });
	const { waits, next } = openOf({ outcome: timeline.outcome, ...nextOf(openActions(timeline)) });
	const topic = topicOf(timeline);
	const step = topic || isTitled ? undefined : lastStep(lastTurn(timeline.turns), ENGLISH);
	return {
		title: shownLine(topic?.text ?? step ?? ""),
		source: topic?.source ?? "step",
		waits,
		next: next && { kind: next.kind, text: shownLine(next.text) },
	};
}

/** Compiles the large patterns that listing sessions needs, which takes 15 ms. The engine compiles a pattern when it is used. */
export function warmUp(): void {
	for (const text of ["Commit it?", "Please run it."]) {
		redact(text);
		foldCase(text);
	}
}
