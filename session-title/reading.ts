import { digestBranch } from "../session-core/digest/digest.ts";
import type { Digest } from "../session-core/digest/types.ts";
import { walkBranch } from "../session-core/session/branch.ts";
import type { SessionSource } from "../session-core/session/entry.ts";
import { type Language, languageOf } from "../session-core/text/language.ts";
import { titleFacts } from "./facts.ts";
import { titlePrompt } from "./prompt.ts";
import { hasTopic } from "./topic.ts";

/** One look at the conversation: what a title of this moment is made of. */
export interface Reading {
	/** Id of the last message; undefined: nothing was said yet. */
	stamp: string | undefined;
	/** There is something to name the session after. */
	hasTopic: boolean;
	/** The user's own language. */
	language: Language | undefined;
	/** What the user said, to hold a copy against. */
	prompts: readonly string[];
	/** What a model would be given. Built on demand. */
	prompt(): string;
}

/** Prompts that tell the user's language, besides the task. */
const VOICE = 6;

/** Read the active branch. Bounded by what is sent, not by how long the session is. */
export function readConversation(source: SessionSource, cwd: string): Reading {
	return readingOf(digestBranch(walkBranch(source), { cwd }));
}

export function readingOf(digest: Digest): Reading {
	const prompts = [...new Set([digest.opening, digest.task, ...digest.prompts])].filter(
		(prompt) => prompt !== undefined,
	);
	const voice = [...new Set([digest.task ?? "", ...digest.prompts.slice(-VOICE)])];
	const language = languageOf(voice.map((prompt) => prompt.slice(0, 600)).join("\n"));
	return {
		stamp: digest.stamp,
		hasTopic: hasTopic(digest),
		language,
		prompts,
		prompt: () => titlePrompt(titleFacts(digest), language),
	};
}

/** The user message of a title call for the conversation as it stands. */
export function titleInput(source: SessionSource, cwd: string): string {
	return readConversation(source, cwd).prompt();
}
