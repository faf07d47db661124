import { artifactName } from "../../session-core/recap/artifacts.ts";
import type { Recap } from "../../session-core/recap/record.ts";
import { nextLines, stateLine } from "../../session-core/recap/text.ts";
import { longAge } from "../../session-core/words/age.ts";
import type { KeyWords, Words } from "../../session-core/words/words.ts";
import { freshLine } from "./fresh.ts";

/** What the card says, in words; the layout decides how much of it fits. */
export interface CardView {
	/** What the card is called. */
	name: string;
	/** What can be done with it, by commands. */
	hint: string;
	/** Age, then outcome and checks where there is something to say. */
	state: string;
	headline: string;
	/** The headline is a model's sentences, which say more than a headline does. */
	isDrafted: boolean;
	bullets: readonly string[];
	next: readonly string[];
	/** The last block, in one line. */
	artifacts: string;
	/** That it is better gone on with in a fresh session; empty: it is not. */
	fresh: string;
	/** What has changed in the repository since; empty: nothing, or not known. */
	repository: string;
	/** Made by rules, not by a model or a person: the glyph is dimmer. */
	offline: boolean;
	keyWords: KeyWords;
	/** The same by keys, the longest first; undefined: a program shows the card, which has none. */
	hints?: readonly string[];
}

export interface ViewFacts {
	recap: Recap;
	/** When the last message was said, in milliseconds since the epoch. */
	at: number | undefined;
	/** Share of the model's context that is used. */
	fill?: number | undefined;
	now: number;
	repository: string;
	/** A model's sentences on this very state. */
	drafted: string | undefined;
	words: Words;
}

export function viewOf({ recap, at, fill, now, repository, drafted, words }: ViewFacts): CardView {
	const age = at === undefined ? "" : longAge(at, now, words.age);
	// What a person wrote stands as it is.
	const sentences = recap.generator.type === "user_edited" ? undefined : drafted;
	return {
		state: [age, stateLine(recap, words)].filter(Boolean).join(" · "),
		headline: sentences ?? recap.headline,
		isDrafted: sentences !== undefined,
		bullets: recap.bullets,
		next: nextLines(recap, words),
		artifacts: recap.artifacts.map(artifactName).join(" · "),
		fresh: freshLine({ fill, at, now }, words.card),
		repository: repository && words.card.repository(repository),
		name: words.card.name,
		hint: words.card.hint,
		keyWords: words.keys,
		offline: recap.generator.type === "heuristic" && sentences === undefined,
	};
}
