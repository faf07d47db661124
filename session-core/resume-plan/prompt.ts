import { artifactName } from "../recap/artifacts.ts";
import type { SessionRecord } from "../recap/record.ts";
import { fenced } from "../text/fence.ts";
import { cleanText } from "../text/sanitize.ts";

/** How the state reads to the agent; it is the user who speaks. */
const OUTCOMES: Partial<Record<SessionRecord["outcome"], string>> = {
	waiting: "you were waiting for my answer",
	aborted: "the last run was aborted",
	error: "the last run failed",
	running: "the last run was interrupted",
};

/** What resuming begins with where no step is named: what the record says, else its first step. */
export function beginningOf({ resume_hint: hint, next_actions: [first] }: SessionRecord): string | undefined {
	return hint?.seed_instruction.trim() || first;
}

/** Whether resuming the record's session goes on in a fork of it. */
export function isBranching({ resume_hint: hint }: SessionRecord): boolean {
	return hint?.branch_on_resume === true;
}

/** Whether a next step is a question to the user: nobody but they can take it. */
export function isQuestion(action: string): boolean {
	return /[?？]["'”’)）]*$/.test(action);
}

/** The host would take a prompt that begins like this for an option, a file to read or a command. */
const TAKEN = /^[-@/!]/;

/** Words that the host takes for a prompt, whatever they begin with. */
export function asWords(text: string): string {
	const words = cleanText(text).trim();
	return TAKEN.test(words) ? `Go on: ${words}` : words;
}

/** A next step as a prompt for a session that holds its context. A question is quoted, with room for the answer below it. */
export function stepPrompt(action: string): string {
	return isQuestion(action) ? `> ${action}\n\n` : asWords(action);
}

/**
 * A next step with the context that it needs. The context stands in tags: those are not the user's words, and later recaps
 * know that. `isFresh`: for a new session, with what happened. Without a step, only the context is left.
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

/** What a new session needs for a goal. */
export interface Handover {
	goal: string;
	/** What of the conversation bears on the goal: lines that may be shown, most relevant first. */
	related: readonly string[];
	/** The session it comes from, as `session_read` finds it; undefined: it is not saved. */
	session: string | undefined;
}

/** A first prompt for a new session: the recap, what bears on the goal, where to read more, and the goal last. */
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
