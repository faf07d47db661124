// Names that are exported with `export *` are slower to use in the host's module loader, so frequently used names are listed.

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
export { beginsWithTitle, checkSession, EVERY_HOST_OPENS, tooLargeText } from "./check-session.ts";
export { copySession, isCopyable } from "./copy-session.ts";
export * from "./delete-session.ts";
export { type LastMessage, readEnds, type SessionEnds } from "./ends.ts";
export { parseLine, type SessionHeader, syntheticId } from "./entries.ts";
export {
	contentText,
	type Entry,
	hasRole,
	hostSource,
	isEvicted,
	isMessageEntry,
	type Message,
	type NestedCall,
	readMessage,
	readNestedCalls,
	roleOf,
	type SessionSource,
	type ToolCall,
} from "./entry.ts";
export { isFromTool } from "./first-writer.ts";
export { currentLogs, isUnreadable, newerLog, outsideNames } from "./foreign-files.ts";
export { recordsIn } from "./foreign-titles.ts";
export * from "./format.ts";
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
export { partOfLog, readLog, readLogSlowly } from "./log-file.ts";
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
export { glanceAt } from "./passed.ts";
export { entriesLike, type Point, promptOf, promptsOn } from "./prompts.ts";
export { revealedSecrets, secretsInReply } from "./revealed-secrets.ts";
export {
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
export { isRequest, isSlashCommand, ownLine, quoteRequest, userWords, writtenLines } from "./user-words.ts";
