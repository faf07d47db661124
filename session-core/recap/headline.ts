import { readBlocks, sentencesOf } from "../digest/prose.ts";
import type { Digest, PromptRole } from "../digest/types.ts";
import { isRequest, substance } from "../digest/voice.ts";
import { clipColumns, displayWidth } from "../text/clip.ts";
import type { Relevance } from "./relevance.ts";
import { plain, tidyEnd, wholeThought } from "./wording.ts";

export const HEADLINE_COLUMNS = 80;

/** Interjections that open a request and say nothing of it. Only ever shortens; nothing is found or lost by it. */
const FILLER =
	/^(?:(?:ok(?:ay)?|alright|all right|so+|hm+|well|btw|also|now|then|hey|my dude|dude|wait|yeah|yes|no|actually|please|wow|cool|great|perfect|nice|and|but|omfg|lol|i (?:think|guess|suppose|believe|feel like))\b[\s,.!…-]*)+(?=\S)/i;

/** What began the thread, or what files were changed for, says what it is for; what interrupted a run seldom does. */
const ROLE_BONUS: Record<PromptRole, number> = {
	task: 0.3,
	work: 0.25,
	aside: 0.08,
	steering: 0,
	older: -0.2,
};

interface Candidate {
	text: string;
	score: number;
}

/** The task in the user's own words: the clause of their requests that has most to do with where the session stands. */
export function chooseHeadline(digest: Digest, relevance: Relevance): string {
	const best = headlineCandidates(digest, relevance).reduce<Candidate | undefined>(
		(top, next) => (top && top.score >= next.score ? top : next),
		undefined,
	);
	const words = best?.text ?? plain(digest.task ?? digest.prompts.at(-1) ?? "");
	return withoutEnd(shorten(words));
}

export function headlineCandidates(digest: Digest, relevance: Relevance): Candidate[] {
	const candidates: Candidate[] = [];
	const add = (text: string, bonus: number): void => {
		for (const [position, clause] of clausesOf(text).entries()) {
			candidates.push({ text: clause, score: scoreOf(clause, position, relevance) + bonus });
		}
	};
	digest.prompts.forEach((prompt, index) => {
		const age = digest.prompts.length - 1 - index;
		const role = digest.roles[index] ?? "older";
		if (isRequest(prompt)) add(prompt, ROLE_BONUS[role] - Math.min(age, role === "task" ? 5 : 12) * 0.03);
	});
	if (digest.task !== undefined && !digest.prompts.includes(digest.task)) add(digest.task, 0.1);
	if (digest.goal !== undefined && digest.task !== undefined) add(digest.goal, 0.35);
	if (digest.task === undefined) for (const text of wordsWithoutTask(digest)) add(text, 0.3);
	return candidates;
}

/** Openings that lean on a sentence before: such a clause does not stand alone. */
const LEANING =
	/^(?:that|this|it|these|those|they|and|or|but|so|because|same|also|like|then|그리고|근데|그럼|그래서|이거|이것|还有|而且|但是|y |pero |o )/i;

/** What stands for the task where the log lost the prompt: what was made, and the reply's own title. */
function wordsWithoutTask(digest: Digest): string[] {
	const made = digest.links.filter(
		(link) => link.inThread && link.evidence === "made" && /\s/.test(link.label),
	);
	const title = readBlocks(digest.lastReply ?? "").find(
		(block) => block.kind === "heading" || block.kind === "text",
	);
	if (made.length > 0) return made.map((link) => link.label);
	return title ? [title.text] : [];
}

function scoreOf(clause: string, position: number, relevance: Relevance): number {
	// Paths say where, not what.
	const amount = substance(clause.replace(/@?(?:https?:\/\/|[\w.~-]*\/)\S+/g, ""));
	const brevity = amount < 6 ? (6 - amount) * 0.06 : 0;
	const overlong = displayWidth(clause) > HEADLINE_COLUMNS ? 0.1 : 0;
	const leaning = position > 0 && LEANING.test(clause) ? 0.15 : 0;
	const answer = /^\d+[.)]?\s/.test(clause) ? 0.15 : 0;
	// A doubt on the way is not what the work is for, unless there is nothing else.
	const question = /[?？]$/.test(clause) ? 0.12 : 0;
	const code = /^\w+\(/.test(clause) ? 0.4 : 0;
	return (
		relevance(clause) - brevity - overlong - leaning - answer - question - code - Math.min(position, 4) * 0.05
	);
}

/** The sentences of a request, without pasted logs, code and interjections. */
export function clausesOf(prompt: string): string[] {
	const clauses: string[] = [];
	for (const line of prompt.slice(0, 3_000).split("\n").slice(0, 30)) {
		if (isPasted(line)) continue;
		for (const sentence of sentencesOf(plain(line))) {
			const clause = tidyEnd(sentence.replace(/^(?:[-*•]|\d{1,2}[.)])\s+/, "").replace(FILLER, ""));
			if (clause !== "") clauses.push(clause);
		}
	}
	return clauses.slice(0, 20);
}

/** A line that no person typed: terminal output, code, a diff, a stack trace, JSON. */
function isPasted(line: string): boolean {
	const text = line.trim();
	if (text === "" || text.length > 2_000) return true;
	if (
		/^(?:[➜❯$%>#+|│─┌└├]|\/\/|\/\*|[-+]{1,3} ?\d|at \w|at <|\{|\}|<\/?\w|(?:import|export|const|let|var|return|throw|function|class|def|async|await|node:|Error:|\w+: (?:['"]|-?\d)|Traceback|Uncaught)\b|```|\d{4}-\d\d-\d\d)/.test(
			text,
		)
	)
		return true;
	if (/[;{}]$/.test(text) && /[({=]/.test(text)) return true;
	const letters = text.match(/[\p{L}\p{N}\s]/gu)?.length ?? 0;
	return letters / text.length < 0.7;
}

function shorten(text: string): string {
	return wholeThought(text, HEADLINE_COLUMNS) ?? clipColumns(text, HEADLINE_COLUMNS);
}

function withoutEnd(text: string): string {
	return text.replace(/[\s.,;:!。、，]+$/u, "");
}
