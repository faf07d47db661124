export {
	currentSession,
	type FoundSession,
	findSession,
	foldersOf,
	listed,
	openSessions,
	unreadLines,
} from "./find.ts";
export { ask, pickSession } from "./pick.ts";
export {
	formerPlaces,
	hitJson,
	isDamaged,
	isTorn,
	RECAP_PROBLEMS,
	saveRecap,
	unreadableText,
} from "./shared.ts";
export { type ListedView, paintState, shownId, tableOf } from "./table.ts";
