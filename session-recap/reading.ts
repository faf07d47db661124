import type { SessionFacts } from "../session-core/model/check-claims.ts";
import { type WantedLanguage, wantedLanguage } from "../session-core/model/wanted-language.ts";
import { artifactLine } from "../session-core/recap/artifacts.ts";
import { offlineRecap } from "../session-core/recap/heuristic.ts";
import { recapLines } from "../session-core/recap/lines.ts";
import { RECAP_TEXT_ENTRY, type SavedRecap, savedRecap } from "../session-core/recap/saved-recap.ts";
import { recentCustomEntries, walkBranch } from "../session-core/session-file/branch.ts";
import type { SessionSource } from "../session-core/session-file/entry.ts";
import { renderTimeline } from "../session-core/timeline/render.ts";
import { readTimeline } from "../session-core/timeline/timeline.ts";
import { ownLanguage } from "../session-core/timeline/user-language.ts";
import type { Wordbook } from "../session-core/words/wordbook.ts";
import { type Worth, worthOf } from "./worth.ts";

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
	worth: Worth;
	/** What the last work made or changed, in one line; stands below a model's sentences. Empty: nothing. */
	artifacts: string;
	/** What a model would be given, and what its answer is held against. Built on demand: most looks never need it. */
	question(): Question;
}

/** What a recap call is made of. */
export interface Question {
	ground: SessionFacts;
	/** In which language to write. */
	language: WantedLanguage;
}

/** Read the active branch, and choose the words by it. Bounded by what is shown, not by how long the session is. */
export function readConversation(source: SessionSource, cwd: string, wordbook: Wordbook): Reading {
	const slice = walkBranch(source);
	const timeline = readTimeline(slice, { cwd });
	const { stamp, turns } = timeline;
	const own = ownLanguage(timeline);
	wordbook.follow(own);
	const { words } = wordbook;
	const offline = offlineRecap(timeline, { id: "", subjectId: "", createdAt: 0 }, words);
	return {
		stamp,
		lines: recapLines(offline, words),
		artifacts: artifactLine(offline.recap.artifacts),
		saved: savedRecap(recentCustomEntries(slice, RECAP_TEXT_ENTRY), stamp),
		hasTask: turns.some(({ request }) => request !== undefined),
		worth: worthOf(timeline),
		question: () => ({
			ground: { input: renderTimeline(timeline), timeline },
			language: wantedLanguage(own, wordbook.setting),
		}),
	};
}
