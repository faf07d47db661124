import type { LeftOut } from "../index.ts";
import type { Printed } from "./result.ts";

/**
 * The outcome follows from the structure of the log. Only `waiting` depends on the wording of the last
 * reply.
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
	 * True if a script made the call. The log contains the output of such a call only if the script
	 * printed it.
	 */
	isScripted?: true;
}

export interface Remark {
	kind: "remark";
	text: string;
}

/** `open` means that the log ends in the middle of the turn. */
export type TurnEnd = "stop" | "length" | "toolUse" | "error" | "aborted" | "open";

/** A turn is a user request and everything that follows it, up to the next request. */
export interface Turn {
	/** The request's number, counted from 1 among all requests that were read. */
	number: number;
	/** The user's own words. Undefined if no request preceded the work. */
	request: string | undefined;
	/**
	 * The request before redaction, which may contain secrets. The unredacted request may be shown only in
	 * the user's own editor.
	 */
	typed?: string | undefined;
	expansion: string | undefined;
	images: number;
	isChoice: boolean;
	/** True if the request answers a question that the agent asked through a tool. */
	isAnswer?: boolean;
	isCommand: boolean;
	goal: string | undefined;
	/** The recap that the agent wrote before this turn. The goal was taken from this recap. */
	recap?: string | undefined;
	leftOut: LeftOut | undefined;
	steps: (Step | Remark)[];
	reply: string | undefined;
	/**
	 * True if the reply is a question that the agent asked through a tool, and the user has not answered
	 * yet.
	 */
	asks?: boolean;
	end: TurnEnd;
	errorMessage: string;
}

export interface FileEdit {
	path: string;
	/** `written` means that the whole file was created or replaced. */
	kind: "edited" | "written" | "removed";
	added: number;
	removed: number;
	/** The changed lines, or an empty string if the log does not contain them. */
	diff: string;
}

export interface FileChange extends FileEdit {
	times: number;
	turn: number;
}

/** A commit, or the page of a pull request, issue or release that the session created. */
export interface Link {
	kind: "commit" | "page";
	locator: string;
	label: string;
	turn: number;
}

export interface Timeline {
	/** The id of the last message entry, which identifies the state of the conversation. */
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
	 * The files that the newest `git status` lists as changed. Empty if the session has committed since
	 * then.
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
