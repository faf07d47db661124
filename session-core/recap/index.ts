export { addRecord } from "./add-record.ts";
export { artifactName } from "./artifacts.ts";
export { asJob, parentJob } from "./job.ts";
export { makeRecord, type Prepared, withBranching, withCheckout } from "./make-record.ts";
export { wholeRequest } from "./open.ts";
export { rememberJob } from "./own-jobs.ts";
export { MAX_RECORD_TEXT, type OpenPoint, recordFields, type SessionRecord } from "./record.ts";
export { RECAP_ENTRY, readRecap } from "./record-entry.ts";
export { type Cause, type RecordRefusal, refusal } from "./refusal.ts";
export { ownRecord, recordsOn, shownRecord } from "./stored-records.ts";
export {
	endingText,
	isRepeated,
	leadLines,
	movedTopic,
	newBullets,
	nextLines,
	nextOf,
	openPoints,
	pointsOf,
	recapMarkdown,
	recapText,
	sentencesOfNote,
	stateLine,
	writtenBy,
} from "./text.ts";
export { editable, editedWords, tidyHeadline } from "./tidy-words.ts";
