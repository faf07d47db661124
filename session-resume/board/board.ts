import type { Choice } from "../../session-core/host/pick.ts";
import type { Description } from "../../session-core/session-view/describe.ts";
import type { Words } from "../../session-core/words/words.ts";
import { emptyList, type Hit, type List, relisted, type Scope } from "./list.ts";
import type { Marks } from "./marks.ts";
import { type Row, renamed } from "./row.ts";

/** The state of the board, and how it changes by what happens around it. What keys do is in `press.ts`. */
export interface Board {
	list: List;
	scan: Readonly<Record<Scope, "waiting" | "running" | "done">>;
	search: Search | undefined;
	mode: Mode;
	/** Shown in place of the key hints until the next key. */
	notice: Notice | undefined;
	/** The file's path is shown in place of the next step. */
	showPath: boolean;
	/** What was read for the preview, by path. */
	previews: ReadonlyMap<string, Preview>;
	/** The fixed words, in the user's language. */
	words: Words;
}

/** A search of everything that was said; its hits are in the list. */
export interface Search {
	query: string;
	/** Sessions searched so far. */
	searched: number;
	running: boolean;
}

export type Mode =
	| { type: "list" }
	/** The name is edited on the input line. */
	| { type: "rename"; row: Row; text: string }
	/** Help on keys, symbols and the filter. */
	| { type: "help" }
	/** The last messages of a session. */
	| { type: "transcript"; row: Row }
	| { type: "question"; text: string; labels: readonly string[]; cursor: number };

/** A question to the user, and what each of its answers means. */
export interface Question<Answer> {
	text: string;
	choices: readonly Choice<Answer | undefined>[];
}

export interface Notice {
	text: string;
	kind: "info" | "warning";
}

/** What was read for the preview of a file in the state `stamp`; absent parts are not read yet. */
export interface Preview {
	stamp: string;
	/** Made from the file's end; undefined: there is nothing to say. */
	card?: { described: Description | undefined };
	facts?: SessionFacts;
}

/** What only the whole file and the repository tell. */
export interface SessionFacts {
	messages: number | undefined;
	/** In the currency of the model's price table. */
	cost: number | undefined;
	/** How full the model's context is, of 1. */
	fill: number | undefined;
	/** Checked out now in the session's folder. */
	branch: string | undefined;
	worktree: string | undefined;
}

export interface BoardStart {
	scope: Scope;
	query: string;
	/** File of the session that is open here. */
	openPath: string | undefined;
	/** Lines of the list. */
	page: number;
	marks: Marks;
	words: Words;
}

export function openBoard({ words, ...start }: BoardStart): Board {
	return {
		list: emptyList(start),
		scan: { project: "waiting", all: "waiting" },
		search: undefined,
		mode: { type: "list" },
		notice: undefined,
		showPath: false,
		previews: new Map(),
		words,
	};
}

/** The text that belongs on the input line. */
export function inputText({ mode, list }: Board): string {
	return mode.type === "rename" ? mode.text : list.query;
}

export function told(board: Board, text: string, kind: Notice["kind"]): Board {
	return { ...board, notice: { text, kind } };
}

export function withList(board: Board, change: Parameters<typeof relisted>[1]): Board {
	return { ...board, list: relisted(board.list, change) };
}

/** Rows that were found or have changed. */
export function withRows(board: Board, rows: readonly Row[]): Board {
	if (rows.length === 0) return board;
	const byPath = new Map(rows.map((row) => [row.path, row]));
	const sessions = [...board.list.sessions.filter(({ path }) => !byPath.has(path)), ...rows];
	const hits = board.list.hits?.map((hit) => ({ ...hit, row: byPath.get(hit.row.path) ?? hit.row }));
	return withList(board, { sessions, hits });
}

/** A scan of the scope is complete. What it did not see is gone. */
export function scanned(board: Board, scope: Scope, seen: ReadonlySet<string>): Board {
	// A scan of everything covers the project, too.
	const scan = {
		...board.scan,
		[scope]: "done" as const,
		...(scope === "all" && { project: "done" as const }),
	};
	const sessions = board.list.sessions.filter(
		(row) => (scope === "project" && !row.here) || seen.has(row.path),
	);
	const next = { ...board, scan };
	return sessions.length === board.list.sessions.length ? next : withList(next, { sessions });
}

/** More hits of a search. Late answers of another search are ignored. */
export function withHits(
	board: Board,
	{ query, hits, searched, done }: { query: string; hits: readonly Hit[]; searched: number; done: boolean },
): Board {
	if (board.search?.query !== query) return board;
	const next = { ...board, search: { query, searched, running: !done } };
	return withList(next, { hits: withRowsOf(board, hits) });
}

export function withPreview(board: Board, row: Row, read: Omit<Preview, "stamp">): Board {
	const before = previewOf(board, row);
	const preview = { ...before, ...read, stamp: row.stamp };
	return { ...board, previews: new Map(board.previews).set(row.path, preview) };
}

/** What was read of the file in its present state. */
export function previewOf({ previews }: Board, { path, stamp }: Row): Preview | undefined {
	const preview = previews.get(path);
	return preview?.stamp === stamp ? preview : undefined;
}

export function withName(board: Board, path: string, name: string): Board {
	const row = board.list.sessions.find((one) => one.path === path);
	return row ? withRows(board, [renamed(row, name)]) : board;
}

export function without(board: Board, { path }: Row): Board {
	const { sessions, hits } = board.list;
	return withList(board, {
		sessions: sessions.filter((row) => row.path !== path),
		hits: hits?.filter(({ row }) => row.path !== path),
	});
}

/** The hits with their rows as they are now: what a session is about may be read while the search runs. */
function withRowsOf({ list }: Board, hits: readonly Hit[]): Hit[] {
	const byPath = new Map(list.sessions.map((row) => [row.path, row]));
	return hits.map((hit) => ({ ...hit, row: byPath.get(hit.row.path) ?? hit.row }));
}
