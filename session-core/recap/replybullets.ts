import { isCourtesy } from "../digest/asking.ts";
import { claimsIn, isUnsupported } from "../digest/claims.ts";
import { readBlocks } from "../digest/prose.ts";
import { tellingTerms } from "../digest/terms.ts";
import type { Digest } from "../digest/types.ts";
import { substance } from "../digest/voice.ts";
import { displayWidth } from "../text/clip.ts";
import { BULLET_COLUMNS, type Candidate } from "./candidate.ts";
import { LABELS } from "./labels.ts";
import { isNarration } from "./narration.ts";
import { concreteness, type Relevance } from "./relevance.ts";
import { isBareNames, thoughtsOf } from "./thoughts.ts";
import { plain, wholeThought } from "./wording.ts";

/** What replies say, as candidates for bullets: by how concrete it is, and how much it has to do with the requests. */
export function replyBullets(digest: Digest, relevance: Relevance, sources: readonly Source[]): Candidate[] {
	const short = shortReply(digest);
	if (short) return [short];
	const heads = new Set(readHeads(sources));
	const skip = new Set([...digest.offers, ...digest.nextSteps, digest.interrupted ?? ""].map(plain));
	const isStopped = digest.outcome === "aborted" || digest.outcome === "running";
	// An answer's first sentence is the answer, and that of a few words on a deed says what was done; a report's is a greeting.
	const acts = digest.activity.acted && digest.mainReply !== undefined;
	const isAnswer = !digest.files.some((file) => file.inThread);
	const candidates: Candidate[] = [];
	sources.forEach(({ reply, cost }, index) => {
		const isNewest = reply === digest.lastReply;
		const isOnTheWay = digest.narration.includes(reply);
		const thoughts = thoughtsOf(isNewest && isStopped ? withoutTornEnd(reply) : reply);
		const told = thoughts.filter(
			({ text }) =>
				!skip.has(text) &&
				!isNarration(text) &&
				displayWidth(text) >= 16 &&
				!isBareNames(text) &&
				!isCourtesy(text) &&
				!QUOTATION.test(text) &&
				!(!isNewest && STEP.test(text)) &&
				!(isOnTheWay && /[:：]$/.test(text)),
		);
		// A report that is a summary from its first line on has no conclusion of its own.
		const sums =
			!isOnTheWay && cost < 0.1 && told.filter(({ concludes }) => concludes).length < told.length / 2;
		told.forEach((thought, rank) => {
			const text = wholeThought(thought.text, BULLET_COLUMNS);
			if (text === undefined || isUnsupported(text, digest.shown) || claimsIn(text).includes("checks"))
				return;
			const first = rank === 0 && isNewest && (isAnswer || acts) ? 0.2 : 0;
			const early = rank < 3 ? 0.05 : 0;
			const thin = substance(text) < 4 ? 0.15 : 0;
			const wide = text.split(", ").length >= 4 && thought.isItem && /^[^,]{1,40}: /.test(text) ? 0.06 : 0;
			const heading = heads.has(text) ? headingCost(text) : 0;
			const sum = sums && thought.concludes && !heads.has(text) ? 0.2 : 0;
			const worth = concreteness(text) * 0.35 + relevance(text) * 0.8 + sum - thin - wide - heading;
			candidates.push({
				text,
				score: worth + first + early - cost,
				order: 10 - index + thought.position / 1_000,
			});
		});
	});
	return candidates;
}

/** What an agent says between tool calls of what it is about to do. */
const STEP =
	/^(?:also|next|then|now|finally) (?!the |it |its |there |this |that |all |both |we have|uses?\b|\w+s\b)/i;
/** Examples and words of somebody else, and nothing about them. */
const QUOTATION = /^["“「'][^"”」]*["”」'](?:\s·\s["“「'][^"”」]*["”」']?)*$/;

/** The text of a run that was stopped may end in the middle of a word. */
function withoutTornEnd(reply: string): string {
	if (/[.!?。！？)]\s*$/.test(reply)) return reply;
	const end = Math.max(reply.lastIndexOf("\n"), reply.lastIndexOf(". "));
	return reply.slice(0, Math.max(0, end));
}

/** The headings of replies: they sum up only where they say something that is not in every report. */
function readHeads(sources: readonly Source[]): string[] {
	return sources.flatMap(({ reply }) =>
		readBlocks(reply).flatMap((block) => (block.kind === "heading" ? plain(block.text) : [])),
	);
}

function headingCost(text: string): number {
	return tellingTerms(text).size < 4 || !/[\d#]/.test(text) ? 0.3 : 0.05;
}

/** A reply, whole. */
interface Source {
	reply: string;
	/** How much less its words weigh. */
	cost: number;
}

/** The newest reply, the one that reported the work, and what was said on the way. */
export function newestReplies({ lastReply, mainReply, narration, outcome, activity }: Digest): Source[] {
	// Behind a side question the report on the work is what somebody comes back to.
	const isAside = mainReply !== undefined && !activity.acted;
	const last = { reply: lastReply ?? "", cost: isAside ? 0.12 : 0 };
	const main = { reply: mainReply ?? "", cost: 0.02 };
	// A run that was cut short reported nothing: what it said on the way is all there is.
	const isCut = outcome === "aborted" || outcome === "error" || outcome === "running";
	return [
		last,
		main,
		...narration
			.toReversed()
			.slice(0, isCut ? 4 : 1)
			.map((reply) => ({ reply, cost: isCut ? 0.12 : 0.2 })),
	];
}

/** What was said before: earlier in the thread, and before it. */
export function olderReplies({ earlierReplies, olderReplies: older }: Digest): Source[] {
	return [
		...earlierReplies.toReversed().map((reply, age) => ({ reply, cost: 0.1 + age * 0.05 })),
		...older.toReversed().map((reply, age) => ({ reply, cost: 0.2 + age * 0.05 })),
	];
}

/** A reply of a few words to a prompt without tools is the whole result. */
function shortReply({ lastReply, mainReply, outcome, activity }: Digest): Candidate | undefined {
	const text = plain(lastReply ?? "");
	if (outcome !== "done" || mainReply !== undefined || activity.toolCalls > 0) return undefined;
	if (text === "" || displayWidth(text) > 40 || !/[\p{L}\p{N}]/u.test(text)) return undefined;
	return { text: `${LABELS.replied}${text}`, score: 0.5, order: 10 };
}
