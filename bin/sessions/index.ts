export { isDamaged, isTorn, unreadableText } from "./damage.ts";
export {
	currentSession,
	findSession,
	foldersOf,
	listed,
	openSessions,
	unreadLines,
} from "./find.ts";
export { ask, pickSession } from "./pick.ts";
export { RECAP_PROBLEMS } from "./recap-problems.ts";
export { paintState, shownId, tableOf } from "./table.ts";
