import type { LeftOut } from "../index.ts";
import type { Printed } from "./result.ts";

/** Evidence of what happened in a session, in chronological order. All recaps, cards and titles are generated from this structure. */

/** How the last run ended, derived from the structure of the log. Only `waiting` depends on the wording of the last reply. */
export type Outcome = "done" | "waiting" | "aborted" | "error" | "running";

export interface Step extends Printed {
	kind: "call" | "shell";
	/** The tool's name. For the user's own shell command, it is `!`. */
	name: string;
	/** The most informative argument on one line, such as a path, command, title or query. */
	argument: string;
	/** The complete command line of a shell call; undefined for other calls. */
	command: string | undefined;
	/** What the command is for, in the agent's words, if the call says so. */
	purpose?: string;
	edits: FileEdit[];
	reads: string[];
	/** Whether a script made the call. The call's output is in the log only if the script printed it. */
	isScripted?: true;
}

export interface Remark {
	kind: "remark";
	text: string;
}

/** How the agent's part of a turn ended. `open`: the log ends before the agent's part does. */
export type TurnEnd = "stop" | "length" | "toolUse" | "error" | "aborted" | "open";

/** A user request and everything that follows it, up to the next request. */
export interface Turn {
	/** The position of the request among the requests that were read, starting at 1. */
	number: number;
	/** The user's own words; undefined for work without a preceding request. */
	request: string | undefined;
	/** The request as typed, including any secrets. It is only ever put back into the user's own editor. */
	typed?: string | undefined;
	/** The name of the skill whose text the host inserted before the user's words. */
	expansion: string | undefined;
	images: number;
	/** Whether the request only repeats one of the choices in the reply before it. */
	isChoice: boolean;
	/** Whether the request began with a slash command. */
	isCommand: boolean;
	/** The goal in a compaction or branch summary before this turn. */
	goal: string | undefined;
	/** The part of this turn that was not read. It precedes the steps. */
	leftOut: LeftOut | undefined;
	steps: (Step | Remark)[];
	reply: string | undefined;
	/** Whether the reply is the question that the agent asked through a call that has no result yet. */
	asks?: boolean;
	end: TurnEnd;
	errorMessage: string;
}

export interface FileEdit {
	path: string;
	/** How the file changed. `written`: it was created or replaced as a whole. */
	kind: "edited" | "written" | "removed";
	added: number;
	removed: number;
	/** The changed lines; empty if the log does not contain them. */
	diff: string;
}

/** A changed file with all its changes, even if the log refers to it by different paths. */
export interface FileChange extends FileEdit {
	times: number;
	turn: number;
}

/** A commit, or the page of a pull request, issue or release that the session created. */
export interface Link {
	kind: "commit" | "page";
	/** The hash or URL. */
	locator: string;
	/** The subject of the commit, or the number and title of the page. */
	label: string;
	turn: number;
}

export interface Timeline {
	/** The id of the last *message* entry, which identifies the state of the conversation. Undefined if there are no messages yet. */
	stamp: string | undefined;
	messages: number;
	name: string | undefined;
	/** Oldest first. */
	turns: Turn[];
	/** Oldest change first. */
	files: FileChange[];
	/** Oldest first. */
	links: Link[];
	/** The changed files in the newest `git status`, if no commit followed it. */
	uncommitted: string[];
	outcome: Outcome;
	/** Why the run failed, quoted from the log. */
	endReason: string | undefined;
}

export function isStep(one: Step | Remark): one is Step {
	return one.kind !== "remark";
}

export function stepsOf(turn: Turn): Step[] {
	return turn.steps.filter(isStep);
}

export function remarksOf(turn: Turn): string[] {
	return turn.steps.flatMap((one) => (isStep(one) ? [] : [one.text]));
}

/** Whether a step of the turn may have changed something. */
export function actedIn(turn: Turn): boolean {
	return turn.steps.some((one) => isStep(one) && !one.looks && one.outcome === "ok");
}

/** Whether the user made a request, in words or with an image. */
export function hasRequest(turn: Turn): boolean {
	return turn.request !== undefined || turn.images > 0;
}

export function lastTurn(turns: readonly Turn[]): Turn | undefined {
	return turns.findLast((turn) => hasRequest(turn) || turn.end !== "open");
}

/** Returns the changed files, each once, in the order of their first change. */
export function editedPaths(steps: readonly Step[]): string[] {
	return [...new Set(steps.flatMap(({ edits }) => edits.map(({ path }) => path)))];
}

/** Returns the files that were read, each once, in the order of their first read. */
export function readPaths(steps: readonly Step[]): string[] {
	return [...new Set(steps.flatMap(({ reads }) => reads))];
}
