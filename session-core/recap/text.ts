import type { Recap } from "./record.ts";

export { recapLines } from "./lines.ts";

/** How an outcome reads; "done" and "running" go without saying. */
const OUTCOMES: Partial<Record<Recap["outcome"], string>> = {
	waiting: "Waiting for your answer",
	aborted: "Aborted",
	error: "Failed",
	running: "Interrupted in the middle of a run",
};

const CHECKS: Partial<Record<Recap["checks"], string>> = {
	passed: "checks passed",
	failed: "checks failed",
	not_run: "not checked since the last edit",
};

/** Outcome and checks in one line; empty where there is nothing to say. */
export function stateLine(recap: Pick<Recap, "outcome" | "checks">): string {
	return [OUTCOMES[recap.outcome], CHECKS[recap.checks]].filter(Boolean).join(" · ");
}

/** The whole recap as plain text: what a card shows, with each artifact by its locator. */
export function recapText(recap: Recap): string {
	return [
		recap.headline,
		stateLine(recap),
		...recap.bullets.map((bullet) => `- ${bullet}`),
		...recap.next_actions.map((action) => `Next: ${action}`),
		...recap.artifacts.map((artifact) => artifact.locator),
	]
		.filter((line) => line !== "")
		.join("\n");
}
