/** Finds the last run of a check and quotes its result from the output. */

import { verbatimLine } from "../text/fit-line.ts";
import { baseName } from "../text/paths.ts";
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
	let isOutdated = false;
	let gitWorked = false;
	for (const [index, step] of [...steps.entries()].reverse()) {
		// A commit concludes the work before it, so runs before the commit are not considered.
		if (step.outcome === "ok" && /\bgit\b[^\n;&|]*\bcommit\b/.test(step.command ?? "")) return undefined;
		const program = programText(step.command ?? step.name);
		const isGit = GIT.test(program);
		gitWorked ||= isGit && step.outcome === "ok" && !step.looks;
		if (!isRun(step, isGit)) continue;
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
		if (isBad && isProbe(step, result?.kind, after)) continue;
		return {
			command: verbatimLine(step.command === undefined ? `${step.name} ${step.argument}` : program),
			line: verbatimLine(line.replace(TAGS, "$2")),
			passed: isBad ? false : result?.passed,
			editedAfter: editedPaths(after),
		};
	}
	return undefined;
}

/**
 * Whether a failed step only showed the agent that this way does not work: a failed read before the same tool succeeded or a file was
 * edited, or an error that is no check's verdict before edits of files that the error does not name.
 */
function isProbe(step: Step, kind: string | undefined, after: readonly Step[]): boolean {
	const { name: tool, looks, command = "", output } = step;
	const edited = editedPaths(after).map((path) => baseName(path).replace(/\.\w+$/, ""));
	if (looks) return edited.length > 0 || after.some(({ name, outcome }) => name === tool && outcome === "ok");
	const isVerdict = kind === "count" || kind === "verdict";
	return !isVerdict && edited.length > 0 && !edited.some((name) => `${command}\n${output}`.includes(name));
}

const GIT = /^(?:git|gh)\b/;

/** Matches a line that is enclosed in tags. Some tools print their summary this way. */
const TAGS = /^<([\w-]+)(?:\s[^<>]*)?>(.*)<\/\1>$/;

/**
 * Whether the step counts as a run. A failed read counts, but a failed edit does not. Of git commands, only failed ones count, because
 * successful ones are shown as commits.
 */
function isRun(step: Step, isGit: boolean): boolean {
	if (step.outcome === "pending" || step.outcome === "cancelled") return false;
	if (step.looks) return step.outcome === "failed" && step.command === undefined;
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
