import { wantedLanguage } from "../session-core/model/wanted-language.ts";
import { walkBranch } from "../session-core/session-file/branch.ts";
import type { SessionSource } from "../session-core/session-file/entry.ts";
import type { Language } from "../session-core/text/language.ts";
import { readTimeline } from "../session-core/timeline/timeline.ts";
import type { Timeline } from "../session-core/timeline/types.ts";
import { ownLanguage } from "../session-core/timeline/user-language.ts";
import type { LanguageCode } from "../session-core/words/languages.ts";
import { judgeTitle } from "./model-answer/check-title.ts";
import { titlePrompt } from "./prompt.ts";
import { titleFacts } from "./title-facts.ts";
import { hasTopic, ownTitle } from "./topic.ts";

/** The facts about a conversation that a title request needs. */
export interface Reading {
	/** The id of the last message; undefined if there is none yet. */
	stamp: string | undefined;
	/** The session has a topic. */
	hasTopic: boolean;
	/** The user's only prompt, if it is a title itself. No model is called then. */
	ownTitle: string | undefined;
	/** The language of the title: the language that the user has set; failing that, the language of the user's prompts. */
	language: Language | undefined;
	/** The language of the user's own prompts. */
	own: Language | undefined;
	/** The user's prompts. A title that copies one of them is not accepted. */
	prompts: readonly string[];
	/** Returns the user message for a model. It is built only on demand. */
	prompt(): string;
}

/** Number of most recent prompts that a title is compared with. */
const NEWEST_PROMPTS = 12;

export function readingOf(timeline: Timeline, setting?: LanguageCode): Reading {
	const prompts = timeline.turns.flatMap(({ request }) => (request === undefined ? [] : [request]));
	const own = ownLanguage(timeline);
	const { language, hint } = wantedLanguage(own, setting);
	const title = ownTitle(timeline);
	const judged = title === undefined ? undefined : judgeTitle(title, { prompts: [], language });
	return {
		stamp: timeline.stamp,
		hasTopic: hasTopic(timeline),
		ownTitle: judged?.ok ? judged.title : undefined,
		language,
		own,
		prompts: [...new Set([...prompts.slice(0, 2), ...prompts.slice(-NEWEST_PROMPTS)])],
		prompt: () => titlePrompt(titleFacts(timeline), hint),
	};
}

/** Returns the user message of a title request for the current conversation. */
export function titleInput(source: SessionSource, cwd: string): string {
	return readingOf(readTimeline(walkBranch(source), { cwd })).prompt();
}
