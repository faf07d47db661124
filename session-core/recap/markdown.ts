/** A recap as Markdown. */

import { codeSpan, inert } from "../text/markdown.ts";
import type { CardWords } from "../words/card-words.ts";
import { ENGLISH } from "../words/card-words.ts";
import type { SessionRecord } from "./record.ts";
import { actionLine, openPoints, ownBullets, stateLine } from "./text.ts";

/** Returns the lines of a recap as a list: what happened, what is open, and the artifacts. */
export function recapItems(recap: SessionRecord, words: CardWords = ENGLISH): string[] {
	return [
		...ownBullets(recap, words).map(inert),
		...openPoints(recap).map((point) => inert(actionLine(point, words))),
		...recap.artifacts.map(({ locator }) => codeSpan(locator)),
	].map((line) => `- ${line}`);
}

export function recapMarkdown(recap: SessionRecord, words: CardWords = ENGLISH): string {
	const state = stateLine(recap, words);
	const head = [`## ${inert(recap.headline)}`, ...(state === "" ? [] : [`*${inert(state)}*`])];
	return [head.join("\n\n"), recapItems(recap, words).join("\n")].filter(Boolean).join("\n\n");
}
