export {
	clockOf,
	dateOf,
	longAge,
	midnightOf,
	SHORT_AGE_COLUMNS,
	shortAge,
} from "./age.ts";
export { type CardWords, cardWords, ENGLISH, type WordsFor } from "./card-words.ts";
export {
	ASKED_LOOK,
	byUrgency,
	COUNTED_STATES,
	describeState,
	isInState,
	LISTED_STATES,
	type ListedState,
	OUTCOME_COLORS,
	STATE_LOOKS,
	type StateColor,
} from "./state-looks.ts";
