export {
	clockOf,
	dateOf,
	describeState,
	longAge,
	midnightOf,
	SHORT_AGE_COLUMNS,
	shortAge,
} from "./age.ts";
export { type CardWords, cardWords, ENGLISH, type WordsFor } from "./card-words.ts";
export {
	ASKED_LOOK,
	COUNTED_STATES,
	isInState,
	LISTED_STATES,
	type ListedState,
	OUTCOME_COLORS,
	STATE_LOOKS,
	type StateColor,
	urgencyOf,
} from "./state-looks.ts";
