/** Shortens an offline recap to the one to three lines of a widget: the task, its state, and the first open item. */
import { displayWidth } from "../text/clip.ts";
import { cutAtClause } from "../text/fit-line.ts";
import type { CardWords } from "../words/card-words.ts";
import { ENGLISH } from "../words/card-words.ts";
import type { OfflineRecap } from "./heuristic.ts";
import type { SessionRecord } from "./record.ts";
import { actionLine, nextOf, openPoints, stateLine } from "./text.ts";

export const LINE_COLUMNS = 160;

export function recapLines({ recap, work }: OfflineRecap, words: CardWords = ENGLISH): string[] {
	const headline = cutAtClause(recap.text ?? recap.headline, LINE_COLUMNS);
	const short = openPoints(recap).map(({ kind, text }) => {
		const room = LINE_COLUMNS - displayWidth(actionLine({ kind, text: "" }, words));
		return { kind, text: cutAtClause(text, room) };
	});
	// Drops each open item that, once cut to the width of the line, only repeats the headline.
	const [next] = openPoints({ headline, ...nextOf(short) });
	const state = stateWithBullets(recap, work, words);
	return [headline, state, next ? actionLine(next, words) : ""].filter((line) => line !== "");
}

/** Returns the state of the work, followed by the bullets that fit. */
function stateWithBullets({ outcome }: SessionRecord, bullets: readonly string[], words: CardWords): string {
	let line = stateLine({ outcome }, words);
	for (const bullet of bullets) {
		const longer = line === "" ? bullet : `${line} · ${bullet}`;
		if (displayWidth(longer) <= LINE_COLUMNS) line = longer;
		else if (displayWidth(line) < LINE_COLUMNS / 2) return cutAtClause(longer, LINE_COLUMNS);
	}
	return line;
}
