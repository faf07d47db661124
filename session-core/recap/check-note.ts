import { lastTurn } from "../log/timeline/index.ts";
import { isObject, type JsonObject, jsonObjectsIn } from "../text/files/index.ts";
import {
	asksOfUser,
	clipColumns,
	clipSentence,
	countWords,
	cutAtClause,
	fitsScript,
	isQuestion,
	isVerbatim,
	type Language,
	plainLine,
	quotedFrom,
	safeText,
	sentencesOf,
	withoutInnerThoughts,
	withoutThoughts,
} from "../text/index.ts";
import {
	factsText,
	isSupported,
	type SessionFacts,
	sharesWords,
	supportedSentences,
} from "./check-claims.ts";
import { openActions } from "./heuristic.ts";
import { judgeTitle } from "./judge-title.ts";
import { EXAMPLE_TOPIC } from "./note-prompt.ts";
import { HEADLINE_COLUMNS, NEXT_COLUMNS, type NextStep, type Note } from "./record.ts";
import { CUT } from "./requests.ts";

export interface NoteGround extends SessionFacts {
	language: Language | undefined;
}

const SENTENCES_COLUMNS = 400;
const DONE_COLUMNS = 140;
const MOST = 3;

/** Sanitizes and redacts a model's answer. Returns undefined if no part of the answer is usable. */
export function noteIn(answer: string, ground: NoteGround): Omit<Note, "generator"> | undefined {
	const raw = readNote(answer);
	const note = {
		text: raw.recap === undefined ? undefined : sentencesIn(raw.recap, ground),
		headline: raw.topic === undefined ? undefined : topicIn(raw.topic, ground),
		bullets: linesOf(raw.done ?? "")
			.map((line) => cutAtClause(line, DONE_COLUMNS))
			.filter((line) => countWords(line) > 1 && isSupported(line, ground) && isInLanguage(line, ground))
			.slice(0, MOST),
		next: raw.next && nextIn(raw.next, ground),
	};
	const isEmpty = [note.text, note.headline, note.bullets[0], note.next].every((part) => part === undefined);
	return isEmpty ? undefined : note;
}

function sentencesIn(raw: string, ground: NoteGround): string | undefined {
	const text = clipSentence(plainLine(raw), SENTENCES_COLUMNS);
	if (!isInLanguage(text, ground)) return undefined;
	return isAboutSession(text, ground.input) ? supportedSentences(text, ground) : undefined;
}

function isInLanguage(text: string, { language }: NoteGround): boolean {
	return language === undefined || fitsScript(text, language);
}

function topicIn(raw: string, { language, ...facts }: NoteGround): string | undefined {
	const judged = judgeTitle(raw, {
		prompts: [],
		language,
		input: factsText(facts),
		examples: [EXAMPLE_TOPIC],
	});
	return judged.ok ? clipColumns(judged.title, HEADLINE_COLUMNS) : undefined;
}

function linesOf(text: string): string[] {
	return text.split("\n").map(plainLine).filter(Boolean);
}

const AGENTS: readonly NextStep["kind"][] = ["question", "request", "offer"];

/**
 * Checks the next steps in a model's answer against the agent's last reply. A question, request or
 * offer is dropped if it does not occur in the reply. Any other step that does not occur in the reply
 * becomes a suggestion.
 */
function nextIn(
	{ kind: name, text }: NonNullable<RawNote["next"]>,
	{ timeline }: SessionFacts,
): NextStep[] | undefined {
	const last = lastTurn(timeline.turns);
	if (last?.asks) return undefined;
	const lines = linesOf(text);
	if (CUT.has(timeline.outcome)) {
		const [step] = name === "none" || AGENTS.some((one) => one === name) ? [] : lines;
		if (step === undefined) return undefined;
		return [...openActions(timeline), { kind: "suggestion", text: cutAtClause(step, NEXT_COLUMNS) }];
	}
	if (name === "none") return [];
	if (lines.length === 0) return undefined;
	const reply = safeText(last?.reply ?? "");
	const kind = AGENTS.find((one) => one === name) ?? "step";
	const points = kind === "step" || lines.every(isQuestion) ? lines : [lines.join(" ")];
	const found = points.flatMap((line): NextStep[] => {
		const quoted = quotedFrom(reply, line);
		if (kind === "step" && (quoted === undefined || !isVerbatim(reply, quoted)))
			return [{ kind: "suggestion", text: line }];
		if (quoted === undefined) return [];
		return [{ kind: kind === "step" && isQuestion(line) ? "question" : kind, text: quoted }];
	});
	// A next step that the recap model suggests must not replace a question that the agent asked.
	if (asksOfUser(last?.reply ?? "") && found.every(({ kind }) => kind === "suggestion")) return undefined;
	const open = found
		.slice(0, MOST)
		.map((point) => ({ ...point, text: cutAtClause(plainLine(point.text), NEXT_COLUMNS) }));
	return open.length > 0 ? open : undefined;
}

