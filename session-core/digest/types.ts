import type { Shown } from "./claims.ts";

/** What happened in a session, as facts read from its entries. Both generators (offline and model) read this. */

export type Outcome = "done" | "waiting" | "aborted" | "error" | "running";

/** Checks (test, lint, type, build commands) after the last edit, by what the log shows. */
export type Checks = "passed" | "failed" | "not_run" | "none";

/** One file that the session edited or wrote. */
export interface FileChange {
	/** As the tool call named it, normalised, relative to the session's cwd where it is below it. */
	path: string;
	kind: "edited" | "written";
	added: number;
	removed: number;
	/** How many tool calls changed it. */
	times: number;
	/** The current thread changed it, not only an earlier one. */
	inThread: boolean;
	/** Turns since it was changed last; 0 is the newest turn. */
	age: number;
}

/** One shell command, with what the log shows of its result. */
export interface CommandRun {
	command: string;
	outcome: "ok" | "failed" | "aborted" | "unknown";
	isCheck: boolean;
	/** It ran after the last change to a file. */
	afterLastEdit: boolean;
	/** The telling line of a failure, if there is one. */
	detail?: string;
	/** The current thread ran it, not only an earlier one. */
	inThread: boolean;
	/** How its checks went by what the log shows; only of checks. */
	verdict?: "passed" | "failed" | "unknown";
}

/** A file or page that was looked at. */
export interface Source {
	path: string;
	inThread: boolean;
	/** Where the newest failed check's output names it among others, from 0; undefined where it does not. */
	failRank?: number;
}

export interface Link {
	kind: "commit" | "branch" | "pr" | "issue" | "url";
	label: string;
	locator: string;
	/** `made`: a command of the session created or changed it; `seen`: a result or reply names it. */
	evidence: "made" | "seen";
	inThread: boolean;
	/** Turns since the log named it last; 0 is the newest turn. */
	age: number;
}

/** What a returning user's session amounts to since the last prompt; decides whether a recap is worth its place. */
export interface Activity {
	toolCalls: number;
	replyWords: number;
	endedBadly: boolean;
	/** A call may have changed something, somewhere. */
	acted: boolean;
}

/**
 * `older`: before the current thread; `task`: it began the thread; `work`: files were changed for it, and it answers no question; `steering`: it interrupted a
 * run; `aside`: anything else.
 */
export type PromptRole = "older" | "task" | "work" | "steering" | "aside";

export interface Digest {
	/** Id of the last *message* entry: the freshness stamp. Undefined where nothing was said yet. */
	stamp: string | undefined;
	/** Message entries that were read. */
	messages: number;
	/** The first real request of the current thread, in the user's words. */
	task: string | undefined;
	/** The session's first real request, where the thread has moved on since. */
	opening: string | undefined;
	/** Newest compaction or branch summary, if one stands on the branch; often stale. */
	summary: string | undefined;
	/** Recent prompts in the user's own voice, oldest first; the newest is the last one whatever it is worth. */
	prompts: string[];
	/** What each of `prompts` is to the current thread. */
	roles: PromptRole[];
	/** Index in `prompts` of the current thread's first request; their number where the log lost it. */
	threadStart: number;
	/** What the newest summary calls the goal, where the current thread is older than that summary. */
	goal: string | undefined;
	/** The agent's last visible text in the current thread, whole (bounded). */
	lastReply: string | undefined;
	/** The reply of the thread's last turn that did some work, where that is not the last reply. */
	mainReply: string | undefined;
	/** What the agent said between tool calls since the last prompt, newest last. */
	narration: string[];
	/** What earlier turns of the current thread ended with, newest last. */
	earlierReplies: string[];
	/** What the turns before the thread ended with, newest last. */
	olderReplies: string[];
	/** What an earlier run of the thread was about to do when it was interrupted, with no change since. */
	interrupted: string | undefined;
	/** A question from an earlier reply that named things which nothing has touched since. */
	pending: string | undefined;
	files: FileChange[];
	/** Files and pages that were read, newest last. */
	reads: Source[];
	commands: CommandRun[];
	links: Link[];
	failures: string[];
	outcome: Outcome;
	/** Why it ended badly, in the log's words. */
	endReason: string | undefined;
	checks: Checks;
	/** Every call of the current thread is known to have left everything as it was. */
	onlyLooked: boolean;
	/** Changes that the newest `git status` shows as not committed, with no commit since. */
	uncommitted: string[];
	/** What the log shows to have succeeded, to hold the agent's words against. */
	shown: Shown;
	/** Sentences of the last reply that claim what the log does not show. */
	unsupported: string[];
	/** What the last reply names as next, in its words. */
	nextSteps: string[];
	/** Questions to the user that the last reply ends with. */
	questions: string[];
	/** What the last reply offers to do. */
	offers: string[];
	activity: Activity;
}
