/** Headings under which summaries name what is wanted. */
const GOAL = /^#+\s.*(?:goal|objective|task|request|intent|목표|목적|目标|目標|目的|objetivo|ziel|objectif)/i;

/** What a compaction or branch summary calls the goal: the lines below its first such heading; placeholders are none. */
export function goalOf(summary: string | undefined): string | undefined {
	if (summary === undefined) return undefined;
	const lines = summary.slice(0, 4_000).split("\n");
	const start = lines.findIndex((line) => GOAL.test(line));
	if (start < 0) return undefined;
	const end = lines.findIndex((line, index) => index > start && /^#+\s/.test(line));
	const goals = lines
		.slice(start + 1, end < 0 ? start + 8 : end)
		.map((line) => line.replace(/^\s*(?:[-*]|\d+\.)\s+/, "").trim())
		.filter((line) => line !== "" && !/^[([]?no(?:ne\b| specific| goal|t )/i.test(line));
	return goals.length > 0 ? goals.join("\n") : undefined;
}