const LEAST_WORDS = 5;
function isAboutSession(text: string, session: string): boolean {
	return (
		countWords(text) >= LEAST_WORDS && !sentencesOf(text).every(isQuestion) && sharesWords(text, session)
	);
}

export interface RawNote {
	recap?: string;
	topic?: string;
	done?: string;
	next?: { kind: string; text: string };
}

const PARTS = ["recap", "topic", "done", "next"] as const;
type Part = (typeof PARTS)[number];

const OPENING = /<(recap|topic|done|next)\b([^<>]*)>/gi;
const CLOSING = /<\/(recap|topic|done|next)>/gi;
const SENTENCE_END = /[.!?…。！？।؟։።][\p{Pf}\p{Pe}"'*`]*\s*$/u;

/**
 * Reads the tagged parts of a model's answer, in any order. Text outside the tags is never used, because
 * it may be reasoning. An answer without tags may be a JSON object.
 */
export function readNote(answer: string): RawNote {
	const raw = withoutThoughts(answer, OPENING);
	const found = Object.fromEntries(PARTS.map((part) => [part, tagged(raw, part)]));
	const { next, ...texts } = found;
	if (PARTS.every((part) => found[part] === undefined))
		return fromJson(jsonObjectsIn(raw).objects.at(-1) ?? {});
	return {
		...Object.fromEntries(Object.entries(texts).flatMap(([part, tag]) => (tag ? [[part, tag.text]] : []))),
		...(next && { next: { kind: kindIn(next.attributes), text: next.text } }),
	};
}

interface Tagged {
	text: string;
	attributes: string;
}

/**
 * Reads the text between the last pair of tags, because a model that thinks aloud may mention the tags
 * before it writes the actual answer.
 */
function tagged(raw: string, part: Part): Tagged | undefined {
	const openings = [...raw.matchAll(OPENING)];
	// `toLowerCase` is not used, because it makes some letters longer and would shift text positions.
	const close =
		[...raw.matchAll(CLOSING)].findLast(({ 1: name }) => name?.toLowerCase() === part)?.index ?? -1;
	const own = openings.findLast(
		({ 1: name, index }) => name?.toLowerCase() === part && (close < 0 || index < close),
	);
	if (!own) return undefined;
	const [tag, , attributes = ""] = own;
	const start = own.index + tag.length;
	if (attributes.trim().endsWith("/")) return { attributes, text: "" };
	if (close >= 0) return { attributes, text: plain(raw.slice(start, close)) };
	const after = openings.find(({ index, 1: name }) => index >= start && name?.toLowerCase() !== part)?.index;
	const rest = withoutThoughts(raw.slice(start, after));
	if (!/^(?:\s*\n|\S)/.test(rest)) return undefined;
	const text = after === undefined ? completeIn(rest, part) : rest.trim().split(/\n\s*\n/, 1)[0];
	return text === undefined ? undefined : { attributes, text: plain(text) };
}

function completeIn(text: string, part: Part): string | undefined {
	if (part === "done") return text.slice(0, Math.max(0, text.lastIndexOf("\n")));
	return part !== "topic" && SENTENCE_END.test(text) ? text : undefined;
}

function plain(text: string): string {
	return withoutInnerThoughts(text).replace(/<\/?(?:recap|topic|done|next)\b[^<>]*>/gi, " ");
}

function kindIn(attributes: string): string {
	return /(?:kind|type)\s*=\s*["'“]?([a-z]+)/i.exec(attributes)?.[1]?.toLowerCase() ?? "";
}

function fromJson(object: JsonObject): RawNote {
	const values = new Map(Object.entries(object).map(([key, value]) => [key.toLowerCase(), value]));
	const { recap, topic, done } = Object.fromEntries(PARTS.map((part) => [part, textIn(values.get(part))]));
	const next = values.get("next");
	const own = isObject(next) ? next : {};
	const kind = own["kind"] ?? values.get("kind") ?? values.get("next_kind");
	const text = textIn(isObject(next) ? (own["text"] ?? own["words"] ?? own["lines"]) : next);
	return {
		...(recap !== undefined && { recap }),
		...(topic !== undefined && { topic }),
		...(done !== undefined && { done }),
		...((text !== undefined || typeof kind === "string") && {
			next: { kind: typeof kind === "string" ? kind.toLowerCase() : "", text: text ?? "" },
		}),
	};
}

function textIn(value: unknown): string | undefined {
	if (typeof value === "string") return plain(value);
	return Array.isArray(value)
		? value
				.filter((one) => typeof one === "string")
				.map(plain)
				.join("\n")
		: undefined;
}
