/** The steps of a turn as lines: which are shown at all, which are taken together, and in how much detail. */

import { openingLine, safeLine } from "../text/quote.ts";
import { editLines, LOOK, lookLine, runLine, tellingOf } from "./render-step.ts";
import { callKey, isStep } from "./turn.ts";
import type { Remark, Step, Turn } from "./types.ts";

export interface Room {
	/** Characters of the request, of a step, of what the agent said, and of what it answered. */
	request: number;
	step: number;
	remark: number;
	reply: number;
	/** Of what an edit changed; 0: only how many lines. */
	edit: number;
}

/** Steps as lines: looking summed up, edits of one file merged up to the next run, everything else with its telling lines. */
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
	// Where no reply tells, the last words on the way do.
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

/** Calls that were made again before anything was edited: what is only waited for tells once. */
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

/** Runs of the last turn that say where it stands: their results are shown in more detail. */
const NEWEST = 3;

function newestRuns(steps: readonly (Step | Remark)[]): (Step | Remark)[] {
	return steps
		.filter((one) => isStep(one) && !isLook(one) && one.output !== "" && one.edits.length === 0)
		.slice(-NEWEST);
}

/** What the agent says of a call that it is about to make; the call says it, too. */
function isLeadIn(text: string): boolean {
	return (
		text.length < 160 && (/[:：]\s*$/.test(text) || !/[.。]\s+\S|\n/.test(text)) && !/\d|[✓✗✅❌]/.test(text)
	);
}

function isLook(step: Step): boolean {
	return step.looks && step.outcome === "ok" && step.kind === "call" && !isTelling(step);
}

/** Looking whose result is a figure or a state of the repository says something itself. */
function isTelling(step: Step): boolean {
	return (
		/\bgit\b[^\n;&|]*\b(?:status|log)\b|\bwc\b/.test(step.command ?? "") &&
		tellingOf(step, 1, LOOK).length > 0
	);
}
