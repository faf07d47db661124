export {
	type AppendOutcome,
	type AppendRefusal,
	appendCarefully,
	fileErrorText,
	fileLeafId,
} from "./append.ts";
export { lastMessageId, leftOutIn, renameSince, walkBranch } from "./branch.ts";
export { checkSession, tooLargeText } from "./check-session.ts";
export { copySession, isCopyable } from "./copy-session.ts";
export { type DeleteHow, type DeleteOutcome, deleteSession, obstacleToDelete } from "./delete-session.ts";
export { type Entry, hostSource, type SessionSource } from "./entry.ts";
export { wholeLines } from "./lines.ts";
export { type Message, readMessage, type ToolCall } from "./message.ts";
export {
	type HostNaming,
	nameByPerson,
	type RenameOutcome,
	renameInFile,
	takeName,
} from "./names.ts";
export { nameText } from "./names-in-file.ts";
export { parseLine } from "./parse-line.ts";
export { entriesLike, type Point, promptOf, promptsOn } from "./prompts.ts";
export { openSessionFile, readWholeSession, type SessionFileFailure } from "./session-file.ts";
export { hasTrash } from "./trash.ts";
