export { readDoing } from "./doing.ts";
export {
	ANSWER_STEPS,
	commandOf,
	currentRequest,
	goalText,
	isSubstantial,
	largerWork,
	largestRequest,
	requestWords,
	stepsAfter,
	workedOn,
} from "./larger.ts";
export { newestCommit } from "./made.ts";
export { renderTimeline } from "./render.ts";
export { endText, requestText, runLine, stepLines } from "./render-turn.ts";
export { resultLines, resultOf } from "./result.ts";
export { commandText, programText, shortCommand, withCommandCase } from "./shell.ts";
export { ownLanguage, readableError, readBriefly, readTimeline } from "./timeline.ts";
export {
	actedIn,
	editedPaths,
	type FileChange,
	hasRequest,
	type Link,
	lastTurn,
	type Outcome,
	readPaths,
	remarksOf,
	type Step,
	stepsOf,
	type Timeline,
	type Turn,
} from "./turn.ts";
