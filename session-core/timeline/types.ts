/** What happened in a session, as evidence in order: the one structure that every generator reads. */

import type { FileEdit } from "./edits.ts";
import type { Made } from "./made.ts";
import type { Printed } from "./result-lines.ts";

/** How the conversation stands; structural, but for `waiting`, which the form of the last reply tells. */
export type Outcome = "done" | "waiting" | "aborted" | "error" | "running";

/** One tool call, or one shell command that the user ran by hand, with what the log shows of its result. */
export interface Step extends Printed {
	kind: "call" | "shell";
	/** The tool's name; `!` for the user's own shell command. */
	name: string;
	/** The argument that says most: a path, command, title or query. One line. */
	argument: string;
	/** The whole command line of a shell call. */
	command: string | undefined;
	edits: FileEdit[];
	/** Files that it looked at. */
	reads: string[];
}

/** Something that the agent said between its calls. */
export interface Remark {
	kind: "remark";
	text: string;
}

/** How the agent's part of a turn stopped. `open`: the log ends before it did. */
export type TurnEnd = "stop" | "length" | "toolUse" | "error" | "aborted" | "open";

/** One request of the user and everything until the next. */
export interface Turn {
	/** Counts requests from 1, over what was read. */
	number: number;
	/** The user's own words; undefined for work that no request stands before. */
	request: string | undefined;
	/** Name of the skill whose text was put in front of the user's words. */
	expansion: string | undefined;
	images: number;
	/** It began with a slash command. */
	isCommand: boolean;
	/** The goal that a compaction or branch summary before this turn names. */
	goal: string | undefined;
	/** What was done and said, in order. Failures that the same call mended later are left out. */
	steps: (Step | Remark)[];
	/** What the agent answered in the end. */
	reply: string | undefined;
	end: TurnEnd;
	errorMessage: string;
}

/** One file, however its path was written, over all its changes. */
export interface FileChange extends FileEdit {
	/** How many calls changed it. */
	times: number;
	/** Index of the turn that changed it last. */
	turn: number;
}

/** A commit, pull request, issue or other thing that the session made. */
export interface Link extends Made {
	turn: number;
}

export interface Timeline {
	/** Id of the last *message* entry: the freshness stamp. Undefined where nothing was said yet. */
	stamp: string | undefined;
	/** Message entries that were read. */
	messages: number;
	/** The session's name, where one is set. */
	name: string | undefined;
	/** Oldest first. */
	turns: Turn[];
	/** Oldest change first. */
	files: FileChange[];
	/** Oldest first. */
	links: Link[];
	/** Changed files by the newest `git status`, if no commit followed it. */
	uncommitted: string[];
	outcome: Outcome;
	/** Why it ended badly, in the log's words. */
	endReason: string | undefined;
}
