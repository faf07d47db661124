import { isObject, type JsonObject, objectsIn, textOf } from "../text/files/index.ts";
import { countWords, isBalanced, sentencesOf } from "../text/index.ts";
import { TITLE_ENTRY } from "./entry.ts";
import type { Format } from "./format.ts";

export interface LogPlace {
	id?: string;
	/**
	 * The entry to which the user went back before sending the prompt, or `null` for the beginning of the
	 * conversation.
	 */
	branchAt?: string | null;
	timestamp?: unknown;
}

export const ROLLBACK = "agent:rollback";

/**
 * The type of an entry that shows where a session continues: in another folder (`cwd`) or in another
 * session (`continuedIn`).
 */
export const PLACE = "agent:place";

export const continuesAt = (data: JsonObject) => entry({}, "custom", { customType: PLACE, data });

export interface LoggedSession {
	format: Format;
	id: unknown;
	cwd: unknown;
	timestamp: unknown;
	branch?: unknown;
	parent?: unknown;
	isChild?: boolean;
	isProgram?: boolean | undefined;
}

export function header({ parent, ...facts }: LoggedSession): JsonObject {
	const parentSession = typeof parent === "string" && { parentSession: parent };
	return { type: "session", version: 3, ...facts, ...parentSession };
}

export const entry = (place: LogPlace, type: string, fields: JsonObject = {}): JsonObject => ({
	...place,
	type,
	...fields,
});

/** A log line without content also becomes an entry, because it may be the parent of later lines. */
export const link = (place: LogPlace) => entry(place, "custom", { customType: "agent:line" });

/**
 * If a log line yields several entries, the last entry keeps the line's id, because the next line uses
 * that id to refer to its parent.
 */
export function numbered(entries: readonly JsonObject[], id: string): JsonObject[] {
	return entries.map((one, index) => (index === entries.length - 1 ? one : { ...one, id: `${id}.${index}` }));
}

/**
 * Attaches a prompt to the parent in the log, because the user may have gone back to an earlier point
 * before sending the prompt.
 */
export function placeAfter(place: LogPlace, parent: unknown): LogPlace {
	return typeof parent === "string" || parent === null ? { ...place, branchAt: parent } : place;
}

export const name = (place: LogPlace, text: unknown) => entry(place, "session_info", { name: textOf(text) });

export function modelTitle(place: LogPlace, text: unknown): JsonObject {
	return entry(place, "custom", { customType: TITLE_ENTRY, data: { title: textOf(text), source: "auto" } });
}

export const summary = (place: LogPlace, text: string) => entry(place, "compaction", { summary: text });

/**
 * A recap that Claude Code wrote while the user was away. The first clause of the recap becomes the
 * session's goal, because later work may contradict the rest of the recap.
 */
export const awaySummary = (place: LogPlace, text: string) =>
	entry(place, "branch_summary", { summary: `## Goal\n${firstClause(text)}`, recap: text });

/** The minimum length, in words, of a clause that is considered informative on its own. */
const CLAUSE_WORDS = 5;
const CLAUSE = 400;

function firstClause(text: string): string {
	const [sentence = ""] = sentencesOf(text);
	for (const { index } of sentence.slice(0, CLAUSE).matchAll(/[,;:，；：]|\s[—–-]\s/g)) {
		const clause = sentence.slice(0, index);
		if (isBalanced(clause) && countWords(clause) >= CLAUSE_WORDS) return clause;
	}
	return sentence;
}

export function userMessage(place: LogPlace, text: string, images = 0): JsonObject {
	const pictures = Array.from({ length: images }, () => ({ type: "image" }));
	return message(place, { role: "user", content: [{ type: "text", text }, ...pictures] });
}

export const userAnswer = (place: LogPlace, text: string) => ({
	...userMessage(place, text),
	isAnswer: true,
});

