export { artifactName } from "./artifacts.ts";
export { asJob, parentJob } from "./job.ts";
export { makeRecord, withBranching, withCheckout } from "./make-record.ts";
export { type OpenPoint, wholeRequest } from "./open.ts";
export { rememberJob } from "./own-jobs.ts";
export { MAX_RECORD_TEXT, recordFields, type SessionRecord } from "./record.ts";
export { RECAP_ENTRY, readRecap } from "./record-entry.ts";
export { type Cause, type RecordRefusal, refusal } from "./refusal.ts";
export { ownRecord, recordsOn, shownRecord } from "./stored-records.ts";
export {
	endingText,
	isRepeated,
	newBullets,
	nextLines,
	nextOf,
	openPoints,
	pointsOf,
	recapMarkdown,
	recapText,
	stateLine,
} from "./text.ts";
export { editedWords, tidyHeadline, tidyWords } from "./tidy-words.ts";
