import { wantedLanguage } from "../session-core/model/ask.ts";
import { artifactLine } from "../session-core/recap/artifacts.ts";
import { offlineRecap } from "../session-core/recap/heuristic.ts";
import { recapLines } from "../session-core/recap/lines.ts";
import type { Reading as SessionState } from "../session-core/session-view/read-session.ts";
import { renderTimeline } from "../session-core/timeline/render.ts";
import { hasRequest, remarksOf, stepsOf } from "../session-core/timeline/turn.ts";
import type { Timeline } from "../session-core/timeline/types.ts";
import { cardWords } from "../session-core/words/card-words.ts";
import type { LanguageCode } from "../session-core/words/languages.ts";

/** The state of the conversation, and the data that is needed for a recap of it. */
export type RecapReading = NonNullable<ReturnType<typeof recapReading>>;

/** Returns what a recap of this state needs. `setting` is the `language` setting. Undefined if there is no message yet. */
export function recapReading(state: SessionState, setting: LanguageCode | undefined) {
	const { stamp, timeline, hasTask, saved, language } = state;
	if (stamp === undefined) return undefined;
	const words = cardWords(setting)(language);
	const offline = offlineRecap(timeline, words);
	return {
		/** Id of the last message. */
		stamp,
		/** The offline recap, ready to show. */
		lines: recapLines(offline, words),
		/** The line that is shown below a model's recap. It says what the latest work created or changed, and may be empty. */
		artifacts: artifactLine(offline.recap.artifacts),
		/** A model's recap of this state, if the session contains one. */
		saved,
		/** Whether the user has made a request that can be the subject of a recap. */
		hasTask,
		worth: worthOf(timeline),
		/**
		 * Returns the input of a model call, the facts against which the answer is checked, and the language of the recap. They are built
		 * only on demand, because they are rarely needed.
		 */
		question: () => ({
			ground: { input: renderTimeline(timeline), timeline },
			language: wantedLanguage(language, setting),
		}),
	};
}

/** Whether a session contains enough for a recap. */
interface Worth {
	/** Whether anything worth a recap happened since the last prompt: a tool call, enough text, an abort or an error. */
	sincePrompt: boolean;
	/**
	 * Whether a reopened session contains enough for a recap: it meets the condition of `sincePrompt`, or it contains an earlier step or a
	 * second request.
	 */
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
