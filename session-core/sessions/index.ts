export { type AddFailure, type AddRecordDeps, addRecord } from "./add-record.ts";
export { indexBytes } from "./cache.ts";
export { type Description, describeSession, openSession } from "./describe.ts";
export { type FindPlace, findInSessions, findSessions, searchListed } from "./find.ts";
export {
	countLogs,
	inProject,
	projectFolder,
	projectFolders,
	sessionNames,
	sessionsRoot,
	startedIn,
	wantedFormats,
} from "./folders.ts";
export { handOverFile } from "./hand-over.ts";
export { listSessions, type ScanOptions, type ScanReport, scanSessions } from "./listing.ts";
export {
	type AnswerRefusal,
	agentAbove,
	type ChangedFile,
	canGo,
	explainAnswer,
	forgetLost,
	type GoOutcome,
	goTo,
	HEARTBEAT_MS,
	type InboxOutcome,
	type Lease,
	LeaseHolder,
	type LeaseOf,
	type LeaseState,
	type LiveAnswer,
	type LiveTarget,
	leaseFinder,
	liveFolder,
	liveLeases,
	lostSessions,
	MAX_ANSWER,
	offerRestore,
	openInbox,
	openLeases,
	outerTerminal,
	sendAnswer,
	terminalName,
	whyNotAnswered,
} from "./live/index.ts";
export { dropMarks, type Mark, type Marks, markOf, readMarks, setMark } from "./marks.ts";
export { meant, Offers, TITLE_COLUMNS } from "./match.ts";
export { explainObstacle, isRepairable, type Obstacle, obstacleToOpening } from "./obstacle.ts";
export { changesOf, leasesWith, type Overlap, overlapsOf, realPath, withForeignChanges } from "./overlaps.ts";
export { couldBePlanted } from "./planted.ts";
export { type PreviewFacts, readPreviewFacts } from "./preview-facts.ts";
export {
	isQuotedStep,
	planResume,
	quotesTool,
	type Resumed,
	type ResumeOptions,
	type ResumePlan,
	resumeMode,
	type SendFacts,
	type SendWish,
	sendingOf,
	shellLine,
} from "./resume-plan.ts";
export {
	goalPrompt,
	type Handover,
	RESUME_VARIABLE,
	RESUMED_FROM_VARIABLE,
	readWaiting,
	resumedJob,
	resumePriceText,
	resumePrompt,
	stepPrompt,
	type Waiting,
	whyNotSent,
} from "./resume-prompt.ts";
export {
	MAX_QUERY,
	placeName,
	readAround,
	SEARCH_TOOLS,
	type SearchHit,
	type SearchOptions,
	type SearchProgress,
	searchSessions,
	sinceTime,
} from "./search/index.ts";
export {
	aroundText,
	foundForPerson,
	foundText,
	hitJson,
	inFence,
	type Passage,
	relatedLines,
	remarksOn,
	sessionPassages,
	sessionText,
	speakerOf,
} from "./search-report.ts";
export {
	byNewest,
	byUrgency,
	compareText,
	FILTER_SYNTAX,
	type FoldKind,
	filtered,
	filterProblem,
	foldOf,
	inUsualOrder,
	isBackground,
	isInState,
	LISTED_STATES,
	type ListedState,
	matches,
	meets,
	readFilter,
} from "./session-list.mjs";
export {
	ASKED_LOOK,
	COUNTED_STATES,
	describeState,
	lookOf,
	OUTCOME_COLORS,
	OVERLAPPING,
	overlapLine,
	PLANTED_MARK,
	STATE_LOOKS,
	type StateColor,
	type StateLook,
} from "./session-looks.mjs";
export { recordKind, type SessionSummary, sessionAt, summarize, titleOf } from "./summary.ts";
export { dayMarkdown, dayText, listToday } from "./today.ts";
export {
	liveTitle,
	noteOf,
	type SessionJson,
	type SessionView,
	seconds,
	sessionJson,
	toldApart,
	versionOf,
	viewOf,
	withLease,
} from "./view.ts";
export { watchSessions } from "./watch.ts";
