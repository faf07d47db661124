/** Shortens an offline recap to the one to three lines of a widget: the task, its state, and the first open item. */
import { displayWidth } from "../text/clip.ts";
import { cutAtClause } from "../text/fit-line.ts";
import type { CardWords } from "../words/card-words.ts";
import { ENGLISH } from "../words/card-words.ts";
import type { OfflineRecap, Slot } from "./heuristic.ts";
import type { SessionRecord } from "./record.ts";
import { actionLine, nextOf, openPoints, stateLine } from "./text.ts";

export const LINE_COLUMNS = 160;

export function recapLines({ recap, slots }: OfflineRecap, words: CardWords = ENGLISH): string[] {
	const { headline } = recap;
	const short = openPoints(recap).map(({ kind, text }) => {
		const room = LINE_COLUMNS - displayWidth(actionLine({ kind, text: "" }, words));
		return { kind, text: cutAtClause(text, room) };
	});
	// Drops each open item that, once cut to the width of the line, only repeats the headline.
	const [next] = openPoints({ headline, ...nextOf(short) });
	const state = stateWithBullets(recap, slots, words);
	return [headline, state, next ? actionLine(next, words) : ""].filter((line) => line !== "");
}

/** Returns the state of the work, followed by the most informative bullets that fit. */
function stateWithBullets(
	{ outcome, bullets }: SessionRecord,
	slots: readonly Slot[],
	words: CardWords,
): string {
	const rank = (index: number): number => RANKS[slots[index] ?? "said"];
	const order = [...bullets.keys()].toSorted((a, b) => rank(a) - rank(b));
	let line = stateLine({ outcome }, words);
	for (const bullet of order.map((index) => bullets[index] ?? "")) {
		const longer = line === "" ? bullet : `${line} · ${bullet}`;
		if (displayWidth(longer) <= LINE_COLUMNS) line = longer;
		else if (displayWidth(line) < LINE_COLUMNS / 2) return cutAtClause(longer, LINE_COLUMNS);
	}
	return line;
}

/**
 * The order of the bullets: first the error, then the work that was done, then the last step and the reply, and finally the larger task and
 * the request.
 */
const RANKS: Readonly<Record<Slot, number>> = {
	error: 0,
	did: 1,
	lastStep: 2,
	said: 2,
	larger: 3,
	first: 3,
	asked: 3,
};
