export { artifactLine, artifactName } from "./artifacts.ts";
export * from "./card-words.ts";
export * from "./check-note.ts";
export * from "./heuristic.ts";
export * from "./jobs.ts";
export * from "./judge-title.ts";
export * from "./locale.ts";
export * from "./make-record.ts";
export * from "./note-prompt.ts";
export * from "./read-session.ts";
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
export * from "./records.ts";
export * from "./sendable.ts";
export * from "./text.ts";
export * from "./tidy-words.ts";
export * from "./topic.ts";
export * from "./work-done.ts";
