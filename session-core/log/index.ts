export * from "./append.ts";
export {
	type BranchSlice,
	fromLeaf,
	type LeftOut,
	lastMessageId,
	leftOutIn,
	recentCustomEntries,
	TOPIC_REQUESTS,
	walkBranch,
} from "./branch.ts";
export * from "./calls.ts";
export * from "./check-session.ts";
export * from "./copy-session.ts";
export * from "./delete-session.ts";
export * from "./ends.ts";
export { parseLine, type SessionHeader, syntheticId } from "./entries.ts";
export * from "./entry.ts";
export * from "./first-writer.ts";
export { currentLogs, newerLog, outsideNames } from "./foreign-files.ts";
export * from "./foreign-titles.ts";
export {
	AGENT_LIVE_MS,
	type Env,
	FOREIGN,
	type Format,
	foldersIn,
	formatNamed,
	ownCommand,
	PI,
} from "./format.ts";
export {
	type Line,
	linesBefore,
	linesOf,
	MAX_LINE_BYTES,
	NEWLINE,
	piecesOf,
	wholeLines,
	withoutImages,
} from "./lines.ts";
export * from "./log-file.ts";
export * from "./names.ts";
export {
	type CurrentName,
	type NameFacts,
	nameOf,
	nameText,
	settleNames,
	type TitleData,
	type TitleSource,
} from "./names-in-file.ts";
export * from "./passed.ts";
export * from "./prompts.ts";
export * from "./revealed-secrets.ts";
export {
	redactRequests,
	safeArguments,
	safeMessage,
	searchInSlices,
	secretsInFile,
	secretsInLines,
	secretsOf,
	withoutPrintedSecret,
	withoutSecrets,
} from "./secrets.ts";
export * from "./session-file.ts";
export * from "./user-words.ts";
export * from "./zstd.ts";
