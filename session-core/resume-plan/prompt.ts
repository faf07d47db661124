import { artifactName } from "../recap/artifacts.ts";
import type { SessionRecord } from "../recap/record.ts";
import { inTags } from "../text/fence.ts";
import { cleanText } from "../text/sanitize.ts";

/** Phrases that tell the agent the state of the work, in the user's voice. */
const OUTCOMES: Partial<Record<SessionRecord["outcome"], string>> = {
	waiting: "you were waiting for my answer",
	aborted: "the last run was aborted",
	error: "the last run failed",
	running: "the last run was interrupted",
};

/** Returns the first instruction to use if no step was chosen: the record's own instruction or, if it has none, the record's first step. */
export function beginningOf({ resume_hint: hint, next_actions: [first] }: SessionRecord): string | undefined {
	return hint?.seed_instruction.trim() || first;
}

/** Whether resuming the record's session creates a fork instead of continuing the original. */
export function isBranching({ resume_hint: hint }: SessionRecord): boolean {
	return hint?.branch_on_resume === true;
}

/** Whether a next step is a question to the user, which only the user can answer. */
export function isQuestion(action: string): boolean {
	return /[?？]["'”’)）]*$/.test(action);
}

/** Matches an initial character that makes the host treat a prompt as an option, a file to read or a command. */
const TAKEN = /^[-@/!]/;

/** Changes a text so that the host treats it as a prompt, whatever its first character is. */
export function asWords(text: string): string {
	const words = cleanText(text).trim();
	return TAKEN.test(words) ? `Go on: ${words}` : words;
}

/**
 * Returns a next step as a prompt for a session that already contains the context. A question is quoted, with room for the user's answer
 * below it.
 */
export function stepPrompt(action: string): string {
	return isQuestion(action) ? `> ${action}\n\n` : asWords(action);
}

/**
 * Returns a next step with the context that it needs. The context is enclosed in tags, so that later recaps do not treat it as the user's
 * words. `isFresh`: the prompt is for a new session, so it says what happened before. Without a step, only the context is returned.
 */
export function resumePrompt(
	recap: SessionRecord,
	action: string | undefined,
	{ isFresh = false }: { isFresh?: boolean } = {},
): string {
	const happened = isFresh ? recap.bullets.map((bullet) => `- ${bullet}`) : [];
	const context = [...contextOf(recap, action), ...happened];
	const fenced = context.length === 0 ? [] : [inTags("context", context.join("\n"))];
	if (action === undefined) return [...fenced, "", ""].join("\n");
	if (isQuestion(action)) return [...fenced, stepPrompt(action)].join("\n");
	return [`Go on: ${action}`, ...(fenced.length === 0 ? [] : ["", ...fenced])].join("\n");
}

/** The content of the first prompt of a new session for which the user states a goal. */
export interface Handover {
	goal: string;
	/** Lines of the conversation that are relevant to the goal, safe to show, most relevant first. */
	related: readonly string[];
	/** The id of the previous session for `session_read`; undefined if that session is not saved. */
	session: string | undefined;
}

/** Returns the first prompt of a new session: the recap, the relevant lines, instructions for reading more, and finally the goal. */
export function goalPrompt(recap: SessionRecord, { goal, related, session }: Handover): string {
	const context = [
		...contextOf(recap, undefined),
		...recap.bullets.map((bullet) => `- ${bullet}`),
		...(related.length === 0
			? []
			: ["From the earlier session, most relevant first:", ...related.map((line) => `- ${line}`)]),
		...(session === undefined ? [] : [`Read more: session_read {"session": "${session}"}`]),
	];
	return `${inTags("context", context.join("\n"))}\n\n${cleanText(goal).trim()}`;
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
