export {
	clockOf,
	dateOf,
	describeState,
	longAge,
	midnightOf,
	SHORT_AGE_COLUMNS,
	STATE_NAMES,
	shortAge,
} from "./age.ts";
export { type CardWords, cardWords, ENGLISH, type WordsFor } from "./card-words.ts";
export { OUTCOME_COLORS, STATE_LOOKS, type StateColor, urgencyOf } from "./state-looks.ts";
