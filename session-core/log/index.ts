export {
	type AppendOutcome,
	type AppendRefusal,
	appendBelow,
	appendCarefully,
	fileLeafId,
} from "./append.ts";
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
export { type Calls, callsOf, ownModel, type Rates } from "./calls.ts";
export { beginsWithTitle, checkSession, EVERY_HOST_OPENS, tooLargeText } from "./check-session.ts";
export { copySession, isCopyable } from "./copy-session.ts";
export {
	type DeleteHow,
	type DeleteOutcome,
	deleteSession,
	hasTrash,
	obstacleToDelete,
} from "./delete-session.ts";
export { type LastMessage, readEnds, type SessionEnds } from "./ends.ts";
export { parseLine, type SessionHeader, syntheticId } from "./entries.ts";
export {
	boundedText,
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
export { currentLogs, newerLog, outsideNames } from "./foreign-files.ts";
export { recordsIn } from "./foreign-titles.ts";
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
export { type LogFile, partOfLog, readLogSlowly, readPlainLog } from "./log-file.ts";
export {
	type HostNaming,
	knownNames,
	type NameOutcome,
	type NameRefusal,
	nameByPerson,
	nameSession,
	namingRefusal,
	ownName,
	type RenameOutcome,
	renameInFile,
	takeName,
} from "./names.ts";
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
export { forkPoint, type Point, promptOf, promptsOn } from "./prompts.ts";
export { revealedSecrets, secretsInReply } from "./revealed-secrets.ts";
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
export {
	openSessionFile,
	readWholeSession,
	type SessionFile,
	type SessionFileFailure,
} from "./session-file.ts";
export {
	isRequest,
	isSlashCommand,
	isTerminal,
	ownLine,
	quoteRequest,
	userWords,
	writtenLines,
} from "./user-words.ts";
export { isCompressed, isUnreadable } from "./zstd.ts";
