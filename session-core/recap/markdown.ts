import { cleanLine } from "../text/sanitize.ts";
import { ENGLISH } from "../words/en.ts";
import type { Words } from "../words/words.ts";
import type { Recap } from "./record.ts";
import { actionLine, openPoints, stateLine } from "./text.ts";

/** One line of a session's text in Markdown: neither a heading, a quotation, a link nor HTML of its own. */
export function inert(text: string): string {
	return cleanLine(text)
		.replace(/[<\\]/g, "\\$&")
		.replace(/\](?=[([:])/g, "\\]")
		.replace(/^(?=[#>+*|=-]|~~~|\d+[.)])/, "\\");
}

/** The lines of a recap as a list: what happened, what is open, and what it made or changed. */
export function recapItems(recap: Recap, words: Words = ENGLISH): string[] {
	return [
		...recap.bullets.map(inert),
		...openPoints(recap).map((point) => inert(actionLine(point, words))),
		...recap.artifacts.map(({ locator }) => code(locator)),
	].map((line) => `- ${line}`);
}

/** The whole recap as Markdown. */
export function recapMarkdown(recap: Recap, words: Words = ENGLISH): string {
	const state = stateLine(recap, words);
	const head = [`## ${inert(recap.headline)}`, ...(state === "" ? [] : [`*${inert(state)}*`])];
	return [head.join("\n\n"), recapItems(recap, words).join("\n")].filter(Boolean).join("\n\n");
}

/** A code span whose fence is longer than any run of backticks in it (CommonMark 6.1). */
function code(text: string): string {
	const line = cleanLine(text);
	const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
	const fence = "`".repeat(longest + 1);
	const room = longest > 0 ? " " : "";
	return `${fence}${room}${line}${room}${fence}`;
}
