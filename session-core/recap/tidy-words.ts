import { cleanLine, letters, safeText, withoutFinalMark } from "../text/index.ts";
import { type SessionRecord, withHint } from "./record.ts";
import { nextOf, pointsOf } from "./text.ts";

const MAX_BULLETS = 5;

export function editable({ text, bullet_kinds: _, ...recap }: SessionRecord): SessionRecord {
	if (text === undefined) return recap;
	if (recap.generator.type !== "llm") return { ...recap, headline: text };
	return { ...recap, bullets: [text, ...recap.bullets].slice(0, MAX_BULLETS) };
}

export function tidyHeadline(text: string): string {
	return withoutFinalMark(tidyLine(text).join(""));
}

interface TypedWords {
	headline?: string | undefined;
	bullets?: readonly string[] | undefined;
	next_actions?: readonly string[] | undefined;
}

/**
 * A line that the user did not change keeps its kind, because a question must not become a step that may
 * be sent as a prompt.
 */
export function editedRecord(shown: SessionRecord, typed: TypedWords, current = shown): SessionRecord {
	const opened = editable(shown);
	const known = pointsOf(opened);
	const bulletsIn = (line: string) => opened.bullets.find((own) => isSameLine(line, own)) ?? tidyLine(line);
	const pointsIn = (line: string) =>
		known.find(({ text }) => isSameLine(line, text)) ??
		tidyLine(line).map((text) => ({ kind: "step" as const, text: text.replace(/[.。]$/u, "") }));
	const { headline = opened.headline } = typed;
	const { next_kinds: _, ...rest } = editable(current);
	return withHint({
		...rest,
		generator: { type: "user_edited" },
		headline: isSameLine(headline, opened.headline) ? opened.headline : tidyHeadline(headline),
		bullets: typed.bullets?.flatMap(bulletsIn) ?? opened.bullets,
		...nextOf(typed.next_actions?.flatMap(pointsIn) ?? known),
	});
}

function isSameLine(typed: string, own: string): boolean {
	const line = cleanLine(typed);
	const beginning = line.endsWith("…") ? letters(line) : "";
	return line === own || (beginning !== "" && letters(own).startsWith(beginning));
}

function tidyLine(text: string): string[] {
	const line = cleanLine(safeText(text)).replace(/^[-*•]\s+/, "");
	return line === "" ? [] : [line];
}
