import type { Calls, Rates } from "../log/index.ts";
import { artifactName, type NextStep, openOf, type ParentJob, type SessionRecord } from "../recap/index.ts";
import { cleanText, costText, estimateTokens, inTags, safeSessionId } from "../text/index.ts";

/** The phrases with which the user's prompt tells the agent how the work ended. */
const OUTCOMES: Partial<Record<SessionRecord["outcome"], string>> = {
	waiting: "you were waiting for my answer",
	aborted: "the last run was aborted",
	error: "the last run failed",
	running: "the last run was interrupted",
};

/** Returns whether the record's session is resumed in a fork instead of in the original session. */
export function isBranching({ resume_hint: hint }: SessionRecord): boolean {
	return hint?.branch_on_resume === true;
}

/**
 * Returns whether an open item may be sent as the user's prompt. A question, a request or an offer needs the user's answer, and a
 * suggestion is only a model's idea or a quotation.
 */
export function isSendable({ kind }: NextStep): boolean {
	return kind === "step" || kind === "cut_short";
}

/** Returns whether an open item is worded like a user's prompt. All other items are in the agent's words. */
function isPrompt(point: NextStep): boolean {
	return isSendable(point) || point.kind === "suggestion";
}

export function whyNotSent(kind: NextStep["kind"]): string {
	if (kind === "offer") return "the agent offered";
	if (kind === "suggestion") return "the recap suggests";
	return kind === "request" ? "the agent needs you" : "the agent asked";
}

/** Matches first characters with which the host treats a prompt as an option, a file to read, or a command. */
const TAKEN = /^[-@/!]/;

/** Changes a text so that the host treats it as a prompt, whatever its first character is. */
export function asWords(text: string): string {
	const words = cleanText(text).trim();
	return TAKEN.test(words) ? `Go on: ${words}` : words;
}

/** Like {@link asWords}, but for text that is sent immediately. The user's words are changed only by a space in front of them. */
export function onlyWords(text: string): string {
	const words = cleanText(text).trim();
	return TAKEN.test(words) ? ` ${words}` : words;
}

/**
 * Returns the prompt for an open item, without context, because the session already contains it. The agent's words are quoted, and an empty
 * line for the user's answer follows.
 */
export function stepPrompt(point: NextStep): string {
	// The user's own request is returned unchanged, unless it begins with one of the two characters that mean something else in the editor.
	if (point.kind === "cut_short") return /^[/!]/.test(point.text) ? asWords(point.text) : point.text;
	return isPrompt(point) ? asWords(point.text) : `> ${point.text}\n\n`;
}

/**
 * Returns a next step with the context that it needs. The context is enclosed in tags, so that later recaps do not take it for the user's
 * words. With `isFresh`, the prompt is for a new session, so it says what happened before. Without a step, only the context is returned.
 */
export function resumePrompt(
	recap: SessionRecord,
	point: NextStep | undefined,
	{ isFresh = false }: { isFresh?: boolean } = {},
): string {
	const context = contextOf(isFresh ? recap : { ...recap, bullets: [] }, point?.text).join("\n");
	const fenced = context === "" ? [] : [inTags("context", context)];
	if (point === undefined) return [...fenced, "", ""].join("\n");
	if (!isPrompt(point)) return [...fenced, stepPrompt(point)].join("\n");
	return [`Go on: ${point.text}`, ...fenced].join("\n\n");
}

/** The content of the first prompt in a new session for which the user has stated a goal. */
export interface Handover {
	goal: string;
	/** The lines of the conversation that are most relevant to the goal, best first. The lines are safe to show. */
	related: readonly string[];
	session: string | undefined;
}

/** Returns the first prompt of a new session: the recap, the relevant lines, instructions for reading more, and finally the goal. */
export function goalPrompt(recap: SessionRecord, { goal, related, session }: Handover): string {
	const context = [
		...contextOf(recap),
		...(related.length === 0
			? []
			: ["From the earlier session, most relevant first:", ...related.map((line) => `- ${line}`)]),
		...(session === undefined
			? []
			: [`Read more: session_read {"session": ${JSON.stringify(safeSessionId(session))}}`]),
	];
	return `${inTags("context", context.join("\n"))}\n\n${cleanText(goal).trim()}`;
}

