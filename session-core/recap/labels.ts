/** The few fixed words under which the slots of a recap stand. */
export const LABELS = {
	larger: "Larger work: ",
	asked: "You asked: ",
	did: "Did: ",
	said: "Said: ",
	open: "Open: ",
	before: "Open before that: ",
	error: "Error: ",
	resend: "Asked, and cut short: ",
} as const;

/** How an outcome reads; "done" goes without saying. */
export const OUTCOMES = {
	waiting: "Waiting for your answer",
	aborted: "Aborted",
	error: "Failed",
	running: "Interrupted in the middle of a run",
	done: "",
} as const;
