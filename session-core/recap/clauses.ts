import { sentencesOf } from "../digest/prose.ts";
import { withoutLead } from "./leads.ts";
import { plain, tidyEnd } from "./wording.ts";

/** One thing that a request says. */
export interface Clause {
	text: string;
	/** Where it stands among the request's clauses, from 0. */
	position: number;
	/** It ended in a question mark. */
	isQuestion: boolean;
	/** Its line is an item of a list, a quotation or a heading. */
	isMarked: boolean;
	/** The request begins with a mark and is no list: the user quotes and comments. */
	isQuoted: boolean;
}

const BOUND = 3_000;
const LINES = 30;
const CLAUSES = 20;
/** What lists, quotations, headings, tables and diffs begin with. */
const MARK = /^(?:[-*•+>#|│]|\d{1,4}\s*[-+.)]|`)\s*\S?/;

/** A page that is quoted, on which the last line comments. */
const PAGE_MARK = /^(?:#{1,6} |[│|]|```|\/\/)/;

/** The sentences of a request, without pasted logs, code and interjections. */
export function readClauses(prompt: string): Clause[] {
	const lines = prompt
		.slice(0, BOUND)
		.split("\n")
		.slice(0, LINES)
		.filter((line) => line.trim() !== "");
	const marked = lines.filter((line) => MARK.test(line.trim())).length;
	const quotes = MARK.test(lines[0]?.trim() ?? "") && (marked < lines.length || marked === 1);
	const isPage = PAGE_MARK.test(lines[0]?.trim() ?? "") && lines.length > 1;
	const clauses: Clause[] = [];
	for (const [index, line] of lines.entries()) {
		if (isPasted(line)) continue;
		const isMarked = MARK.test(line.trim());
		const isQuoted = (quotes && isMarked) || (isPage && index < lines.length - 1);
		for (const sentence of joinParticles(sentencesOf(plain(line)))) {
			const text = withoutOpenBracket(tidyEnd(withoutLead(sentence)));
			const isQuestion = /[?？](?:["')」]*$|\s)/.test(text);
			if (text !== "") clauses.push({ text, position: clauses.length, isQuestion, isMarked, isQuoted });
		}
	}
	return clauses.slice(0, CLAUSES);
}

/** The words of a request's clauses. */
export function clausesOf(prompt: string): string[] {
	return readClauses(prompt).map(({ text }) => text);
}

/** What an unclosed bracket opens went on in the next sentence. */
function withoutOpenBracket(text: string): string {
	const at = text.lastIndexOf("(");
	return at > 8 && !text.includes(")", at) ? tidyEnd(text.slice(0, at)) : text;
}

/** A sentence that opens with a lone particle goes on with the one before: "…나은가? 를 조사해줘". */
function joinParticles(sentences: readonly string[]): string[] {
	const joined: string[] = [];
	for (const sentence of sentences) {
		const before = joined.at(-1);
		if (before !== undefined && /^(?:를|을|가|이|은|는|도|로|라고|에|의|과|와) /.test(sentence))
			joined[joined.length - 1] = `${before} ${sentence}`;
		else joined.push(sentence);
	}
	return joined;
}

/** A line that no person typed: terminal output, code, a diff, a stack trace, JSON. */
function isPasted(line: string): boolean {
	const text = line.trim();
	if (text === "" || text.length > 2_000) return true;
	if (
		/^(?:[➜❯$%>#+|│─┌└├]|\/\/|\/\*|[-+]{1,3} ?\d|at \w|at <|\{|\}|<\/?\w|(?:import|export|const|let|var|return|throw|function|class|def|async|await|node:|Error:|\w+: (?:['"]|-?\d)|Traceback|Uncaught|Caused by|Exception in|panic)\b|```|\[?\d{4}-\d\d-\d\d|\[?[A-Z][a-z]{2} \d\d? \d\d:\d\d|\[?(?:INFO|WARN|ERROR|DEBUG)\b|"[\w-]+"\s*:|File "|error\[|(?:SELECT|INSERT|UPDATE|DELETE) .*\b(?:FROM|INTO|SET|WHERE)\b)/.test(
			text,
		)
	)
		return true;
	// A path and a branch in front of a prompt sign's line.
	if (/^~?\/\S+(?: \([\w./-]+\))?$/.test(text)) return true;
	if (/[;{}]$/.test(text) && /[({=]/.test(text)) return true;
	const letters = text.match(/[\p{L}\p{N}\s]/gu)?.length ?? 0;
	return letters / text.length < 0.7;
}
