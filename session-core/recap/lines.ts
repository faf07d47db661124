/** An offline recap as the one to three short lines of a widget: the task, where it stands, what is open. */
import { displayWidth } from "../text/clip.ts";
import { clause } from "../text/statement.ts";
import { ENGLISH } from "../words/en.ts";
import type { Words } from "../words/words.ts";
import type { OfflineRecap, Slot } from "./heuristic.ts";
import { actionLine, openPoints, stateLine } from "./text.ts";

export const LINE_COLUMNS = 160;

export function recapLines({ recap, slots }: OfflineRecap, words: Words = ENGLISH): string[] {
	// A request cut short that, once cut to the line, only repeats the headline is left out.
	const next = openPoints(recap)
		.map((point) => ({ point, line: clause(actionLine(point, words), LINE_COLUMNS) }))
		.find(({ point: { kind, text }, line }) => {
			const left = line.slice(actionLine({ kind, text: "" }, words).length);
			return (
				kind !== "cut_short" ||
				left === text ||
				openPoints({ headline: recap.headline, next_actions: [left] }).length > 0
			);
		});
	return [recap.headline, stateWithBullets(recap, slots, words), next?.line ?? ""].filter(
		(line) => line !== "",
	);
}

/** The state, and behind it the most telling bullets that fit. */
function stateWithBullets(recap: OfflineRecap["recap"], slots: readonly Slot[], words: Words): string {
	let line = stateLine(recap, words);
	for (const bullet of telling(recap.bullets, slots)) {
		const longer = line === "" ? bullet : `${line} · ${bullet}`;
		if (displayWidth(longer) <= LINE_COLUMNS) line = longer;
		else if (displayWidth(line) < LINE_COLUMNS / 2) return clause(longer, LINE_COLUMNS);
	}
	return line;
}

/** Why it ended, what was done, what was said; what was asked before that only where nothing else is known. */
const RANKS: Readonly<Record<Slot, number>> = { error: 0, did: 1, said: 2, larger: 3, asked: 3 };

function telling(bullets: readonly string[], slots: readonly Slot[]): string[] {
	return bullets
		.map((text, index) => ({ text, rank: RANKS[slots[index] ?? "said"] }))
		.toSorted((a, b) => a.rank - b.rank)
		.map(({ text }) => text);
}
