import { shareIn, termsOf } from "../digest/terms.ts";
import { substance } from "../digest/voice.ts";
import { displayWidth } from "../text/clip.ts";
import { LABELS, NO_OUTPUT, UNCHANGED } from "./labels.ts";
import type { Recap } from "./record.ts";
import { concreteness } from "./relevance.ts";
import { wholeThought } from "./wording.ts";

export const LINE_COLUMNS = 160;

const CHECKS: Partial<Record<Recap["checks"], string>> = {
	passed: "checks passed",
	failed: "checks failed",
	not_run: "not checked since the last edit",
};

/** One to three short lines for a widget: the task, where it stands, then the next step if the log states one. */
export function recapLines(recap: Recap): string[] {
	const next = recap.next_actions[0];
	return [recap.headline, standing(recap), next === undefined ? "" : `Next: ${nextWords(next)}`].filter(
		(line) => line !== "",
	);
}

/** How it stands in a sentence, and the most telling thing that happened in another, where both fit. */
function standing(recap: Recap): string {
	const state = stateSentences(recap);
	for (const text of tellings(recap)) {
		const room = LINE_COLUMNS - displayWidth(state) - 2;
		const words = wholeThought(text, room);
		if (words !== undefined) return [state, sentence(words)].filter(Boolean).join(" ");
	}
	return state;
}

function stateSentences({ outcome, checks, bullets }: Recap): string {
	const failing = bullets.find((text) => text.startsWith(LABELS.failed))?.slice(LABELS.failed.length);
	const checked = checks === "failed" && failing ? `${CHECKS.failed}: ${failing}` : CHECKS[checks];
	switch (outcome) {
		case "error": {
			const reason = bullets.find((text) => text.startsWith(LABELS.error))?.slice(LABELS.error.length);
			return sentences([reason ? `Failed: ${reason}` : "Failed", checked]);
		}
		case "aborted":
			return sentences([bullets.includes(NO_OUTPUT) ? "Aborted before any output" : "Aborted", checked]);
		case "waiting":
			return sentences(["Waiting for your answer", bullets.includes(UNCHANGED) ? UNCHANGED : checked]);
		case "running":
			return sentences(["Interrupted in the middle of a run", checked]);
		case "done":
			return sentences([checked]);
	}
}

/** Two short facts share a sentence; a long one stands alone. */
function sentences(facts: readonly (string | undefined)[]): string {
	const [first, second] = facts.filter((fact) => fact !== undefined);
	if (first === undefined) return "";
	if (second === undefined) return sentence(first);
	if (/[:.]/.test(`${first}${second}`)) return `${sentence(first)} ${sentence(second)}`;
	return sentence(`${first}, ${lower(second)}`);
}

/** What happened, most telling first: what the reply says, then what the log shows. */
function tellings({ headline, bullets, checks, outcome }: Recap): string[] {
	const title = termsOf(headline);
	const isNews = (text: string): boolean => shareIn(termsOf(text), title) <= 0.7;
	const said = bullets.filter((text) => !isLabelled(text) && isNews(text));
	const ranked = said.map((text, index) => ({ text, worth: worth(text, title) - index * 0.06 }));
	const told = ranked.toSorted((a, b) => b.worth - a.worth).map(({ text }) => text);
	const asked = bullets.find((text) => text.startsWith(LABELS.asked))?.slice(LABELS.asked.length);
	const failed = bullets.filter((text) => text.startsWith(LABELS.failed) && checks !== "failed");
	const shown = bullets.flatMap((text) => {
		if (text.startsWith(LABELS.replied)) {
			const reply = `he reply was “${text.slice(LABELS.replied.length)}”`;
			return [asked ? `Last asked “${asked}”, t${reply}` : `T${reply}`];
		}
		if (!isNews(text.replace(/^[^:]*: /, ""))) return [];
		if (text.startsWith(LABELS.committed)) return [`Committed “${text.slice(LABELS.committed.length)}”`];
		if (text.startsWith(LABELS.lastRan)) return [`The last command was ${text.slice(LABELS.lastRan.length)}`];
		if (text.startsWith(LABELS.branch)) return [`On branch ${text.slice(LABELS.branch.length)}`];
		if (text.startsWith(LABELS.uncommitted))
			return [`Not committed: ${text.slice(LABELS.uncommitted.length)}`];
		return [];
	});
	// What stands in the way of a run that was cut short says more than what it meant to do.
	return isCut(outcome) ? [...failed, ...told, ...shown] : [...told, ...shown, ...failed];
}

function isCut(outcome: Recap["outcome"]): boolean {
	return outcome === "aborted" || outcome === "running";
}

/** How much a bullet tells on its own: a sentence with names, numbers and the task's words more than a list or a few words. */
function worth(text: string, title: ReadonlySet<string>): number {
	const listed = text.includes(" · ") ? 0.25 : 0;
	const own = /^(?:i|we|you)\b/i.test(text) ? 0.15 : 0;
	const amount = Math.min(substance(text), 10) * 0.03;
	return concreteness(text) * 0.25 + shareIn(title, termsOf(text)) * 0.4 + amount - listed - own;
}

function isLabelled(text: string): boolean {
	return (
		text === NO_OUTPUT || text === UNCHANGED || Object.values(LABELS).some((label) => text.startsWith(label))
	);
}

/** A next action behind its label, without a label of its own. */
function nextWords(action: string): string {
	const resent = action.match(/^Resend: (.*)$/)?.[1];
	return resent === undefined ? action.replace(/^Continue: /, "") : `resend “${resent}”`;
}

function sentence(text: string): string {
	const first = /^\p{Ll}+(?:\s|,|:|$)/u.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;
	return /[.!?…。！？]["')”]*$/u.test(first) ? first : `${first}.`;
}

function lower(text: string): string {
	return /^\p{Lu}\p{Ll}+\s/u.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}
