import type { Shown } from "./claims.ts";
import type { CommandFact } from "./commands.ts";
import type { Checks } from "./types.ts";

/** One command in the order of the log. */
export interface Run {
	fact: CommandFact;
	turn: number;
	order: number;
}

/**
 * Checks after the last edit, by the newest verdict of each check command: one that failed and was not run again outweighs any
 * number that passed. A check whose result the log hides counts as not run.
 */
export function judgeChecks(runs: readonly Run[], lastEdit: number): Checks {
	const latest = new Map<string, CommandFact>();
	for (const { fact, order } of runs) if (fact.isCheck && order > lastEdit) latest.set(checkName(fact.command), fact);
	const verdicts = [...latest.values()].map((fact) => fact.verdict);
	if (verdicts.includes("failed")) return "failed";
	if (verdicts.includes("passed")) return "passed";
	return lastEdit >= 0 || runs.some(({ fact }) => fact.isCheck) ? "not_run" : "none";
}

/** A check by what it runs, whatever is done with its output. */
function checkName(command: string): string {
	return command
		.replace(/^\s*cd\s+\S+\s*(?:&&|;)\s*/, "")
		.replace(/\s*\d?>&?\s*\S+/g, "")
		.replace(/\s*\|.*$/s, "")
		.trim();
}

/** What the log shows to have succeeded. A commit counts only while nothing was edited after it. */
export function shownBy(runs: readonly Run[], lastEdit: number): Shown {
	const did = (pattern: RegExp, after = -1): boolean =>
		runs.some(({ fact, order }) => fact.outcome === "ok" && order > after && pattern.test(fact.command));
	return {
		checks: judgeChecks(runs, lastEdit) === "passed",
		committed: did(/\bgit\b[^\n]*\bcommit\b/, lastEdit),
		pushed: did(/\bgit\b[^\n]*\bpush\b|\bgh repo create\b[^\n]*--push/),
		merged: did(/\bgit\b[^\n]*\b(?:merge|pull)\b|\bgh pr merge\b|\bglab mr merge\b/),
		published: did(/\b(?:publish|deploy|release)\b|\bgh (?:api|release|workflow)\b|\bgit\b[^\n]*\bpush\b/),
	};
}
