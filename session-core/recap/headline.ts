import { isHandling } from "../digest/handling.ts";
import { readBlocks } from "../digest/prose.ts";
import type { Digest, PromptRole } from "../digest/types.ts";
import { isRequest, substance } from "../digest/voice.ts";
import { clipColumns, displayWidth } from "../text/clip.ts";
import { type Clause, readClauses } from "./clauses.ts";
import { withoutExclamation } from "./leads.ts";
import { namedWork } from "./namedwork.ts";
import { wholePhrase } from "./phrase.ts";
import type { Relevance } from "./relevance.ts";
import { plain, wholeThought } from "./wording.ts";

export const HEADLINE_COLUMNS = 80;

/** What began the thread, or what files were changed for, says what it is for; what interrupted a run seldom does. */
const ROLE_BONUS: Record<PromptRole, number> = {
	task: 0.3,
	work: 0.2,
	aside: 0.06,
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
	const add = (prompt: string, bonus: number): void => {
		const clauses = readClauses(prompt);
		const asks = clauses[0]?.isQuestion === true;
		for (const clause of clauses) {
			const text = withoutExclamation(clause.text, (part) => relevance(part) > 0.1);
			// What stands behind a question mostly explains the question.
			const explains = asks && !clause.isQuestion && clauses.length < 4 ? 0.12 : 0;
			candidates.push({ text, score: scoreOf({ ...clause, text }, relevance) + bonus - explains });
		}
	};
	digest.prompts.forEach((prompt, index) => {
		const age = digest.prompts.length - 1 - index;
		const role = digest.roles[index] ?? "older";
		if (isRequest(prompt)) add(prompt, ROLE_BONUS[role] - Math.min(age, role === "task" ? 5 : 12) * 0.03);
	});
	if (digest.task !== undefined && !digest.prompts.includes(digest.task)) add(digest.task, 0.1);
	if (digest.goal !== undefined && digest.task !== undefined) add(digest.goal, 0.35);
	candidates.push(...namedWork(digest));
	if (digest.task === undefined) for (const text of wordsWithoutTask(digest)) add(text, 0.3);
	return candidates;
}

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

/** Openings that lean on a sentence before: such a clause does not stand alone. */
const LEANING =
	/^(?:that|this|it|these|those|they|and|or|but|so|because|same|also|like|then|therefore|which|if|when|is|are|can|could|그리고|근데|그럼|그래서|이거|이것|还有|而且|但是|y |pero |o )/i;
/** A pronoun that stands for what was said before, where it is no article of a noun. */
const POINTING =
	/\b(?:it|them|that one|this one|the above)\b|\b(?:this|that|these|those|here)(?=[.,;:?!]|$| (?:is|was|are|should|must|needs?|does|seems|looks|in|on|to|for|with|and|or|as|must)\b)/i;
/** Questions by their first word, where no mark says so. */
const ASKING =
	/^(?:why|what|where|when|which|who|how (?:do|does|did|come)|did|do|does|any idea|are|is|was)\b/i;
/** What the speaker did or thinks is seldom what is wanted. */
const OWN = /^(?:i|i'm|i've|i'd|i'll|you|you've|all i)\s/i;

function scoreOf({ text, position, isQuestion, isMarked, isQuoted }: Clause, relevance: Relevance): number {
	// Paths say where, not what.
	const amount = substance(text.replace(/@?(?:https?:\/\/|[\w.~-]*\/)\S+/g, ""));
	const brevity = amount < 5 ? (5 - amount) * 0.06 : 0;
	const room = fits(text);
	const leaning = LEANING.test(text) ? leaningCost(position) : 0;
	const pointing = POINTING.test(text.slice(0, 30)) ? 0.25 : 0;
	const answer = /^\d+[.)]?\s/.test(text) ? 0.15 : 0;
	// A doubt on the way is not what the work is for, unless there is nothing else.
	const question = (isQuestion || ASKING.test(text)) && !/^how to /i.test(text) ? 0.15 : 0;
	const own = OWN.test(text) ? 0.1 : 0;
	const code = /^\w+\(|\w\([^()]*\)\s*[:;{]|[;{}]\s/.test(text) ? 0.4 : 0;
	const list = enumerationCost(text);
	// How it is to be handed over is not what it is.
	const means = isHandling(text) ? 0.35 : 0;
	const marked = (isMarked ? 0.12 : 0) + (isQuoted ? 0.25 : 0);
	const costs = brevity + room + leaning + pointing + answer + question + own + code + list + means + marked;
	return relevance(text) - costs - Math.min(position, 4) * 0.05;
}

/** Whoever opens with a pointing word may still say what at. */
function leaningCost(position: number): number {
	return position > 0 ? 0.15 : 0.05;
}

/** What it costs that a clause does not fit: little where a whole thought of it does. */
function fits(text: string): number {
	if (displayWidth(text) <= HEADLINE_COLUMNS) return 0;
	if (wholeThought(text, HEADLINE_COLUMNS) !== undefined) return 0.1;
	return wholePhrase(text, HEADLINE_COLUMNS) === undefined ? 0.3 : 0.12;
}

/** Names in a row, or one thing mapped to another: parts of a specification. */
function enumerationCost(text: string): number {
	const parts = text.replace(/\s(?:->|→|=>)\s.*$/, "").split(/,\s+/);
	if (parts.length > 3 && parts.every((part) => !/\s\S+\s/.test(part))) return 0.3;
	if (/^.{0,40}?\s(?:->|→|=>|=)\s+\S+$/.test(text)) return 0.3;
	return /^\S+(?: \S+)?\s(?:->|→|=>|=)\s/.test(text) ? 0.18 : 0;
}

function shorten(text: string): string {
	return (
		wholeThought(text, HEADLINE_COLUMNS) ??
		wholePhrase(text, HEADLINE_COLUMNS) ??
		clipColumns(text, HEADLINE_COLUMNS)
	);
}

function withoutEnd(text: string): string {
	return text.replace(/[\s.,;:!?。、，！？：；]+$/u, "");
}