function contextOf(
	{ headline, outcome, evidence, artifacts, bullets }: SessionRecord,
	action?: string,
): string[] {
	const [run] = evidence ?? [];
	const shown = run && `last run: ${run.command} → ${run.line}${run.edits_after > 0 ? ", then edited" : ""}`;
	const state = [OUTCOMES[outcome], shown].filter(Boolean).join("; ");
	const names = artifacts.map(artifactName).join(", ");
	return [
		headline === action ? "" : headline && `Task: ${headline}`,
		state && `State: ${state}`,
		names && `See: ${names}`,
		...bullets.map((bullet) => `- ${bullet}`),
	].filter((line) => line !== "");
}

/** Tells a new pi process what to insert into the editor: the session's next step, or a prompt. */
export const RESUME_VARIABLE = "PI_SESSION_SUITE_RESUME";
/** Tells a new job which job it continues. The value is that job's session id and record id, separated by a slash. */
export const RESUMED_FROM_VARIABLE = "PI_SESSION_SUITE_RESUMED_FROM";

/**
 * What a new pi process inserts into the editor. `next` stands for the session's next step, `record` for the next step of the record with
 * this id, and `text` for this text. `entry` stands for the complete prompt in the entry with this id, in the session from which the opened
 * session was forked. `handover` stands for the prompt that continues a session that pi cannot open, given as `id:path`.
 */
export interface Waiting {
	type: "next" | "record" | "text" | "entry" | "handover";
	value: string;
}

/** Parses the variable's value (`type:value`). Returns undefined for any other text. */
export function readWaiting(variable = ""): Waiting | undefined {
	const [, type, value = ""] = /^(next|record|text|entry|handover)(?::|$)(.*)$/s.exec(variable) ?? [];
	return type === undefined ? undefined : { type: type as Waiting["type"], value };
}

export function resumedJob(variable = ""): ParentJob | undefined {
	const [, parent_job_id, resumed_from_recap_id] = /^([\w.-]{1,100})\/([\w.-]{1,100})$/.exec(variable) ?? [];
	if (parent_job_id === undefined || resumed_from_recap_id === undefined) return undefined;
	return { parent_job_id, resumed_from_recap_id };
}

/** Providers keep a context in their cache for this number of milliseconds after its last use. */
const CACHE_MS = 5 * 60_000;

/** Prices below this amount are not shown. */
const LEAST = 0.0001;

/**
 * Returns what the first call costs if a session is resumed, and if it is continued in a new session. The prices in the session's replies
 * are more exact than the model's price table, because prices may depend on the length of the context. The table is used only for prices
 * that the replies do not show. Empty if the price is unknown or 0. `fresh` is the text's name for the new session.
 */
export function resumePriceText(
	{ calls, record }: { calls?: Calls | undefined; record: SessionRecord | undefined },
	now: number,
	table: Rates = {},
	fresh = "--fresh",
): string {
	if (!calls) return "";
	const { input = 0, cacheRead = 0, cacheWrite = 0 } = { ...table, ...calls.rates };
	const rate = (calls.isWritten && cacheWrite) || input;
	const cached = now - calls.at < CACHE_MS ? calls.cached : 0;
	const price = cached * cacheRead + (calls.context - cached) * rate;
	if (!(price >= LEAST)) return "";
	const prompt = record ? resumePrompt(record, openOf(record).next, { isFresh: true }) : "";
	const inNew = calls.overhead === undefined ? 0 : (calls.overhead + estimateTokens(prompt)) * rate;
	const isCheaper = inNew >= LEAST && inNew < price / 2;
	return `resume ≈ ${costText(price)}${isCheaper ? `, or ${fresh} ≈ ${costText(inNew)}` : ""}`;
}
