import type { GoOutcome } from "../../session-core/live/index.ts";
import type { RenameOutcome } from "../../session-core/session-file/index.ts";
import type { LiveState } from "../live/others.ts";
import type { DeleteOutcome, Facts } from "./acts.ts";
import type { Feed, FeedPorts } from "./feed.ts";
import type { List, Scope } from "./list.ts";
import type { Mark, MarkOutcome, Marks } from "./marks.ts";
import type { Preview, PreviewPorts } from "./preview-data.ts";
import type { Chosen } from "./questions.ts";
import type { Row } from "./row.ts";
import type { startSearch } from "./search.ts";

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
	searched: number;
	running: boolean;
}

export type Mode =
	| { type: "list" }
	| { type: "rename"; row: Row; text: string }
	/** The help about keys, symbols and the filter is shown. */
	/** `page`: how many pages the user has turned, forward or back. */
	| { type: "help"; page: number }
	| { type: "transcript"; row: Row }
	| { type: "question"; text: string; labels: readonly string[]; cursor: number };

export interface Notice {
	text: string;
	kind: "info" | "warning";
}

export function inputText({ mode, list }: Pick<BoardState, "mode" | "list">): string {
	return mode.type === "rename" ? mode.text : list.query;
}

export interface BoardPorts extends PreviewPorts {
	/** The folder that pi works in. */
	here: string;
	facts(act: "open" | "fork" | "delete", row: Row): Promise<Facts>;
	rename(row: Row, name: string): Promise<RenameOutcome>;
	remove(row: Row, how: "trash" | "for_good"): Promise<DeleteOutcome>;
	go(row: Row): Promise<GoOutcome>;
	marks(): Marks;
	setMark(row: Row, mark: Mark, on: boolean): MarkOutcome;
	live(): LiveState[];
	search: typeof startSearch;
	feed(ports: Pick<FeedPorts, "rows" | "scanned">): Pick<Feed, "scan" | "settled" | "stop">;
	/** The screen is out of date. */
	changed(): void;
	close(chosen: Chosen | undefined): void;
}

export interface BoardStart extends Pick<List, "scope" | "query" | "openPath" | "page"> {
	/** A line that is shown until the first key is pressed. */
	notice?: string | undefined;
}
