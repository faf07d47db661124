import type { BoardWords } from "../../session-core/words/words.ts";
import type { BoardEffect, Facts, Question, Row } from "./types.ts";

/** Asked in any case, as in the host's picker: one key must not take a session away. */
export function deleteQuestion(
	{ row, trash }: Pick<Facts, "row" | "trash">,
	words: BoardWords,
): Question<BoardEffect> {
	if (!trash) return forGoodQuestion(row, words.noTrash, words);
	return {
		text: words.trashQuestion(row.title),
		choices: [{ label: words.toTrash, value: { type: "delete", row, how: "trash" } }, keep(words)],
	};
}

/** What nothing brings back is never the first choice. */
export function forGoodQuestion(row: Row, why: string, words: BoardWords): Question<BoardEffect> {
	return {
		text: `${why} ${words.forGoodQuestion(row.title)}`,
		choices: [keep(words), { label: words.forGood, value: { type: "delete", row, how: "for_good" } }],
	};
}

function keep(words: BoardWords) {
	return { label: words.keep, value: undefined };
}
