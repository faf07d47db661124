import { cleanLine, letters, safeText, withoutFinalMark } from "../text/index.ts";
import type { SessionRecord } from "./record.ts";
import { nextOf, pointsOf } from "./text.ts";

type Words = Pick<SessionRecord, "headline" | "bullets" | "next_actions">;

const MAX_BULLETS = 5;

/** Returns a record as a person edits it: the sentences of a note are its first bullet, and an offline headline is whole. */
export function editable({ text, ...recap }: SessionRecord): SessionRecord {
	if (text === undefined) return recap;
	if (recap.generator.type !== "llm") return { ...recap, headline: text };
	return { ...recap, bullets: [text, ...recap.bullets].slice(0, MAX_BULLETS) };
}

export function tidyHeadline(text: string): string {
	return withoutFinalMark(tidyLine(text).join(""));
}

type EditedWords = Words & Pick<SessionRecord, "generator" | "next_kinds">;

/**
 * Returns the words of a record after a user has edited them. Words that the user did not supply stay unchanged, and a line that is already
 * in the record keeps its text and its kind: the agent's question must not become a step, because a step may be sent as the user's words.
 * Nothing is cut.
 */
export function editedWords(
	recap: Words & Pick<SessionRecord, "next_kinds">,
	typed: Partial<Words>,
): EditedWords {
	const known = pointsOf(recap);
	const ownOf = (line: string) => recap.bullets.find((own) => isSameLine(line, own)) ?? tidyLine(line);
	const pointsIn = (line: string) =>
		known.find(({ text }) => isSameLine(line, text)) ??
		tidyLine(line).map((text) => ({ kind: "step" as const, text: text.replace(/[.。]$/u, "") }));
	const headline = typed.headline ?? recap.headline;
	return {
		generator: { type: "user_edited" },
		headline: isSameLine(headline, recap.headline) ? recap.headline : tidyHeadline(headline),
		bullets: typed.bullets?.flatMap(ownOf) ?? recap.bullets,
		...nextOf(typed.next_actions?.flatMap(pointsIn) ?? known),
	};
}

/** Whether a typed line is one of the record's lines, possibly as a surface showed it: cut, with "…" at its end. */
function isSameLine(typed: string, own: string): boolean {
	const line = cleanLine(typed);
	const beginning = line.endsWith("…") ? letters(line) : "";
	return line === own || (beginning !== "" && letters(own).startsWith(beginning));
}

function tidyLine(text: string): string[] {
	const line = cleanLine(safeText(text)).replace(/^[-*•]\s+/, "");
	return line === "" ? [] : [line];
}
