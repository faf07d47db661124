import type { Choice } from "../../session-core/host/pick.ts";
import type { Description } from "../../session-core/session-view/describe.ts";
import type { Words } from "../../session-core/words/words.ts";
import type { List, Scope } from "./list.ts";
import type { Row } from "./row.ts";

/** What the board shows. */
export interface BoardState {
	readonly list: List;
	readonly scan: Readonly<Record<Scope, "waiting" | "running" | "done">>;
	/** The search of all messages; its hits are in the list. */
	readonly search: Search | undefined;
	readonly mode: Mode;
	/** The message in place of the key hints, until the next key. */
	readonly notice: Notice | undefined;
	/** The file's path is shown in place of the next step. */
	readonly showPath: boolean;
	/** The fixed words, in the user's language. */
	readonly words: Words;
	/** Returns the data that were read from the file in its present state. */
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
	/** The name is being edited on the input line. */
	| { type: "rename"; row: Row; text: string }
	/** Help on keys, symbols and the filter. */
	| { type: "help" }
	/** The last messages of a session. */
	| { type: "transcript"; row: Row }
	| { type: "question"; text: string; labels: readonly string[]; cursor: number };

/** A question to the user, and the meaning of each answer. */
export interface Question<Answer> {
	text: string;
	choices: readonly Choice<Answer | undefined>[];
}

export interface Notice {
	text: string;
	kind: "info" | "warning";
}

/** The preview of a session. Parts that are absent have not been read yet. */
export interface Preview {
	/** The state of the file that was read. */
	stamp: string;
	/** The description from the end of the file; undefined if there is nothing to describe. */
	card?: { described: Description | undefined };
	facts?: SessionFacts;
}

/** Facts that need the whole file and the repository. */
export interface SessionFacts {
	messages: number | undefined;
	/** The cost, in the currency of the model's price table. */
	cost: number | undefined;
	/** The used share of the model's context, from 0 to 1. */
	fill: number | undefined;
	/** The branch that is checked out in the session's folder. */
	branch: string | undefined;
	worktree: string | undefined;
}

/** Returns the text that belongs on the input line. */
export function inputText({ mode, list }: Pick<BoardState, "mode" | "list">): string {
	return mode.type === "rename" ? mode.text : list.query;
}
