import type { BoardEffect, Facts, Question, Row } from "./types.ts";

/** Asked in any case, as in the host's picker: one key must not take a session away. */
export function deleteQuestion({ row, trash }: Pick<Facts, "row" | "trash">): Question<BoardEffect> {
	if (!trash) return forGoodQuestion(row, "There is no trash here.");
	return {
		text: `Move “${row.title}” to the trash?`,
		choices: [{ label: "Move it to the trash", value: { type: "delete", row, how: "trash" } }, KEEP],
	};
}

/** What nothing brings back is never the first choice. */
export function forGoodQuestion(row: Row, why: string): Question<BoardEffect> {
	return {
		text: `${why} Delete “${row.title}” for good? Nothing brings it back.`,
		choices: [KEEP, { label: "Delete it for good", value: { type: "delete", row, how: "for_good" } }],
	};
}

const KEEP = { label: "Keep it", value: undefined } as const;
