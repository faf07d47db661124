/**
 * Finds the goal that a compaction or branch summary names. Statements about the state of the work are ignored, because they are often
 * outdated.
 */

/** Matches the heading above the goal. The host instructs its model to write `## Goal`; other hosts use a similar word. */
const GOAL = /^#+\s.*\b(?:goal|objective|task|request|intent)\b/i;
const HEADING = /^#+\s+(.*)$/;
/** Matches symbols and words which show that a line describes the state of the work rather than a goal. */
const STATUS =
	/[✅☑✔❌✗☐]|\[[ xX]\]|\((?:NEXT|DONE|IN PROGRESS|TODO)\)|\b(?:completed?|done|in progress|current(?:ly)? (?:state|status))\b/i;
const READ = 6_000;
const GOAL_BOUND = 420;

export function goalOf(summary: string | undefined): string | undefined {
	if (summary === undefined) return undefined;
	const lines = summary.slice(0, READ).split("\n");
	const at = lines.findIndex((line) => GOAL.test(line) && !STATUS.test(line));
	const found = at >= 0 ? section(lines, at + 1) : opening(lines);
	return found === "" ? undefined : found.slice(0, GOAL_BOUND).trim();
}

function section(lines: readonly string[], start: number): string {
	const end = lines.findIndex((line, index) => index >= start && HEADING.test(line));
	return aims(lines.slice(start, end < 0 ? start + 8 : end));
}

/** Returns the title and the first sentence of a summary that has no heading for the goal. */
function opening(lines: readonly string[]): string {
	const title = lines.map((line) => HEADING.exec(line)?.[1]).find((text) => text !== undefined) ?? "";
	const first = lines.find(
		(line) => line.trim() !== "" && !HEADING.test(line) && !/^\s*(?:[-*|`]|\d+\.)/.test(line),
	);
	return aims([title.replace(/^[\w ]{0,30}:\s+/, ""), first ?? ""]);
}

function aims(lines: readonly string[]): string {
	return lines
		.map((line) =>
			line
				.replace(/^\s*(?:[-*]|\d+\.)\s+/, "")
				.replace(/\*\*|`/g, "")
				.trim(),
		)
		.filter((line) => line !== "" && !STATUS.test(line) && !/^[([]?no(?:ne\b| specific| goal|t )/i.test(line))
		.map((line) => (/[.!?。:]$/.test(line) ? line : `${line}.`))
		.join(" ")
		.replace(/\.$/, "");
}
