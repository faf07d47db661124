/** A record as the one to three short lines of a widget: the task, where it stands, what is open. */
import { displayWidth } from "../text/clip.ts";
import { clause } from "../text/statement.ts";
import { LABELS } from "./labels.ts";
import type { Recap } from "./record.ts";
import { actionLine, openPoints, stateLine } from "./text.ts";

export const LINE_COLUMNS = 160;

export function recapLines(recap: Recap): string[] {
	// An open point that, once cut to the line, only repeats the headline is left out.
	const next = openPoints(recap)
		.map((action) => clause(actionLine(action), LINE_COLUMNS))
		.find((line) => openPoints({ ...recap, next_actions: [line] }).length > 0);
	return [recap.headline, standing(recap), next ?? ""].filter((line) => line !== "");
}

/** The state, and behind it the most telling bullets that fit. */
function standing(recap: Recap): string {
	let line = stateLine(recap);
	for (const bullet of telling(recap.bullets)) {
		const longer = line === "" ? bullet : `${line} · ${bullet}`;
		if (displayWidth(longer) <= LINE_COLUMNS) line = longer;
		else if (displayWidth(line) < LINE_COLUMNS / 2) return clause(longer, LINE_COLUMNS);
	}
	return line;
}

/** Why it ended, what was done, what was said; what was asked before that only where nothing else is known. */
function telling(bullets: readonly string[]): string[] {
	const order = [LABELS.error, LABELS.did, LABELS.said, ""];
	const rank = (bullet: string): number => {
		if (bullet.startsWith(LABELS.larger) || bullet.startsWith(LABELS.asked)) return order.length;
		return order.findIndex((label) => bullet.startsWith(label));
	};
	return bullets.toSorted((a, b) => rank(a) - rank(b));
}
