import type { LeftOut } from "../index.ts";
import type { Printed } from "./result.ts";

/**
 * The outcome of a session is derived from the structure of its log. Only the outcome `waiting` depends
 * on the wording of the agent's last reply.
 */
export type Outcome = "done" | "waiting" | "aborted" | "error" | "running";

export interface Step extends Printed {
	kind: "call" | "shell";
	/** The name of the tool, or `!` for a shell command that the user ran. */
	name: string;
	argument: string;
	command: string | undefined;
	purpose?: string;
	edits: FileEdit[];
	reads: string[];
	/**
	 * True if the tool was called by a script that the agent ran. The log contains the tool's output only
	 * if the script printed it.
	 */
	isScripted?: true;
}

export interface Remark {
	kind: "remark";
	text: string;
}

/** The stop reason of a turn's last message, or `open` if the log ends in the middle of the turn. */
export type TurnEnd = "stop" | "length" | "toolUse" | "error" | "aborted" | "open";

/** A turn is a user request and everything that follows it, up to the next request. */
export interface Turn {
	/** The position of the turn's request among all requests in the timeline, starting at 1. */
	number: number;
	/** The user's own words, or undefined if the turn does not begin with a user request. */
	request: string | undefined;
	/**
	 * The unredacted request, which may contain secrets. It may be shown only in the user's own editor.
	 */
	typed?: string | undefined;
	expansion: string | undefined;
	images: number;
	isChoice: boolean;
	/** True if the request answers a question that the agent asked through a tool. */
	isAnswer?: boolean;
	isCommand: boolean;
	goal: string | undefined;
	recap?: string | undefined;
	leftOut: LeftOut | undefined;
	steps: (Step | Remark)[];
	reply: string | undefined;
	/** True if the reply is an unanswered question that the agent asked through a tool. */
	asks?: boolean;
	end: TurnEnd;
	errorMessage: string;
}

export interface FileEdit {
	path: string;
	/** `written` means that the whole file was created or overwritten. */
	kind: "edited" | "written" | "removed";
	added: number;
	removed: number;
	/** The lines of a file that were changed, or an empty string if the log does not contain them. */
	diff: string;
}

export interface FileChange extends FileEdit {
	times: number;
	turn: number;
}

/** A commit, pull request, issue or release that the session created. */
export interface Link {
	kind: "commit" | "page";
	locator: string;
	label: string;
	turn: number;
}

export interface Timeline {
	stamp: string | undefined;
	messages: number;
	name: string | undefined;
	/** Oldest first. */
	turns: Turn[];
	/** Oldest change first. */
	files: FileChange[];
	/** Oldest first. */
	links: Link[];
	/**
	 * The changed files listed in the most recent `git status` output in the session, or an empty list if
	 * the session has made a commit since then.
	 */
	uncommitted: string[];
	outcome: Outcome;
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

export function actedIn(turn: Turn): boolean {
	return turn.steps.some((one) => isStep(one) && !one.looks && one.outcome === "ok");
}

export function hasRequest(turn: Turn): boolean {
	return turn.request !== undefined || turn.images > 0;
}

export function lastTurn(turns: readonly Turn[]): Turn | undefined {
	return turns.findLast((turn) => hasRequest(turn) || turn.end !== "open");
}

export function editedPaths(steps: readonly Step[]): string[] {
	return [...new Set(steps.flatMap(({ edits }) => edits.map(({ path }) => path)))];
}

export function readPaths(steps: readonly Step[]): string[] {
	return [...new Set(steps.flatMap(({ reads }) => reads))];
}
