/** Whether a session contains enough for a recap. */

import { isAsked, remarksOf, stepsOf } from "../session-core/timeline/turn.ts";
import type { Timeline } from "../session-core/timeline/types.ts";

export interface Worth {
	/** Since the last prompt there was a tool call, enough text, an abort or an error. */
	sincePrompt: boolean;
	/** For a reopened session: `sincePrompt`, or any earlier step or second request. */
	reopened: boolean;
}

/** Words since the last prompt that make a recap worthwhile. */
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