const PLACEHOLDER = /\[Image #\d+\]\s*/g;

export function ownMessage(
	place: LogPlace,
	texts: readonly string[],
	images: number,
): JsonObject | undefined {
	const typed = texts.map(ownWords).filter(Boolean).join("\n");
	const own = images > 0 ? typed.replace(PLACEHOLDER, "") : typed;
	return own.trim() === "" && images === 0 ? undefined : userMessage(place, own, images);
}

export const userCommand = (place: LogPlace, command: string, output: string) =>
	message(place, { role: "bashExecution", command, output });

/** A message that another agent wrote must not be treated as the user's words or as a reply. */
export const agentMessage = (place: LogPlace, text: string) =>
	entry(place, "custom_message", { customType: "agent:message", content: text, display: true });

export const reply = (place: LogPlace, fields: JsonObject) =>
	message(place, { role: "assistant", ...fields });

export const said = (place: LogPlace, text: string, stopReason: string) =>
	reply(place, { content: [{ type: "text", text }], stopReason });

export const aborted = (place: LogPlace) => reply(place, { content: [], stopReason: "aborted" });

export const failed = (place: LogPlace, errorMessage: string) =>
	reply(place, { content: [], stopReason: "error", errorMessage });

/** An agent that asks the user a question waits for the answer, so the question ends the run. */
export function replyAsking(place: LogPlace, fields: JsonObject, asked: readonly string[]): JsonObject[] {
	const answer = reply(place, fields);
	return asked.length > 0 ? [answer, said(place, asked.join("\n"), "stop")] : [answer];
}

export const planQuestion = ({ plan }: JsonObject) => `${textOf(plan)}\n\nCarry out this plan?`.trim();

export const toolCall = (id: unknown, name: string, args: JsonObject): JsonObject => ({
	type: "toolCall",
	id,
	name,
	arguments: args,
});

/**
 * Maps an agent's tool names to pi's names (`Bash` to `bash`), and pi's argument names to the agent's
 * names (`oldText` to `old_string`).
 */
export type Tools = ReadonlyMap<unknown, readonly [name: string, args: Readonly<Record<string, string>>]>;

export function translatedCall(tools: Tools, id: unknown, name: unknown, args: JsonObject): JsonObject {
	const found = tools.get(name);
	if (!found) return toolCall(id, textOf(name), args);
	const path = args["file_path"] ?? args["notebook_path"] ?? args["absolute_path"];
	const known = Object.entries(found[1]).map(([own, theirs]) => [own, args[theirs]]);
	return toolCall(id, found[0], { ...(path !== undefined && { path }), ...Object.fromEntries(known) });
}

interface ResultFacts {
	id: unknown;
	text: string;
	isError: boolean;
	name?: string;
	/** Like pi, appends a nonzero exit status to the result, as in `Command exited with code 1`. */
	status?: number | undefined;
}

export function toolResult(
	place: LogPlace,
	{ id, text, isError, name = "", status }: ResultFacts,
): JsonObject {
	const ended = status ? `${text}\n\nCommand exited with code ${status}` : text;
	const content = [{ type: "text", text: ended }];
	return message(place, { role: "toolResult", toolCallId: id, toolName: name, content, isError });
}

const message = (place: LogPlace, fields: JsonObject) => entry(place, "message", { message: fields });

export const CANCELLED = "Request cancelled by the user";

export const fieldsIn = (value: unknown): JsonObject => (isObject(value) ? value : {});

export function blockTexts(content: unknown): string[] {
	if (typeof content === "string") return [content];
	return objectsIn(content).flatMap(({ text }) => (typeof text === "string" ? [text] : []));
}

/**
 * Programs and hooks add text in XML-like elements, such as `<system-reminder>`. The pattern matches
 * elements whose names have several words, and other text that programs are known to add.
 */
const ADDED =
	/^\s*(?:<(?:[a-z]+[-_][a-z_-]+|skill|image|permissions instructions|task|subagent|memory)\b[^>]{0,200}>|<\/image>|# AGENTS\.md instructions\b|Caveat: The messages below were generated by the user)/i;

const BEFORE_OWN_WORDS = /\s*<(system[-_](?:instruction|reminder)s?|ide_[a-z_]{1,30})>/iy;

export function ownWords(text: string): string {
	let start = 0;
	for (;;) {
		BEFORE_OWN_WORDS.lastIndex = start;
		const name = BEFORE_OWN_WORDS.exec(text)?.[1];
		const close = `</${name}>`;
		const end = name === undefined ? -1 : text.indexOf(close, BEFORE_OWN_WORDS.lastIndex);
		if (end < 0) break;
		start = end + close.length;
	}
	const own = start === 0 ? text : text.slice(start).trimStart();
	return ADDED.test(own) ? "" : own;
}
