/** Whether a session holds enough for a recap to be worth its place. */

import { isAsked, remarksOf, stepsOf } from "../session-core/timeline/turn.ts";
import type { Timeline } from "../session-core/timeline/types.ts";

export interface Worth {
	/** Since the last prompt: a call was made, enough was said, or it ended badly. */
	sincePrompt: boolean;
	/** In a session that was opened again: something since the last prompt, or anything done or asked twice before. */
	reopened: boolean;
}

/** Words since the last prompt from which what was said is enough. */
const ENOUGH_WORDS = 30;

export function worthOf({ turns }: Pick<Timeline, "turns">): Worth {
	const since = turns.slice(Math.max(0, turns.findLastIndex(isAsked)));
	const said = since.flatMap((turn) => [turn.reply ?? "", ...remarksOf(turn)]).join(" ");
	const sincePrompt =
		since.flatMap(stepsOf).some(({ kind }) => kind === "call") ||
		(said.match(/\S+/g)?.length ?? 0) >= ENOUGH_WORDS ||
		since.some(({ end }) => end === "aborted" || end === "error");
	const requests = turns.filter(({ request }) => request !== undefined).length;
	return {
		sincePrompt,
		reopened: sincePrompt || requests > 1 || turns.some(({ steps }) => steps.length > 0),
	};
}
