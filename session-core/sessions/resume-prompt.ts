import type { Calls, Rates } from "../log/index.ts";
import {
	artifactName,
	type NextStep,
	needsAnswer,
	openOf,
	type ParentJob,
	type SessionRecord,
} from "../recap/index.ts";
import { cleanText, costText, estimateTokens, inTags, safeSessionId } from "../text/index.ts";

const OUTCOMES: Partial<Record<SessionRecord["outcome"], string>> = {
	waiting: "you were waiting for my answer",
	aborted: "the last run was aborted",
	error: "the last run failed",
	running: "the last run was interrupted",
};

function isPrompt(step: NextStep): boolean {
	return !needsAnswer(step) || step.kind === "suggestion";
}

export function whyNotSent(kind: NextStep["kind"]): string {
	if (kind === "offer") return "the agent offered";
	if (kind === "suggestion") return "the recap suggests";
	return kind === "request" ? "the agent needs you" : "the agent asked";
}

/** pi treats a prompt that begins with `-`, `@`, `/` or `!` as an option, a file name or a command. */
const TAKEN = /^[-@/!]/;

/**
 * Adds `Go on:` before text such as `/help` or `-x`, because pi would treat such text as a command or
 * an option.
 */
export function asWords(text: string): string {
	const words = cleanText(text).trim();
	return TAKEN.test(words) ? `Go on: ${words}` : words;
}

/**
 * Adds a space before text such as `/help`, so that pi treats the text as a prompt. Unlike
 * `asWords`, this function adds no words to the user's text.
 */
export function onlyWords(text: string): string {
	const words = cleanText(text).trim();
	return TAKEN.test(words) ? ` ${words}` : words;
}

export function stepPrompt(point: NextStep): string {
	if (point.kind === "cut_short") return /^[/!]/.test(point.text) ? asWords(point.text) : point.text;
	return isPrompt(point) ? asWords(point.text) : `> ${point.text}\n\n`;
}

/**
 * Puts the summary of earlier work in tags, so that later recaps do not mistake the summary for the
 * user's words.
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

export interface Handover {
	goal: string;
	related: readonly string[];
	session: string | undefined;
}

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

/** The environment variable that tells a new pi process which text to insert into its editor. */
export const RESUME_VARIABLE = "PI_SESSION_SUITE_RESUME";
/**
 * The environment variable that tells a new job which job it continues, as a session id and a record id
 * separated by a slash.
 */
export const RESUMED_FROM_VARIABLE = "PI_SESSION_SUITE_RESUMED_FROM";

/**
 * Specifies the text to insert into the editor. Depending on `type`, `value` is a record id, the text
 * itself, the id of an entry in the parent session, or the id and path of another agent's session
 * (`id:path`).
 */
export interface Waiting {
	type: "next" | "record" | "text" | "entry" | "handover";
	value: string;
}

/** Parses a value such as `record:1a2b`. Returns undefined if the value is invalid. */
export function readWaiting(variable = ""): Waiting | undefined {
	const [, type, value = ""] = /^(next|record|text|entry|handover)(?::|$)(.*)$/s.exec(variable) ?? [];
	return type === undefined ? undefined : { type: type as Waiting["type"], value };
}

export function resumedJob(variable = ""): ParentJob | undefined {
	const [, parent_job_id, resumed_from_recap_id] = /^([\w.-]{1,100})\/([\w.-]{1,100})$/.exec(variable) ?? [];
	if (parent_job_id === undefined || resumed_from_recap_id === undefined) return undefined;
	return { parent_job_id, resumed_from_recap_id };
}

/** How long, in milliseconds, providers keep a prompt in their cache after its last use. */
const CACHE_MS = 5 * 60_000;

/** Lower prices are not shown. */
const LEAST = 0.0001;

/**
 * Returns text such as `resume ≈ $0.12, or --fresh ≈ $0.02`, or an empty string if the price is
 * unknown.
 */
export function resumePriceText(
	{ calls, record }: { calls?: Calls | undefined; record: SessionRecord | undefined },
	now: number,
	table: Rates = {},
	fresh = "--fresh",
): string {
	if (!calls) return "";
	// Prices derived from the session's own costs are preferred, because some models charge more for long contexts.
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
