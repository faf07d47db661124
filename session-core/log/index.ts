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
export { parseLine, type SessionHeader, syntheticId } from "./entries.ts";
export { type Entry, hostSource, type SessionSource } from "./entry.ts";
export * from "./session-file.ts";

// What the entries contain:

export * from "./calls.ts";
export * from "./message.ts";
export * from "./prompts.ts";
export {
	revealedSecrets,
	searchInSlices,
	secretsInFile,
	secretsInLines,
	secretsInReply,
	secretsOf,
	withoutSecrets,
} from "./secrets.ts";
export * from "./user-words.ts";

// The formats of session files, and files that other programs keep next to them:

export { currentLogs, isUnreadable, newerLog, outsideNames } from "./foreign-files.ts";
export * from "./format.ts";

// Parts of a session file, for listings and searches, which do not read a whole branch:

export * from "./ends.ts";
export * from "./foreign-titles.ts";
export * from "./lines.ts";
export * from "./log-file.ts";
export { glanceAt } from "./passed.ts";

// The name of a session:

export * from "./names.ts";
export * from "./names-in-file.ts";

// Checks and changes of session files:

export * from "./append.ts";
export * from "./check-session.ts";
export * from "./copy-session.ts";
export * from "./delete-session.ts";
