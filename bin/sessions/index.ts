export {
	currentSession,
	findSession,
	foldersOf,
	listed,
	openSessions,
	unreadLines,
} from "./find.ts";
export { isDamaged, isTorn, RECAP_PROBLEMS, unreadableText } from "./problems.ts";
export { ask, paintState, pickSession, shownId, tableOf } from "./table.ts";
