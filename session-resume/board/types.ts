import type { Recap } from "../../session-core/recap/record.ts";
import type { HostRefusal } from "../../session-core/store/host-loader.ts";
import type { Lease } from "../../session-core/store/lease.ts";
import type { SearchHit } from "../../session-core/store/search.ts";
import type { SessionKind } from "../../session-core/store/summary.ts";

/** Which sessions are listed: those in the folder of the current project, or all. */
export type Scope = "project" | "all";

/** Where a title comes from: the user, a model, the first prompt, or nowhere. */
export type TitleSource = "manual" | "auto" | "prompt" | "none";

/** One session on the board. All texts are safe to show, on one line. */
export interface Row {
	path: string;
	id: string;
	cwd: string;
	/** Its file stands in the current project's folder. */
	here: boolean;
	title: string;
	titleSource: TitleSource;
	/** What the user asked for first. */
	prompt: string | undefined;
	/** What to do next, if its newest recap is current and says so. */
	next: string | undefined;
	/** How it ended, where that is worth a word. Not true of a session that runs. */
	ending: string | undefined;
	/** Milliseconds since the epoch. */
	modified: number;
	kind: SessionKind;
	model: string | undefined;
	/** Bytes. */
	size: number;
	/** Resuming it goes on in a fork. */
	branches: boolean;
	/** False: the host would put an empty session in the file's place. */
	hostReads: boolean;
	/** Its recap, if it is current. */
	recap: Recap | undefined;
	/** What a query is matched against: lower case, composed accents. */
	match: { title: string; text: string };
	/** Changes whenever the file does. */
	stamp: string;
}

/** A live session as others see it. */
export type LiveState = Pick<Lease, "pid" | "state" | "since" | "sessionId" | "sessionFile"> & {
	/** It is the session that is open here. */
	own: boolean;
};

/** One line of the list. */
export type Item =
	| { type: "session"; row: Row }
	/** Headless and child sessions, folded away. */
	| { type: "fold"; count: number; open: boolean }
	/** Offers to search everything that was said. */
	| { type: "search"; query: string }
	| { type: "hit"; hit: SearchHit; row: Row };

/** How well a row matches. Lower is better; the tier counts before the score. */
export interface Match {
	row: Row;
	/** 0: in the title; 1: in what else is known of it; 2: only letter by letter, in the title. */
	tier: 0 | 1 | 2;
	score: number;
}

/** A query that is being matched, in slices. */
export interface Filter {
	words: readonly string[];
	rows: readonly Row[];
	/** Index of the first row that was not looked at. */
	next: number;
	matches: readonly Match[];
	/** The user waits for it: what was found so far is shown. */
	asked: boolean;
}

export type ScanStage = "waiting" | "running" | "done";

export type Hit = Extract<Item, { type: "hit" }>;

/** A search of everything that was said. */
export interface Search {
	query: string;
	hits: readonly Hit[];
	/** Sessions searched so far. */
	searched: number;
	running: boolean;
}

export type Act = "open" | "fork";

/** What a question is about, and what each of its answers leads to. */
export interface Question {
	text: string;
	choices: readonly { label: string; leads: Leaving | undefined }[];
}

/**
 * What happens once the session that is open is left. `repair`: what can be read of a damaged session is opened as a new one.
 * `cwd`: the folder that a copy goes on in; `moved`: not the one that it ran in; `entryId`: the last entry that a fork keeps,
 * where it is not the end.
 */
export type Leaving =
	| { act: "open"; path: string }
	| { act: "fork" | "repair"; path: string; cwd: string; moved: boolean; entryId?: string };

export type Mode =
	| { type: "list" }
	| { type: "rename"; path: string }
	| { type: "question"; question: Question; cursor: number };

export interface Notice {
	text: string;
	kind: "info" | "warning";
}

/** A card made from a file's end, and the state of the file that it was made from. */
export interface Preview {
	stamp: string;
	recap: Recap | undefined;
}

export interface Board {
	scope: Scope;
	scan: Readonly<Record<Scope, ScanStage>>;
	/** Every session known, of both scopes, in the order of the list. */
	order: readonly Row[];
	/** How many of the scope are not folded away. */
	count: number;
	live: readonly LiveState[];
	query: string;
	filter: Filter | undefined;
	/** What matches the query, best first; undefined without a query. */
	found: readonly Row[] | undefined;
	/** Headless and child sessions are listed. */
	unfolded: boolean;
	search: Search | undefined;
	/** The list as it stands, by all of the above. */
	items: readonly Item[];
	/** Index of the chosen item. */
	cursor: number;
	/** Index of the first visible item. */
	top: number;
	/** Lines of the list, as last painted. */
	page: number;
	mode: Mode;
	notice: Notice | undefined;
	previews: ReadonlyMap<string, Preview>;
	/** The session that is open here. */
	current: { path: string | undefined; cwd: string };
}

export type BoardKey =
	| "up"
	| "down"
	| "page_up"
	| "page_down"
	| "home"
	| "end"
	| "confirm"
	| "cancel"
	| "scope"
	| "fork"
	| "rename"
	| "search";

/** What stands in the way of an act, as found just before it. */
export interface Facts {
	row: Row;
	/** Why the host cannot open the file; opening it all the same would end the host, or the file. */
	blocked: string | undefined;
	/** The host does not read the file, and there is something to repair: what the host would do to it. */
	damage: HostRefusal | undefined;
	/** The folder that the session ran in is there. */
	cwdExists: boolean;
	/** Another process has it open: in words. */
	writer: string | undefined;
	/** The agent works in the session that is open here. */
	busy: boolean;
	/** The host asks by itself where to go on when the folder is gone: in a terminal it does. */
	hostAsksForCwd: boolean;
}

export type BoardEvent =
	| { type: "key"; key: BoardKey }
	| { type: "typed"; text: string }
	/** A new name was confirmed. */
	| { type: "named"; text: string }
	/** Time to go on with what was begun. */
	| { type: "more" }
	| { type: "resized"; page: number }
	| { type: "rows"; rows: readonly Row[] }
	/** A scan is through; what it did not see of its scope is gone. */
	| { type: "scanned"; scope: Scope; seen: ReadonlySet<string> }
	| { type: "live"; live: readonly LiveState[] }
	| { type: "hits"; query: string; hits: readonly Hit[]; searched: number; done: boolean }
	| { type: "checked"; act: Act; facts: Facts }
	| { type: "renamed"; path: string; outcome: { ok: true; name: string } | { ok: false; detail: string } }
	| { type: "previewed"; path: string; preview: Preview };

export type BoardEffect =
	| { type: "scan"; scope: Scope }
	| { type: "search"; query: string }
	| { type: "stop_search" }
	/** Answer with `more` when the event loop has had its turn. */
	| { type: "more" }
	/** Put this text into the input line. */
	| { type: "input"; text: string }
	/** Find out what stands in the way of the act, and answer with `checked`. */
	| { type: "check"; act: Act; row: Row }
	| { type: "rename"; row: Row; name: string }
	| { type: "close"; leaving: Leaving | undefined };

export interface BoardStep {
	state: Board;
	effects: BoardEffect[];
}
