import { wantedLanguage } from "../session-core/model/wanted-language.ts";
import { walkBranch } from "../session-core/session-file/branch.ts";
import type { SessionSource } from "../session-core/session-file/entry.ts";
import type { Language } from "../session-core/text/language.ts";
import { readTimeline } from "../session-core/timeline/timeline.ts";
import type { Timeline } from "../session-core/timeline/types.ts";
import { ownLanguage } from "../session-core/timeline/user-language.ts";
import type { LanguageCode } from "../session-core/words/languages.ts";
import { titlePrompt } from "./prompt.ts";
import { titleFacts } from "./title-facts.ts";
import { hasTopic } from "./topic.ts";

/** One look at the conversation: what a title of this moment is made of. */
export interface Reading {
	/** Id of the last message; undefined: nothing was said yet. */
	stamp: string | undefined;
	/** There is something to name the session after. */
	hasTopic: boolean;
	/** The language of a title: the one that is set, else the user's own. */
	language: Language | undefined;
	/** The language of the user's own prompts. */
	own: Language | undefined;
	/** What the user said, to hold a copy against. */
	prompts: readonly string[];
	/** What a model would be given. Built on demand. */
	prompt(): string;
}

/** Prompts that a copy is looked for in. */
const NEWEST_PROMPTS = 12;

/** Read the active branch. Bounded by what is sent, not by how long the session is. */
export function readConversation(source: SessionSource, cwd: string, setting?: LanguageCode): Reading {
	return readingOf(readTimeline(walkBranch(source), { cwd }), setting);
}

export function readingOf(timeline: Timeline, setting?: LanguageCode): Reading {
	const spoken = timeline.turns.flatMap(({ request }) => (request === undefined ? [] : [request]));
	const own = ownLanguage(timeline);
	const { language, hint } = wantedLanguage(own, setting);
	return {
		stamp: timeline.stamp,
		hasTopic: hasTopic(timeline),
		language,
		own,
		prompts: [...new Set([...spoken.slice(0, 2), ...spoken.slice(-NEWEST_PROMPTS)])],
		prompt: () => titlePrompt(titleFacts(timeline), hint),
	};
}

/** The user message of a title call for the conversation as it stands. */
export function titleInput(source: SessionSource, cwd: string): string {
	return readConversation(source, cwd).prompt();
}
