import { artifactName } from "../recap/artifacts.ts";
import type { SessionRecord } from "../recap/record.ts";
import { fenced } from "../text/fence.ts";
import { cleanText } from "../text/sanitize.ts";

/** Describes the state to the agent, in the user's voice. */
const OUTCOMES: Partial<Record<SessionRecord["outcome"], string>> = {
	waiting: "you were waiting for my answer",
	aborted: "the last run was aborted",
	error: "the last run failed",
	running: "the last run was interrupted",
};

/** Returns the first instruction if no step is chosen: the record's own, else its first step. */
export function beginningOf({ resume_hint: hint, next_actions: [first] }: SessionRecord): string | undefined {
	return hint?.seed_instruction.trim() || first;
}

/** Whether resuming the record's session continues in a fork of it. */
export function isBranching({ resume_hint: hint }: SessionRecord): boolean {
	return hint?.branch_on_resume === true;
}

/** Whether a next step is a question to the user, which only they can answer. */
export function isQuestion(action: string): boolean {
	return /[?？]["'”’)）]*$/.test(action);
}

/** The host would interpret a prompt that begins like this as an option, a file to read or a command. */
const TAKEN = /^[-@/!]/;

/** Changes a text so that the host interprets it as a prompt, whatever it begins with. */
export function asWords(text: string): string {
	const words = cleanText(text).trim();
	return TAKEN.test(words) ? `Go on: ${words}` : words;
}

/** Returns a next step as a prompt for a session that contains its context. A question is quoted, with space for the answer below it. */
export function stepPrompt(action: string): string {
	return isQuestion(action) ? `> ${action}\n\n` : asWords(action);
}

/**
 * Returns a next step with the necessary context. The context is enclosed in tags, so that later recaps do not take it for the user's
 * words. `isFresh`: for a new session, so it includes what happened. Without a step, the result contains only the context.
 */
export function resumePrompt(
	recap: SessionRecord,
	action: string | undefined,
	{ isFresh = false }: { isFresh?: boolean } = {},
): string {
	const happened = isFresh ? recap.bullets.map((bullet) => `- ${bullet}`) : [];
	const context = [...contextOf(recap, action), ...happened];
	const fenced = context.length === 0 ? [] : ["<context>", ...context, "</context>"];
	if (action === undefined) return [...fenced, "", ""].join("\n");
	if (isQuestion(action)) return [...fenced, stepPrompt(action)].join("\n");
	return [`Go on: ${action}`, ...(fenced.length === 0 ? [] : ["", ...fenced])].join("\n");
}

/** The content of the first prompt of a new session with a goal. */
export interface Handover {
	goal: string;
	/** Lines of the conversation that are relevant to the goal, safe to show, most relevant first. */
	related: readonly string[];
	/** The previous session, as `session_read` finds it; undefined if it is not saved. */
	session: string | undefined;
}

/** Returns the first prompt of a new session: the recap, the relevant lines, where to read more, and finally the goal. */
export function goalPrompt(recap: SessionRecord, { goal, related, session }: Handover): string {
	const context = [
		...contextOf(recap, undefined),
		...recap.bullets.map((bullet) => `- ${bullet}`),
		...(related.length === 0
			? []
			: ["From the earlier session, most relevant first:", ...related.map((line) => `- ${line}`)]),
		...(session === undefined ? [] : [`Read more: session_read {"session": "${session}"}`]),
	];
	return [
		"<context>",
		fenced(context.join("\n"), ["context"]),
		"</context>",
		"",
		cleanText(goal).trim(),
	].join("\n");
}

function contextOf(
	{ headline, outcome, evidence, artifacts }: SessionRecord,
	action: string | undefined,
): string[] {
	const [run] = evidence ?? [];
	const shown = run && `last run: ${run.command} → ${run.line}${run.edits_after > 0 ? ", then edited" : ""}`;
	const state = [OUTCOMES[outcome], shown].filter(Boolean).join("; ");
	const names = artifacts.map(artifactName).join(", ");
	return [
		headline === action ? "" : headline && `Task: ${headline}`,
		state && `State: ${state}`,
		names && `See: ${names}`,
	].filter((line) => line !== "");
}
