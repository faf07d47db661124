export { artifactLine, artifactName } from "./artifacts.ts";
export { type CardWords, cardWords, ENGLISH, type WordsFor, workingElsewhere } from "./card-words.ts";
export { noteIn, readNote } from "./check-note.ts";
export { offlineRecap, openActions, recapLines, wholeRequest } from "./heuristic.ts";
export { asJob, isOwnJob, type ParentJob, parentJob, rememberJob } from "./jobs.ts";
export { type Judgement, judgeTitle, NO_TITLE } from "./judge-title.ts";
export { clockOf, dateOf, longAge, midnightOf } from "./locale.ts";
export { duringRun, makeRecord, type Prepared, prepare, withCheckout } from "./make-record.ts";
export { NOTE_SYSTEM_PROMPT, notePrompt } from "./note-prompt.ts";
export { HANDOVER_TAG, type HeaderOrigin, originLine, type Reading, readSession } from "./read-session.ts";
export {
	isBranching,
	MAX_RECORD_TEXT,
	type NextStep,
	type Note,
	RECAP_ENTRY,
	readRecap,
	recordFields,
	type SessionRecord,
	withHint,
} from "./record.ts";
export {
	type Cause,
	currentRecord,
	keepNote,
	keptNote,
	keptNotes,
	type RecordRefusal,
	type Replaceable,
	refusal,
	type TypedRefusal,
	typedRefusal,
} from "./records.ts";
export {
	asTyped,
	needsAnswer,
	type PromptOrigin,
	type Sendable,
	type Sending,
	sendable,
} from "./sendable.ts";
export {
	actionLine,
	type Ending,
	endingText,
	isRepeated,
	leadLines,
	movedTopic,
	newBullets,
	nextLines,
	nextOf,
	openOf,
	openPoints,
	ownBullets,
	pointsOf,
	recapMarkdown,
	recapText,
	sentencesOfNote,
	stateLine,
	writtenBy,
} from "./text.ts";
export { editable, editedRecord, tidyHeadline } from "./tidy-words.ts";
export { laterWork, topicOf, withLaterWork } from "./topic.ts";
export { lastStep } from "./work-done.ts";
