import {
	factsText,
	isSupported,
	type SessionFacts,
	sharesWords,
	supportedSentences,
} from "../model/check-claims.ts";
import { HEADLINE_COLUMNS, NEXT_COLUMNS, type NextKind, type Note, type OpenPoint } from "../recap/record.ts";
import { CUT } from "../recap/requests.ts";
import { clipColumns, clipSentence } from "../text/clip.ts";
import { countWords } from "../text/count.ts";
import { cutAtClause, plainLine } from "../text/fit-line.ts";
import { fitsScript, type Language } from "../text/language.ts";
import { asksOfUser, isQuestion, quotedFrom } from "../text/reply.ts";
import { safeText } from "../text/safe.ts";
import { sentencesOf } from "../text/sentences.ts";
import { lastTurn } from "../timeline/turn.ts";
import { judgeTitle } from "./judge-title.ts";
import { EXAMPLE_TOPIC } from "./prompt.ts";
import { type RawNote, readNote } from "./read-note.ts";

/** What an answer is checked against. `language`: the language that it must have; undefined if any is accepted. */
export interface NoteGround extends SessionFacts {
	language: Language | undefined;
}

const SENTENCES_COLUMNS = 400;
const DONE_COLUMNS = 140;
const MOST = 3;

/** Returns the usable parts of a model's answer, safe to show; undefined if there is none. */
export function noteIn(answer: string, ground: NoteGround): Omit<Note, "model"> | undefined {
	const raw = readNote(answer);
	const note = {
		sentences: raw.recap === undefined ? undefined : sentencesIn(raw.recap, ground),
		topic: raw.topic === undefined ? undefined : topicIn(raw.topic, ground),
		done: linesOf(raw.done ?? "")
			.map((line) => cutAtClause(line, DONE_COLUMNS))
			.filter((line) => countWords(line) > 1 && isSupported(line, ground))
			.slice(0, MOST),
		next: raw.next && nextIn(raw.next, ground),
	};
	const isEmpty = [note.sentences, note.topic, note.done[0], note.next].every((part) => part === undefined);
	return isEmpty ? undefined : note;
}

function sentencesIn(raw: string, ground: NoteGround): string | undefined {
	const text = clipSentence(plainLine(raw), SENTENCES_COLUMNS);
	const { language, input } = ground;
	if (language && !fitsScript(text, language)) return undefined;
	return isAboutSession(text, input) ? supportedSentences(text, ground) : undefined;
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

const AGENTS: readonly NextKind[] = ["question", "request", "offer"];

/**
 * Returns what a model says is open. What the agent asks or offers must stand in its last reply. A step that does not is the model's own
 * suggestion. After an abort or an error, the interrupted request is open, and a
 * dialog that waits is a fact: neither needs a model.
 */
function nextIn(
	{ kind: name, text }: NonNullable<RawNote["next"]>,
	{ timeline }: SessionFacts,
): OpenPoint[] | undefined {
	const last = lastTurn(timeline.turns);
	if (CUT.has(timeline.outcome) || last?.asks) return undefined;
	const lines = linesOf(text);
	if (name === "none") return [];
	if (lines.length === 0) return undefined;
	const reply = safeText(last?.reply ?? "");
	const kind = AGENTS.find((one) => one === name) ?? "step";
	// A question may be followed by its choices, and a request by the rest of it.
	const points = kind === "step" || lines.every(isQuestion) ? lines : [lines.join(" ")];
	const found = points.flatMap((line): OpenPoint[] => {
		const quoted = quotedFrom(reply, line);
		if (quoted === undefined) return kind === "step" ? [{ kind: "suggestion", text: line }] : [];
		return [{ kind: kind === "step" && isQuestion(line) ? "question" : kind, text: quoted }];
	});
	// A step that the reply does not state closes no question of the reply.
	if (asksOfUser(last?.reply ?? "") && found.every(({ kind }) => kind === "suggestion")) return undefined;
	const open = found
		.slice(0, MOST)
		.map((point) => ({ ...point, text: cutAtClause(plainLine(point.text), NEXT_COLUMNS) }));
	return open.length > 0 ? open : undefined;
}

const LEAST_WORDS = 5;
/** Whether a text is about the session and not about the request for a note. */
function isAboutSession(text: string, session: string): boolean {
	return (
		countWords(text) >= LEAST_WORDS && !sentencesOf(text).every(isQuestion) && sharesWords(text, session)
	);
}
