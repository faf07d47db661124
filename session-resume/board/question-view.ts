import { wrapTextWithAnsi } from "@mariozechner/pi-tui";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { BoardWords } from "../../session-core/words/words.ts";
import { hints } from "./hints.ts";
import { type Span, span, row as spanRow } from "./spans.ts";
import type { BoardKey, Mode } from "./types.ts";

type Asking = Extract<Mode, { type: "question" }>;

interface View {
	width: number;
	height: number;
	keys: Readonly<Record<BoardKey, string>>;
	words: BoardWords;
}

/** A question takes the whole screen below the header, so that it can be read in any size. */
export function questionLines({ question, cursor }: Asking, { width, height, keys, words }: View): Span[][] {
	const choices = question.choices.map(({ label }, index) => {
		const isChosen = index === cursor;
		return spanRow(
			[span(isChosen ? " › " : "   ", "accent"), span(label, isChosen ? "accent" : "plain")],
			width,
		);
	});
	const roomy = height >= 12;
	const room = Math.max(1, height - 2 - choices.length - (roomy ? 3 : 0));
	const text = wrapTextWithAnsi(cleanLine(question.text), Math.max(1, width - 2)).slice(0, room);
	const blank = roomy ? [spanRow([], width)] : [];
	const asked = text.map((line) => spanRow([span(` ${line}`)], width));
	return [
		...blank,
		...asked,
		...blank,
		...choices,
		...blank,
		hints(
			[
				[keys.confirm, words.choose],
				[keys.cancel, words.back],
			],
			width,
		),
	];
}
