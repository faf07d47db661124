import type { Digest } from "../digest/types.ts";
import { chooseArtifacts } from "./artifacts.ts";
import { chooseBullets } from "./bullets.ts";
import { chooseHeadline } from "./headline.ts";
import { LABELS } from "./labels.ts";
import { chooseNextActions } from "./next.ts";
import type { Recap } from "./record.ts";
import { relevanceOf } from "./relevance.ts";
import { recapText } from "./text.ts";

/** What the record needs besides the digest. */
export interface RecapStamp {
	id: string;
	subjectId: string;
	/** Unix seconds. */
	createdAt: number;
	/** Default "session". */
	kind?: Recap["kind"];
	/** The session's model, to be restored at a resume. */
	model?: { provider: string; model: string };
	cwd?: string;
}

/** Characters of the whole text: what fits on a card of ten lines. */
const TEXT_BOUND = 700;

/** Fills a recap record from a digest, offline: facts chosen and shortened, nothing put in other words. */
export function heuristicRecap(digest: Digest, stamp: RecapStamp): Recap {
	const headline = chooseHeadline(digest, relevanceOf(digest));
	const next = chooseNextActions(digest, headline);
	const first = next[0];
	const recap: Recap = {
		id: stamp.id,
		kind: stamp.kind ?? "session",
		subject_id: stamp.subjectId,
		generator: { type: "heuristic" },
		headline,
		bullets: [],
		next_actions: next,
		artifacts: chooseArtifacts(digest),
		outcome: digest.outcome,
		checks: digest.checks,
		...(first ? { resume_hint: { seed_instruction: first, ...stamp.model } } : {}),
		...(stamp.cwd ? { workspace: { cwd: stamp.cwd } } : {}),
		last_message_id: digest.stamp ?? "",
		created_at: stamp.createdAt,
	};
	while (recapText(recap).length > TEXT_BOUND && recap.artifacts.length > 0) recap.artifacts.pop();
	while (recapText(recap).length > TEXT_BOUND && recap.next_actions.length > 0) recap.next_actions.pop();
	const relevance = relevanceOf(digest, digest.prompts.slice(digest.threadStart));
	const bullets = chooseBullets(digest, headline, relevance, TEXT_BOUND - recapText(recap).length);
	return { ...recap, bullets: bullets.filter((bullet) => !isAskedAgain(bullet, next)) };
}

/** A last request that is to be sent again need not be said twice. */
function isAskedAgain(bullet: string, next: readonly string[]): boolean {
	const asked = bullet.startsWith(LABELS.asked) ? bullet.slice(LABELS.asked.length) : undefined;
	return asked !== undefined && next.some((action) => action.includes(asked));
}
