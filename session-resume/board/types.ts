import type { GoOutcome } from "../../session-core/live-terminal/go.ts";
import type { Recap } from "../../session-core/recap/record.ts";
import type { HostRefusal } from "../../session-core/store/host-loader.ts";
import type { Lease } from "../../session-core/store/lease.ts";
import type { SearchHit } from "../../session-core/store/search.ts";
import type { SessionKind } from "../../session-core/store/summary.ts";
import type { Choice } from "../../session-core/terminal/pick.ts";
import type { Words } from "../../session-core/words/words.ts";

/** Which sessions are listed: those in the folder of the current project, or all. */
export type Scope = "project" | "all";

/** The order of the list. `needs_you`: what needs a look first. `threads`: newest first, forks below what they were forked from. */
export type Sort = "needs_you" | "newest" | "threads" | "name" | "project";

/** What the user can mark a session with. */
export type Mark = "pinned" | "archived";

/** Marked sessions, by {@link Row.mark}. */
export type Marks = Readonly<Record<Mark, ReadonlySet<string>>>;

/** What is folded away: runs without a user and sessions that other sessions started, or what the user archived. */
export type FoldKind = "background" | "archived";

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
	/** It ended with a question to the user. */
	waits: boolean;
	/** Milliseconds since the epoch. */
	modified: number;
	kind: SessionKind;
	/** File of the session that it was forked from or started by. */
	parent: string | undefined;
	/** What it is marked by. */
	mark: string;
	model: string | undefined;
	provider: { name: string; model: string } | undefined;
	/** Milliseconds since the epoch. */
	created: number;
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
	/** Its terminal may be brought to the front. */
	canGo: boolean;
};

/** One line of the list. */
export type Item =
	/** `branch`: the lines in front of a fork in the view by threads. */
	| { type: "session"; row: Row; branch?: string }
	| { type: "fold"; kind: FoldKind; count: number; open: boolean }
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

/** An act on a session before which it is looked up what stands in its way. */
export type Act = "open" | "fork" | "delete";

/** What a question is about, and what each of its answers does. */
export interface Question<Effect = Leaving> {
	text: string;
	choices: readonly Choice<Effect | undefined>[];
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
	/** What each key does. */
	| { type: "keys" }
	/** The last messages of the session under the cursor. */
	| { type: "transcript" }
	| { type: "question"; question: Question<BoardEffect>; cursor: number };

export interface Notice {
	text: string;
	kind: "info" | "warning";
}

/** A card made from a file's end, and the state of the file that it was made from. */
export interface Preview {
	stamp: string;
	recap: Recap | undefined;
}

/** What only the whole file and the repository tell; what is not known is absent. */
export interface SessionFacts {
	messages: number | undefined;
	/** In the currency of the model's price table. */
	cost: number | undefined;
	/** How full the model's context is, of 1. */
	fill: number | undefined;
	/** Checked out where the session runs, now. */
	branch: string | undefined;
	worktree: string | undefined;
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
	/** What is folded away and listed all the same. */
	unfolded: ReadonlySet<FoldKind>;
	sort: Sort;
	/** Only sessions that have a name. */
	namedOnly: boolean;
	/** The file's path stands where else the next step does. */
	showPath: boolean;
	marks: Marks;
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
	/** What was read of whole files, by path, with the state of the file that it is true of. */
	sessionFacts: ReadonlyMap<string, { stamp: string; facts: SessionFacts }>;
	/** The fixed words, in the user's language. */
	words: Words;
	/** The session that is open here. */
	current: { path: string | undefined; cwd: string };
}

/** Keys that move a cursor. */
export type MotionKey = "up" | "down" | "page_up" | "page_down" | "home" | "end";

/** Keys of the board's acts; what each does stands in the table of acts. */
export type ActKey =
	| "confirm"
	| "fork"
	| "rename"
	| "transcript"
	| "delete"
	| "archive"
	| "pin"
	| "scope"
	| "sort"
	| "named"
	| "path"
	| "search"
	| "keys"
	| "cancel";

export type BoardKey = MotionKey | ActKey;

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
	/** The terminal of that process may be brought to the front. */
	canGo: boolean;
	/** The agent works in the session that is open here. */
	busy: boolean;
	/** This system has a trash. */
	trash: boolean;
	/** The host asks by itself where to go on when the folder is gone: in a terminal it does. */
	hostAsksForCwd: boolean;
}

/** `gone`: it had vanished meanwhile. `no_trash`: the trash did not take it. `kept`: it was not tried, or it cannot be deleted. */
export type DeleteOutcome =
	| { ok: true; how: "trash" | "for_good" | "gone" }
	| { ok: false; reason: "no_trash" | "kept"; detail: string };

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
	/** What is marked now; `told`: it is the answer to what the user did here. */
	| { type: "marks"; marks: Marks; told?: { mark: Mark; on: boolean } }
	| { type: "deleted"; row: Row; outcome: DeleteOutcome }
	| { type: "went"; facts: Facts; outcome: GoOutcome }
	/** A mark could not be set or taken away. */
	| { type: "not_marked"; detail: string }
	| { type: "renamed"; path: string; outcome: { ok: true; name: string } | { ok: false; detail: string } }
	| { type: "previewed"; path: string; preview: Preview }
	| { type: "facts"; path: string; stamp: string; facts: SessionFacts };

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
	/** Show what was said last in it. */
	| { type: "transcript"; row: Row }
	/** Delete it, unless somebody has it open by now; answer with `deleted`. */
	| { type: "delete"; row: Row; how: "trash" | "for_good" }
	/** Bring the terminal to the front in which the session is open; answer with `went`. */
	| { type: "go"; facts: Facts }
	/** Set a mark or take it away; answer with `marks`. */
	| { type: "mark"; row: Row; mark: Mark; on: boolean }
	| { type: "close"; leaving: Leaving | undefined };

export interface BoardStep {
	state: Board;
	effects: BoardEffect[];
}
