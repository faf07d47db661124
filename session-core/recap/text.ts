/** A recap record as plain text, and its state in words. */
import { LABELS, OUTCOMES } from "./labels.ts";
import type { Recap } from "./record.ts";

/** How the session stands; empty where it is simply done. */
export function stateLine({ outcome }: Pick<Recap, "outcome">): string {
	return OUTCOMES[outcome];
}

/** An open point as it is shown: under its own label, or as what is open now. */
export function actionLine(action: string): string {
	return labelOf(action) === "" ? LABELS.open + action : action;
}

/** What resuming begins with: the request or question without its label. */
export function seedOf(action: string): string {
	return action.slice(labelOf(action).length);
}

function labelOf(action: string): string {
	return [LABELS.before, LABELS.resend].find((label) => action.startsWith(label)) ?? "";
}

/** The open points that say something more than the headline. */
export function openPoints({ headline, next_actions }: Pick<Recap, "headline" | "next_actions">): string[] {
	const told = bare(headline);
	return next_actions.filter((action) => {
		const text = bare(action);
		return told === "" || !text.startsWith(told) || text.length > told.length * 1.3;
	});
}

function bare(text: string): string {
	const unlabelled = text.startsWith(LABELS.resend) ? text.slice(LABELS.resend.length) : text;
	return unlabelled
		.toLowerCase()
		.replace(/^\p{L}{1,9}[,，]\s*/u, "")
		.replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The whole recap: what a card shows, with each artifact by its locator. */
export function recapText(recap: Recap): string {
	return [
		recap.headline,
		stateLine(recap),
		...recap.bullets.map((bullet) => `- ${bullet}`),
		...openPoints(recap).map(actionLine),
		...recap.artifacts.map((artifact) => artifact.locator),
	]
		.filter((line) => line !== "")
		.join("\n");
}
