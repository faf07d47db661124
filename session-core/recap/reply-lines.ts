/** Quotes the last reply in whole sentences: its first statement, its last statement, and the list items that name changed files. */

import { displayWidth } from "../text/clip.ts";
import { countWords } from "../text/count.ts";
import { cutAtClause, lineThatFits, plainLine } from "../text/fit-line.ts";
import { sentencesOf } from "../text/markdown.ts";
import { baseName } from "../text/paths.ts";
import { isQuestion, readReply, type Statement } from "../text/reply.ts";
import { nextSteps } from "./next-step-phrases.ts";
import { letters } from "./requests.ts";

/** Maximum width of a statement in columns. A wider statement does not fit on a line. */
const LINE_COLUMNS = 200;
/** Minimum number of words in a statement. Anything shorter is an interjection ("Done!", "Perfect!"). */
const ENOUGH = 3;
const LEAD_COLUMNS = 90;
/** Number of quoted statements. */
const MOST = 6;

interface Line {
	statement: Statement;
	index: number;
	text: string;
}

export interface ReplyOptions {
	/** Paths that the session changed. */
	changed: readonly string[];
	/** The request that the reply answers. */
	request: string;
	columns: number;
}

/**
 * Returns as many statements of the reply as fit, in their original order: one line for each paragraph, and one for each list with its
 * lead-in.
 */
export function replyLines(reply: string, { changed, request, columns }: ReplyOptions): string[] {
	// The next steps have a line of their own, so they are not repeated here.
	const steps = nextSteps(reply).map(letters);
	const statements = readReply(reply).statements.filter(
		({ text }) => !steps.some((step) => letters(text).endsWith(step)),
	);
	const lines: Line[] = statements.flatMap((statement, index) => {
		const [first = ""] = statement.kind === "text" ? [] : sentencesOf(statement.text);
		const text =
			lineThatFits(plainLine(statement.text), LINE_COLUMNS) ?? lineThatFits(plainLine(first), LINE_COLUMNS);
		// The only statement of a reply is its answer, even if it is a single word.
		return text !== undefined && (statements.length === 1 || isInformative(text, statement))
			? [{ statement, index, text }]
			: [];
	});
	const names = changed.map((path) => baseName(path)).filter((name) => name.length > 3);
	const requestWords =
		request.toLowerCase().match(/[\p{L}\p{N}_]{4,}|[\p{Script=Hangul}\p{Script=Han}]{2,}/gu) ?? [];
	const answers = ({ text }: Line): boolean =>
		names.some((name) => text.includes(name)) ||
		requestWords.filter((word) => text.toLowerCase().includes(word)).length > 1;
	const rank = rankIn(lines, answers);
	const chosen = new Set<Line>();
	let left = columns;
	for (const line of lines.toSorted((a, b) => rank(a) - rank(b) || a.index - b.index)) {
		const isLed = [...chosen].some(({ statement }) => isSameList(statement, line.statement));
		const width = displayWidth(line.text) + 3 + (isLed ? 0 : displayWidth(leadIn(line)));
		if (chosen.size === MOST || width > left || [...chosen].some(({ text }) => text === line.text)) continue;
		chosen.add(line);
		left -= width;
	}
	const kept = paragraphs([...chosen], lines);
	// Not even one whole sentence fits. The first sentence is therefore cut at the end of a clause.
	const isList = lines.length === 0 && statements.every(({ kind }) => kind !== "text");
	const start = plainLine(
		isList
			? [...new Set(statements.map(({ text }) => text))].join("; ")
			: (statements.find(({ text }) => countWords(text) >= ENOUGH)?.text ?? ""),
	);
	if (kept.length > 0 || start === "" || columns <= 40) return kept;
	return [cutAtClause(start, Math.min(columns, LINE_COLUMNS))];
}

/** Returns the lead-in of the list that contains a line; empty if the lead-in has no content. */
function leadIn({ statement: { lead } }: Line): string {
	const text = lineThatFits(plainLine(lead), LEAD_COLUMNS) ?? "";
	return text === "" ? "" : `${text}: `;
}

function isSameList(one: Statement, other: Statement): boolean {
	return one.kind !== "text" && other.kind !== "text" && one.list === other.list;
}

/** Joins sentences of the same paragraph into one line, and items of the same list into one line after the list's lead-in. */
function paragraphs(chosen: readonly Line[], all: readonly Line[]): string[] {
	const quoted: string[] = [];
	let before: Line | undefined;
	for (const line of chosen.toSorted((a, b) => a.index - b.index)) {
		const { statement, index, text } = line;
		const isSameBlock = before?.index === index - 1 && before.statement.block === statement.block;
		if (before && isSameList(before.statement, statement))
			quoted.push(`${quoted.pop()?.replace(/[.。]$/u, "")}; ${text}`);
		else quoted.push(isSameBlock ? `${quoted.pop()} ${text}` : leadIn(line) + text);
		const isLast = chosen.every((other) => other.index <= index || !isSameList(other.statement, statement));
		const isQuoted = (other: Line): boolean => chosen.some((one) => one.text === other.text);
		const isPart = all.some((other) => isSameList(other.statement, statement) && !isQuoted(other));
		if (isLast && isPart) quoted.push(`${quoted.pop()} …`);
		before = line;
	}
	return quoted;
}

/** Matches text that makes a list item concrete: a figure, an identifier, a symbol such as ✓, a path, or an arrow that shows a change. */
const CONCRETE = /\d|[✓✗✅❌→⚠]|\w[._/]\w|[a-z][A-Z]|[\w)]\(\)/;

/**
 * Returns the rank of a statement. The first statement ranks highest, followed by the last paragraph, and then by statements that name
 * changed files or repeat words of the request.
 */
function rankIn(lines: readonly Line[], answers: (line: Line) => boolean): (line: Line) => number {
	const last = lines.at(-1)?.statement.block;
	return (line) => {
		if (line === lines[0]) return 0;
		if (line.statement.kind === "text" && line.statement.block === last) return 1;
		return answers(line) ? 2 : 3;
	};
}

/** Whether a line is informative: it contains words besides a path, and is not a fragment. */
function isInformative(text: string, { kind, lead, isFirstOfBlock }: Statement): boolean {
	// A line that consists only of a path, with or without a label, is already shown as an artifact.
	if (
		/^(?:[\p{L} ]{1,24}[:：]\s*)?\S*[/.]\S*$/u.test(text) ||
		/^(?:[!-~]+|(?:https?:|[.~/])\S*.*)$/.test(text)
	)
		return false;
	// Tags are markup rather than words, and a text that is entirely in parentheses is secondary.
	if (isQuestion(text) || countWords(text) < ENOUGH || /^\(.*\)$/.test(text) || /<\/?[a-z][\w-]*>/.test(text))
		return false;
	if (kind !== "text") return lead !== "" || CONCRETE.test(text) || countWords(text) > ENOUGH + 1;
	return isFirstOfBlock || /[.!?。！？…)"'”」]$/u.test(text);
}
