/** Renders the steps of a turn: decides which are shown, which are merged, and in how much detail. */

import { openingLine, safeLine } from "../text/quote.ts";
import { editLines, informativeLines, LOOK, lookLine, runLine } from "./render-step.ts";
import { callKey, isStep } from "./turn.ts";
import type { Remark, Step, Turn } from "./types.ts";

export interface Room {
	/**
	 * Maximum number of characters of the request, of each step, of each text that the agent wrote between steps, and of the agent's reply.
	 */
	request: number;
	step: number;
	remark: number;
	reply: number;
	/** Maximum number of characters for the changes that an edit made. If 0, only the line counts are shown. */
	edit: number;
}

/**
 * Returns the steps as lines. Within a sequence of reads and edits, the reads are combined and the edits of the same file are merged. Every
 * other step is represented by its most informative lines.
 */
export function stepLines({ steps, reply }: Turn, room: Room, isLast: boolean): string[] {
	const lines: string[] = [];
	let looked: Step[] = [];
	let edited: Step[] = [];
	const flush = (): void => {
		if (looked.length > 0) lines.push(lookLine(looked));
		lines.push(...editLines(edited, room.edit));
		edited = [];
		looked = [];
	};
	// If there is no reply, the last text between the steps is used instead.
	const lastRemark = reply === undefined ? steps.findLastIndex((one) => !isStep(one)) : -1;
	const newest = isLast ? newestRuns(steps) : [];
	const again = repeated(steps);
	for (const [index, one] of steps.entries()) {
		if (!isStep(one)) {
			if (index !== lastRemark && isLeadIn(one.text)) continue;
			if (index === lastRemark) flush();
			const length = room.remark * (index === lastRemark ? 3 : 1.5);
			const isWhole = isLast && lastRemark >= 0;
			lines.push(`AGENT: ${isWhole ? safeLine(one.text, length) : openingLine(one.text, room.remark)}`);
		} else if (again.has(one)) continue;
		else if (isLook(one)) looked.push(one);
		else if (one.outcome === "ok" && one.edits.length > 0 && one.command === undefined) edited.push(one);
		else {
			flush();
			lines.push(runLine(one, room.step, newest.includes(one)));
		}
	}
	flush();
	return lines;
}

/**
 * Returns the calls that are repeated later with no edit in between. One line is enough for all repetitions of such a call, because the
 * agent is only waiting for something.
 */
function repeated(steps: readonly (Step | Remark)[]): ReadonlySet<Step | Remark> {
	const found = new Set<Step>();
	const later = new Set<string>();
	for (const one of steps.toReversed()) {
		if (!isStep(one)) continue;
		if (one.edits.length > 0) later.clear();
		else if (later.has(callKey(one))) found.add(one);
		else later.add(callKey(one));
	}
	return found;
}

/** Number of most recent runs whose results are shown in more detail than those of earlier runs, because they show the current state. */
const NEWEST = 3;

function newestRuns(steps: readonly (Step | Remark)[]): (Step | Remark)[] {
	return steps
		.filter((one) => isStep(one) && !isLook(one) && one.output !== "" && one.edits.length === 0)
		.slice(-NEWEST);
}

/** Whether a text only announces a call and therefore adds no information. */
function isLeadIn(text: string): boolean {
	return (
		text.length < 160 && (/[:：]\s*$/.test(text) || !/[.。]\s+\S|\n/.test(text)) && !/\d|[✓✗✅❌]/.test(text)
	);
}

function isLook(step: Step): boolean {
	return step.looks && step.outcome === "ok" && step.kind === "call" && !isInformativeRead(step);
}

/** Whether the result of a read-only step is itself informative: a figure, or the state of the repository. */
function isInformativeRead(step: Step): boolean {
	return (
		/\bgit\b[^\n;&|]*\b(?:status|log)\b|\bwc\b/.test(step.command ?? "") &&
		informativeLines(step, 1, LOOK).length > 0
	);
}
