import type { GoOutcome } from "../../session-core/live/go-to-terminal.ts";
import type { RenameOutcome } from "../../session-core/session-file/names.ts";
import type { Description } from "../../session-core/session-view/describe.ts";
import type { LiveState } from "../live/others.ts";
import type { DeleteOutcome, Facts } from "./acts.ts";
import type { Feed, FeedPorts } from "./feed.ts";
import type { Scope } from "./list.ts";
import type { Mark, MarkOutcome, Marks } from "./marks.ts";
import type { Leaving } from "./questions.ts";
import type { Row } from "./row.ts";
import type { startSearch } from "./search.ts";
import type { SessionFacts } from "./state.ts";

/** The board's actions on sessions and on the screen. */
export interface BoardPorts {
	/** The folder that pi works in. */
	here: string;
	facts(act: "open" | "fork" | "delete", row: Row): Promise<Facts>;
	rename(row: Row, name: string): Promise<RenameOutcome>;
	remove(row: Row, how: "trash" | "for_good"): Promise<DeleteOutcome>;
	/** Brings the session's terminal to the front. */
	go(row: Row): Promise<GoOutcome>;
	marks(): Marks;
	setMark(row: Row, mark: Mark, on: boolean): MarkOutcome;
	/** Returns the live sessions of all processes. */
	live(): LiveState[];
	/** Describes a session from the end of its file. */
	card(row: Row): Promise<Description | undefined>;
	/** Reads the complete file. The signal aborts when the cursor leaves the row. */
	sessionFacts(row: Row, signal: AbortSignal): Promise<SessionFacts>;
	search: typeof startSearch;
	feed(ports: Pick<FeedPorts, "rows" | "scanned">): Pick<Feed, "scan" | "settled" | "stop">;
	/** The screen is out of date. */
	changed(): void;
	close(leaving: Leaving | undefined): void;
}

export interface BoardStart {
	scope: Scope;
	query: string;
	/** The file of the session that is open here. */
	openPath: string | undefined;
	/** Lines of the list. */
	page: number;
	/** A line that is shown until the first key is pressed. */
	notice?: string | undefined;
}
