/** What happened in a session, as evidence in chronological order: the one structure that every generator reads. */

import type { FileEdit } from "./edits.ts";
import type { Made } from "./made.ts";
import type { Printed } from "./result-lines.ts";

/** State of the conversation. It is derived from the structure, except `waiting`, which is derived from the wording of the last reply. */
export type Outcome = "done" | "waiting" | "aborted" | "error" | "running";

/** One tool call, or one shell command that the user ran, with what the log shows of its result. */
export interface Step extends Printed {
	kind: "call" | "shell";
	/** The tool's name; `!` for the user's own shell command. */
	name: string;
	/** The most informative argument: a path, command, title or query. One line. */
	argument: string;
	/** The whole command line of a shell call. */
	command: string | undefined;
	edits: FileEdit[];
	/** Files that it read. */
	reads: string[];
}

/** Text that the agent wrote between its calls. */
export interface Remark {
	kind: "remark";
	text: string;
}

/** How the agent's part of a turn ended. `open`: the log ends before it did. */
export type TurnEnd = "stop" | "length" | "toolUse" | "error" | "aborted" | "open";

/** One request of the user and everything up to the next one. */
export interface Turn {
	/** Number of the request, from 1, among those that were read. */
	number: number;
	/** The user's own words; undefined for work that follows no request. */
	request: string | undefined;
	/** Name of the skill whose text was inserted before the user's words. */
	expansion: string | undefined;
	images: number;
	/** It began with a slash command. */
	isCommand: boolean;
	/** The goal that a compaction or branch summary before this turn names. */
	goal: string | undefined;
	/** The steps and texts in order, without failures that the same call later repeated successfully. */
	steps: (Step | Remark)[];
	/** The agent's final reply. */
	reply: string | undefined;
	end: TurnEnd;
	errorMessage: string;
}

/** One file with all its changes, whatever form its path had in the log. */
export interface FileChange extends FileEdit {
	/** Number of calls that changed it. */
	times: number;
	/** Index of the turn that changed it last. */
	turn: number;
}

/** A commit, pull request, issue or other thing that the session created. */
export interface Link extends Made {
	turn: number;
}

export interface Timeline {
	/** Id of the last *message* entry, which stamps the state. Undefined if there are no messages yet. */
	stamp: string | undefined;
	/** Number of message entries that were read. */
	messages: number;
	/** The session's name, if it has one. */
	name: string | undefined;
	/** Oldest first. */
	turns: Turn[];
	/** Oldest change first. */
	files: FileChange[];
	/** Oldest first. */
	links: Link[];
	/** Changed files according to the newest `git status`, if no commit followed it. */
	uncommitted: string[];
	outcome: Outcome;
	/** Why it failed, in the log's words. */
	endReason: string | undefined;
}
