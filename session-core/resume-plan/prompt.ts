import { artifactName } from "../recap/artifacts.ts";
import type { Recap } from "../recap/record.ts";

/** How the state reads to the agent; it is the user who speaks. */
const OUTCOMES: Partial<Record<Recap["outcome"], string>> = {
	waiting: "you were waiting for my answer",
	aborted: "the last run was aborted",
	error: "the last run failed",
	running: "the last run was interrupted",
};

/** What resuming begins with where no step is named: what the record says, else its first step. */
export function beginningOf({ resume_hint: hint, next_actions: [first] }: Recap): string | undefined {
	return hint?.seed_instruction.trim() || first;
}

/** Whether resuming the record's session goes on in a fork of it. */
export function isBranching({ resume_hint: hint }: Recap): boolean {
	return hint?.branch_on_resume === true;
}

/** Whether a next step is a question to the user: nobody but they can take it. */
export function isQuestion(action: string): boolean {
	return /[?？]["'”’)）]*$/.test(action);
}

/**
 * The prompt that goes on with a next step, with the context that it needs; undefined: with the work as such. A question is
 * quoted, and the answer's place is at the end. The context stands in tags: those are not the user's words, and later
 * recaps know that.
 */
export function resumePrompt(recap: Recap, action: string | undefined): string {
	const context = contextOf(recap, action);
	const fenced = context.length === 0 ? [] : ["<context>", ...context, "</context>"];
	if (action !== undefined && isQuestion(action)) return [...fenced, `> ${action}`, "", ""].join("\n");
	return [`Go on: ${action ?? recap.headline}`, ...(fenced.length === 0 ? [] : ["", ...fenced])].join("\n");
}

/** The same for a session that knows nothing of the work: with what happened. */
export function freshPrompt(recap: Recap, action: string | undefined): string {
	const context = [...contextOf(recap, action ?? ""), ...recap.bullets.map((bullet) => `- ${bullet}`)];
	const fenced = ["<context>", ...context, "</context>"];
	if (action !== undefined && isQuestion(action)) return [...fenced, `> ${action}`, "", ""].join("\n");
	return [`Go on: ${action ?? recap.headline}`, "", ...fenced].join("\n");
}

function contextOf({ headline, outcome, evidence, artifacts }: Recap, action: string | undefined): string[] {
	const [run] = evidence ?? [];
	const shown = run && `last run: ${run.command} → ${run.line}${run.edits_after > 0 ? ", then edited" : ""}`;
	const state = [OUTCOMES[outcome], shown].filter(Boolean).join("; ");
	const names = artifacts.map(artifactName).join(", ");
	return [
		action === undefined || headline === "" ? "" : `Task: ${headline}`,
		state && `State: ${state}`,
		names && `See: ${names}`,
	].filter((line) => line !== "");
}
