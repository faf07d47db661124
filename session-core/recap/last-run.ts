/** Finds the last run of a check and quotes its result from the output. */

import { verbatimLine } from "../text/fit-line.ts";
import { programText } from "../timeline/command-text.ts";
import { resultLines, resultOf } from "../timeline/result.ts";
import { editedPaths, stepsOf } from "../timeline/turn.ts";
import type { Step, Timeline } from "../timeline/types.ts";
import type { SessionRecord } from "./record.ts";

/** A run counts as outdated after this many turns. */
const REACH = 3;

export interface Run {
	command: string;
	line: string;
	/** Whether the run passed, according to the runner; undefined if the runner does not say. */
	passed: boolean | undefined;
	/** The files that were edited after the run. */
	editedAfter: string[];
}

/** Returns the newest run that does more than read data and whose output shows a result. */
export function lastRun({ turns }: Pick<Timeline, "turns">): Run | undefined {
	const steps = turns.slice(-REACH).flatMap(stepsOf);
	const lastCall = steps.findLast(({ kind }) => kind === "call");
	let isOutdated = false;
	let gitWorked = false;
	for (const [index, step] of [...steps.entries()].reverse()) {
		// A commit concludes the work before it, so runs before the commit are not considered.
		if (step.outcome === "ok" && /\bgit\b[^\n;&|]*\bcommit\b/.test(step.command ?? "")) return undefined;
		const program = programText(step.command ?? step.name);
		const isGit = GIT.test(program);
		gitWorked ||= isGit && step.outcome === "ok" && !step.looks;
		// A failed read says how the work ended if nothing was called after it.
		const isFinal = step === lastCall && step.command === undefined && step.outcome === "failed";
		if (!isFinal && !isRun(step, isGit)) continue;
		const result = resultOf(step);
		const isBad = step.outcome === "failed" || result?.passed === false;
		// For a failure, the first error is the most informative line.
		const line = isBad ? resultLines(step)[0]?.text : result?.text;
		// A later run succeeded without printing a result, so the reported failure may be outdated.
		if (line === undefined || (isBad && (isOutdated || (isGit && gitWorked)))) {
			isOutdated ||= line === undefined;
			continue;
		}
		const after = steps.slice(index + 1);
		return {
			command: verbatimLine(step.command === undefined ? `${step.name} ${step.argument}` : program),
			line: verbatimLine(line),
			passed: isBad ? false : result?.passed,
			editedAfter: editedPaths(after),
		};
	}
	return undefined;
}

const GIT = /^(?:git|gh)\b/;

/** Whether the step counts as a run. Of git commands, only failed ones count, because successful ones are shown as commits. */
function isRun(step: Step, isGit: boolean): boolean {
	if (step.looks || step.outcome === "pending" || step.outcome === "cancelled") return false;
	if (step.command === undefined) return step.outcome === "ok" && step.edits.length === 0;
	return step.outcome === "failed" || !isGit;
}

/** Returns a record's `checks` and `evidence` fields, provided that an exit status or the runner's summary shows the result. */
export function checksOf(timeline: Pick<Timeline, "turns">): Pick<SessionRecord, "checks" | "evidence"> {
	const run = lastRun(timeline);
	if (!run || run.passed === undefined) return {};
	const evidence = [{ command: run.command, line: run.line, edits_after: run.editedAfter.length }];
	// An edit after the run may have changed the result, so only the evidence is returned.
	return run.editedAfter.length > 0 ? { evidence } : { checks: run.passed ? "passed" : "failed", evidence };
}
