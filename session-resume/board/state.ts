import type { Choice } from "../../session-core/host/screen.ts";
import type { Rates } from "../../session-core/session-file/calls.ts";
import type { Description } from "../../session-core/session-view/describe.ts";
import type { List, Scope } from "./list.ts";
import type { Row } from "./row.ts";

/** What the board shows. */
export interface BoardState {
	readonly list: List;
	readonly scan: Readonly<Record<Scope, "waiting" | "running" | "done">>;
	/** The current search of all messages, if any. Its hits are in `list`. */
	readonly search: Search | undefined;
	readonly mode: Mode;
	/** The message that is shown instead of the key hints until the next key is pressed. */
	readonly notice: Notice | undefined;
	/** Whether the list shows the path of each session's file instead of its next step. */
	readonly showPath: boolean;
	/** Returns the preview data that has been read so far from the current version of the session's file. */
	previewOf(row: Row): Preview | undefined;
}

export interface Search {
	query: string;
	/** Sessions searched so far. */
	searched: number;
	running: boolean;
}

export type Mode =
	| { type: "list" }
	/** The user edits a session's name on the input line. */
	| { type: "rename"; row: Row; text: string }
	/** The help about keys, symbols and the filter is shown. */
	| { type: "help" }
	/** The last messages of a session are on the screen. */
	| { type: "transcript"; row: Row }
	| { type: "question"; text: string; labels: readonly string[]; cursor: number };

/** A question to the user, with the possible answers and the value of each answer. */
export interface Question<Answer> {
	text: string;
	choices: readonly Choice<Answer | undefined>[];
}

export interface Notice {
	text: string;
	kind: "info" | "warning";
}

/** The preview of a session. Parts that have not been read yet are absent. */
export interface Preview {
	/** Identifies the version of the file from which the preview was read. */
	stamp: string;
	/** The description derived from the end of the file; `described` is undefined if there is nothing to describe. */
	card?: { described: Description | undefined };
	facts?: SessionFacts;
}

/** Facts about a session that can be determined only by reading the complete session file or the repository. */
export interface SessionFacts {
	messages: number | undefined;
	/** The cost, in the currency of the model's price table. */
	cost: number | undefined;
	/** The fraction of the model's context window that is in use, from 0 to 1. */
	fill: number | undefined;
	/** The prices of the session's model in the host's registry. */
	rates?: Rates;
	/** The branch that is checked out in the session's folder. */
	branch: string | undefined;
	worktree: string | undefined;
}

/** Returns the text for the input line. */
export function inputText({ mode, list }: Pick<BoardState, "mode" | "list">): string {
	return mode.type === "rename" ? mode.text : list.query;
}
