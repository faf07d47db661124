/** What was run last and how it went, in the log's words. */

import { resultOf, tellingLines } from "../output/telling.ts";
import { programText } from "../shell/command-text.ts";
import { literal } from "../text/statement.ts";
import { editedPaths, stepsOf } from "../timeline/turn.ts";
import type { Step, Timeline } from "../timeline/types.ts";
import type { Recap } from "./record.ts";

/** Turns back in which a run still says how things stand. */
const REACH = 3;

export interface Run {
	command: string;
	line: string;
	/** The runner's own word; undefined where it shows neither. */
	passed: boolean | undefined;
	/** Files edited after it. */
	editedAfter: string[];
}

/** The newest run of something that does more than look, and whose result tells how it went. */
export function newestRun({ turns }: Pick<Timeline, "turns">): Run | undefined {
	const steps = turns.slice(-REACH).flatMap(stepsOf);
	let isOutdated = false;
	let gitWorked = false;
	for (const [index, step] of [...steps.entries()].reverse()) {
		// A commit closes what was run before it.
		if (step.outcome === "ok" && /\bgit\b[^\n;&|]*\bcommit\b/.test(step.command ?? "")) return undefined;
		const program = programText(step.command ?? step.name);
		const isGit = GIT.test(program);
		gitWorked ||= isGit && step.outcome === "ok" && !step.looks;
		if (!isRun(step, isGit)) continue;
		const result = resultOf(step);
		const isBad = step.outcome === "failed" || result?.passed === false;
		// Of a failure, its first error says most.
		const line = isBad ? tellingLines(step)[0]?.text : result?.text;
		// Something went well since, though it printed no result: a failure before it says nothing of how things stand.
		if (line === undefined || (isBad && (isOutdated || (isGit && gitWorked)))) {
			isOutdated ||= line === undefined;
			continue;
		}
		return {
			command: literal(step.command === undefined ? `${step.name} ${step.argument}` : program),
			line: literal(line.replace(TAGS, "$2")),
			passed: isBad ? false : result?.passed,
			editedAfter: editedPaths(steps.slice(index + 1)),
		};
	}
	return undefined;
}

const GIT = /^(?:git|gh)\b/;

/** Tools that answer in tags put them around the summary, too. */
const TAGS = /^<([\w-]+)(?:\s[^<>]*)?>(.*)<\/\1>$/;

/** A look that failed says something, too, but no edit that did; what git did is told by its commits, what it refused until it worked. */
function isRun(step: Step, isGit: boolean): boolean {
	if (step.outcome === "pending" || step.outcome === "cancelled") return false;
	if (step.looks) return step.outcome === "failed" && step.command === undefined;
	if (step.command === undefined) return step.outcome === "ok" && step.edits.length === 0;
	return step.outcome === "failed" || !isGit;
}

/** The record's checks, only where exit status or a runner's own summary shows them, with that line beside them. */
export function checksOf(timeline: Pick<Timeline, "turns">): Pick<Recap, "checks" | "evidence"> {
	const run = newestRun(timeline);
	if (!run || run.passed === undefined) return {};
	const evidence = [{ command: run.command, line: run.line, edits_after: run.editedAfter.length }];
	// What was edited since may have changed it.
	return run.editedAfter.length > 0 ? { evidence } : { checks: run.passed ? "passed" : "failed", evidence };
}
