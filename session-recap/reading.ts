import { hasRequest, remarksOf, stepsOf, type Timeline } from "../session-core/log/timeline/index.ts";
import { offlineRecap, type Prepared, type WordsFor } from "../session-core/recap/index.ts";
import { type RecapView, viewOfRecord } from "./draft.ts";

export interface RecapReading extends Pick<Prepared, "reading"> {
	stamp: string;
	view: RecapView;
	worth: Worth;
}

/** Returns everything that is needed for a recap of this state; undefined if there is no message yet. */
export function recapReading({ reading, shown }: Prepared, wordsFor: WordsFor): RecapReading | undefined {
	const { stamp, timeline, language } = reading;
	if (stamp === undefined) return undefined;
	const words = wordsFor(language);
	const work = shown.generator.type === "heuristic" ? offlineRecap(timeline, words).work : shown.bullets;
	return { reading, stamp, view: viewOfRecord({ recap: shown, work }, words), worth: worthOf(timeline) };
}

interface Worth {
	/** Whether anything worth a recap happened since the last prompt: a tool call, enough text, an abort or an error. */
	sincePrompt: boolean;
	/** Whether a reopened session is worth a recap: as `sincePrompt`, or with an earlier step or a second request. */
	reopened: boolean;
}

/** Minimum number of words that the agent must have written since the last prompt for its text alone to be worth a recap. */
const ENOUGH_WORDS = 30;

export function worthOf({ turns }: Pick<Timeline, "turns">): Worth {
	const since = turns.slice(Math.max(0, turns.findLastIndex(hasRequest)));
	const text = since.flatMap((turn) => [turn.reply ?? "", ...remarksOf(turn)]).join(" ");
	const sincePrompt =
		since.flatMap(stepsOf).some(({ kind }) => kind === "call") ||
		(text.match(/\S+/g)?.length ?? 0) >= ENOUGH_WORDS ||
		since.some(({ end }) => end === "aborted" || end === "error");
	const requests = turns.filter(({ request }) => request !== undefined).length;
	return {
		sincePrompt,
		reopened: sincePrompt || requests > 1 || turns.some(({ steps }) => steps.length > 0),
	};
}
