/** What the last reply says: its first statement, its last, and the items that name changed files, in whole sentences. */

import { displayWidth } from "../text/clip.ts";
import { baseName } from "../text/paths.ts";
import { readReply, type Statement } from "../text/reply.ts";
import { clause, plain, whole } from "../text/statement.ts";
import { substance } from "../text/substance.ts";

/** A statement longer than this says more than a line can. */
const LINE_COLUMNS = 200;
/** Words below which a statement is an interjection ("Done!", "Perfect!"). */
const ENOUGH = 3;
/** Statements that are quoted. */
const MOST = 6;

interface Line {
	statement: Statement;
	index: number;
	text: string;
}

export interface SaidOptions {
	/** Paths that the session changed. */
	changed: readonly string[];
	/** What the reply answers. */
	request: string;
	columns: number;
}

/** Statements of the reply in its order, as many as fit. */
export function saidLines(reply: string, { changed, request, columns }: SaidOptions): string[] {
	const { statements } = readReply(reply);
	const only = statements.length === 1;
	const lines: Line[] = statements.flatMap((statement, index) => {
		const text = whole(plain(statement.text), LINE_COLUMNS);
		return text !== undefined && (only || says(text, statement)) ? [{ statement, index, text }] : [];
	});
	const names = changed.map((path) => baseName(path)).filter((name) => name.length > 3);
	const asked =
		request.toLowerCase().match(/[\p{L}\p{N}_]{4,}|[\p{Script=Hangul}\p{Script=Han}]{2,}/gu) ?? [];
	const rank = rankIn(lines, { names, asked });
	const chosen = new Set<Line>();
	let left = columns;
	for (const line of lines.toSorted((a, b) => rank(a) - rank(b) || a.index - b.index)) {
		const width = displayWidth(line.text) + 3;
		if (chosen.size === MOST || width > left || [...chosen].some(({ text }) => text === line.text)) continue;
		chosen.add(line);
		left -= width;
	}
	const kept = [...chosen].toSorted((a, b) => a.index - b.index).map(({ text }) => text);
	// Not one whole sentence fits: the beginning of the first, up to the end of a clause.
	const start = plain(statements.find(({ text }) => substance(text) >= ENOUGH)?.text ?? "");
	return kept.length === 0 && start !== "" && columns > 40
		? [clause(start, Math.min(columns, LINE_COLUMNS))]
		: kept;
}

/** Form by which a statement shows something: a figure, a name, a sign, a path, a change from one thing to another. */
const CONCRETE = /\d|[✓✗✅❌→⚠]|\w[._/]\w|[a-z][A-Z]|[\w)]\(\)/;

/**
 * The first statement, then the last paragraph, then what names changed files or the request's own words; of the rest what is
 * concrete and stands at the top.
 */
function rankIn(lines: readonly Line[], { names, asked }: Told): (line: Line) => number {
	const first = lines[0];
	const last = lines.findLast(({ statement }) => statement.kind === "text");
	return (line) => {
		const { statement, text } = line;
		if (line === first) return 0;
		if (last !== undefined && statement.block === last.statement.block) return 1;
		const lower = text.toLowerCase();
		const isAnswer =
			names.some((name) => text.includes(name)) || asked.filter((word) => lower.includes(word)).length > 1;
		// A sentence tells more than a row below it.
		if (statement.kind === "text" && statement.isFirstOfBlock) return isAnswer || CONCRETE.test(text) ? 2 : 3;
		if (isAnswer) return 3;
		const place = statement.kind === "text" || statement.depth === 0 ? 0 : 1;
		return (CONCRETE.test(text) ? 4 : 6) + place;
	};
}

interface Told {
	/** Names of changed files. */
	names: readonly string[];
	/** Words of the request, in lower case. */
	asked: readonly string[];
}

/** Whether a line says something: words beside a path, and an end to a sentence that follows another. */
function says(text: string, { kind, isFirstOfBlock }: Statement): boolean {
	// A path alone, or behind a label, is an artifact.
	if (/^(?:[\p{L} ]{1,24}[:：]\s*)?\S*[/.]\S*$/u.test(text) || /^(?:\S+|(?:https?:|[.~/])\S*.*)$/.test(text))
		return false;
	// A tag is markup of something, not words about it.
	if (substance(text) < ENOUGH || /<\/?[a-z][\w-]*>/.test(text)) return false;
	return kind !== "text" || isFirstOfBlock || /[.!?。！？…)"'”」]$/u.test(text);
}
