import { clipColumns } from "../text/clip.ts";
import { withoutFinalMark } from "../text/fit-line.ts";
import { safeText } from "../text/safe.ts";
import { cleanLine } from "../text/sanitize.ts";
import type { SessionRecord } from "./record.ts";

type Words = Pick<SessionRecord, "headline" | "bullets" | "next_actions">;

const MAX_BULLETS = 5;
const MAX_ACTIONS = 3;
const HEADLINE_COLUMNS = 80;
const LINE_COLUMNS = 120;

/** Converts text from a model or a user to the form that records use: single lines, safe to show and limited in length. */
export function tidyWords({ headline, bullets, next_actions }: Words): Words {
	return {
		headline: clipColumns(withoutFinalMark(clean(headline)), HEADLINE_COLUMNS),
		bullets: tidyLines(bullets).slice(0, MAX_BULLETS),
		next_actions: tidyLines(next_actions)
			.map((line) => line.replace(/[.。]$/u, ""))
			.slice(0, MAX_ACTIONS),
	};
}

function tidyLines(lines: readonly string[]): string[] {
	return lines.map((line) => clipColumns(clean(line), LINE_COLUMNS)).filter((line) => line !== "");
}

function clean(text: string): string {
	return cleanLine(safeText(text)).replace(/^[-*•]\s+/, "");
}
