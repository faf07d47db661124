// Modules that are used often are listed by name, because the loader of the host makes names from `export *` slower to use.

// A session, opened as a branch of entries:

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
export { type SessionHeader, syntheticId } from "./entries.ts";
export { type Entry, hostSource, type SessionSource } from "./entry.ts";
export * from "./session-file.ts";

// What the entries contain:

export * from "./calls.ts";
export { isFromTool } from "./first-writer.ts";
export {
	contentText,
	hasRole,
	isEvicted,
	isMessageEntry,
	type Message,
	type NestedCall,
	readMessage,
	readNestedCalls,
	roleOf,
	type ToolCall,
} from "./message.ts";
export { entriesLike, type Point, promptOf, promptsOn } from "./prompts.ts";
export { revealedSecrets, secretsInReply } from "./revealed-secrets.ts";
export {
	safeArguments,
	safeMessage,
	searchInSlices,
	secretsInFile,
	secretsInLines,
	secretsOf,
	withoutSecrets,
} from "./secrets.ts";
export { isRequest, isSlashCommand, ownLine, quoteRequest, userWords, writtenLines } from "./user-words.ts";

// The formats of session files, and files that other programs keep next to them:

export { currentLogs, isUnreadable, newerLog, outsideNames } from "./foreign-files.ts";
export { recordsIn } from "./foreign-titles.ts";
export * from "./format.ts";

// Parts of a session file, for listings and searches, which do not read a whole branch:

export { type LastMessage, readEnds, type SessionEnds } from "./ends.ts";
export { parseLine } from "./entries.ts";
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
export { glanceAt } from "./passed.ts";

// The name of a session:

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

// Checks and changes of session files:

export * from "./append.ts";
export { beginsWithTitle, checkSession, EVERY_HOST_OPENS, tooLargeText } from "./check-session.ts";
export { copySession, isCopyable } from "./copy-session.ts";
export * from "./delete-session.ts";
