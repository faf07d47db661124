/** The few fixed labels under which facts of the log stand among what was said. */
export const LABELS = {
	asked: "Last asked: ",
	goal: "Goal: ",
	committed: "Committed: ",
	branch: "Branch: ",
	passed: "Passed: ",
	failed: "Failed: ",
	error: "Error: ",
	uncommitted: "Not committed (git status): ",
	lastRan: "Last ran: ",
	replied: "Replied: ",
} as const;

/** A run that was stopped before it said or did anything. */
export const NO_OUTPUT = "No output before the abort";
/** What tells a proposal from a report. */
export const UNCHANGED = "Nothing was changed for it yet";
