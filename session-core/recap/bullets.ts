import { goalOf } from "../digest/summary.ts";
import { shareIn, tellingTerms, termsOf } from "../digest/terms.ts";
import type { Digest } from "../digest/types.ts";
import { isRequest, substance } from "../digest/voice.ts";
import { BULLET_COLUMNS, type Candidate } from "./candidate.ts";
import { clausesOf } from "./clauses.ts";
import { LABELS } from "./labels.ts";
import { wholePhrase } from "./phrase.ts";
import type { Relevance } from "./relevance.ts";
import { newestReplies, olderReplies, replyBullets } from "./replybullets.ts";
import { plain, wholeThought } from "./wording.ts";
import { workBullets } from "./workbullets.ts";

export const MAX_BULLETS = 5;

/** Below this a line is not worth reading. */
const ENOUGH = 0.3;
/** The same for replies from before, which are read only where there is little else. */
const ENOUGH_OLDER = 0.18;

/** What happened: the most telling facts, in the order in which they happened. At most five, within `budget` characters. */
export function chooseBullets(
	digest: Digest,
	headline: string,
	relevance: Relevance,
	budget: number,
): string[] {
	const facts = [
		...goalBullets(digest, relevance),
		...requestBullets(digest, headline),
		...workBullets(digest),
	];
	const picker = pick(headline, budget);
	const told = replyBullets(digest, relevance, newestReplies(digest));
	picker.take([...facts, ...told]);
	// Older replies, and less telling words, only where the newest ones left the card nearly empty.
	if (picker.chosen.length < 3)
		picker.take(replyBullets(digest, relevance, olderReplies(digest)), ENOUGH_OLDER);
	if (picker.chosen.length < 3) picker.take(told, ENOUGH_OLDER);
	return picker.chosen.toSorted((a, b) => a.order - b.order).map(({ text }) => text);
}

function pick(headline: string, budget: number) {
	const chosen: Candidate[] = [];
	const known = termsOf(headline);
	let left = budget;
	const take = (candidates: Candidate[], enough = ENOUGH): void => {
		for (const candidate of candidates.toSorted((a, b) => b.score - a.score)) {
			if (chosen.length === MAX_BULLETS || candidate.score < enough) return;
			const terms = termsOf(candidate.text);
			const isKnown = !candidate.isDistinct && shareIn(terms, known) > 0.7;
			if (candidate.text.length + 3 > left || isKnown) continue;
			chosen.push(candidate);
			left -= candidate.text.length + 3;
			for (const term of terms) known.add(term);
		}
	};
	return { chosen, take };
}

/** Whether a text holds another as whole words. */
export function isPartOf(part: string, whole: string): boolean {
	const at = whole.indexOf(part);
	return at >= 0 && !/[\p{L}\p{N}]/u.test(whole.charAt(at + part.length));
}

/** What the work is part of, where a summary names a goal that still has to do with it. */
function goalBullets(digest: Digest, relevance: Relevance): Candidate[] {
	const goal = goalOf(digest.summary)?.split("\n")[0];
	const text = goal && wholeThought(plain(goal), BULLET_COLUMNS - 6);
	return text ? [{ text: `${LABELS.goal}${text}`, score: relevance(text) + 0.15, order: -0.5 }] : [];
}

/** The newest request, where the headline is an older one. */
function requestBullets(digest: Digest, headline: string): Candidate[] {
	const newest = digest.prompts.slice(digest.threadStart).findLast(isRequest);
	if (newest === undefined || tellingTerms(newest).size === 0) return [];
	// Thanks and the like are answered in a few words.
	const { toolCalls, replyWords } = digest.activity;
	if (digest.outcome === "done" && toolCalls === 0 && replyWords < 12 && digest.mainReply !== undefined)
		return [];
	const words = clausesOf(newest).slice(0, 2).join(" ");
	const title = termsOf(headline);
	// The headline is a clause of it, or it says nothing that the headline does not.
	const said = plain(newest);
	const isClause = isPartOf(headline, said) || isPartOf(headline, said.replace(/\s+\([^()]*\)/g, ""));
	if (words === "" || isClause || shareIn(termsOf(words), title) > 0.85) return [];
	const room = BULLET_COLUMNS - LABELS.asked.length;
	const text = wholeThought(words, room) ?? wholePhrase(words, room);
	// A few words ("how can we fix it?") say little where they stand alone.
	const score = substance(words) < 5 ? 0.55 : 1;
	return text === undefined ? [] : [{ text: `${LABELS.asked}${text}`, score, order: 0 }];
}
