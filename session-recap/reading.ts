import { digestBranch } from "../session-core/digest/digest.ts";
import { renderDigest } from "../session-core/digest/render.ts";
import type { Checks } from "../session-core/digest/types.ts";
import { heuristicRecap } from "../session-core/recap/heuristic.ts";
import { recapLines } from "../session-core/recap/text.ts";
import { walkBranch } from "../session-core/session/branch.ts";
import { recentCustomEntries } from "../session-core/session/custom.ts";
import type { SessionSource } from "../session-core/session/entry.ts";
import { RECAP_ENTRY } from "./draft/entry.ts";
import { type SavedRecap, savedRecap } from "./draft/saved.ts";

/** One look at the conversation: what the recap of this moment is made of. */
export interface Reading {
	/** Id of the last message; undefined: nothing was said yet. */
	stamp: string | undefined;
	/** The offline recap, ready to show. */
	lines: string[];
	/** A model's recap of this very state that the session already holds. */
	saved: SavedRecap | undefined;
	/** There is a request of the user's to speak about. */
	hasTask: boolean;
	/** Whether coming back to it is worth a recap at all, and whether it is since the last prompt. */
	worth: { reopened: boolean; sincePrompt: boolean };
	checks: Checks;
	/** What a model would be given. Built on demand: most looks never need it. */
	facts(): string;
}

/** Words of reply since the last prompt from which a recap is worth its place. */
const ENOUGH_WORDS = 30;

/** Read the active branch. Bounded by what is shown, not by how long the session is. */
export function readConversation(source: SessionSource, cwd: string): Reading {
	const slice = walkBranch(source);
	const digest = digestBranch(slice, { cwd });
	const { activity, stamp, checks } = digest;
	const sincePrompt = activity.toolCalls > 0 || activity.replyWords >= ENOUGH_WORDS || activity.endedBadly;
	const didSomething = digest.files.length > 0 || digest.commands.length > 0 || digest.prompts.length > 1;
	return {
		stamp,
		checks,
		lines: recapLines(heuristicRecap(digest, { id: "", subjectId: "", createdAt: 0 })),
		saved: savedRecap(recentCustomEntries(slice, RECAP_ENTRY), stamp),
		hasTask: digest.task !== undefined,
		worth: { sincePrompt, reopened: sincePrompt || didSomething },
		facts: () => renderDigest(digest),
	};
}
