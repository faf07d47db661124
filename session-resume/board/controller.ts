import type { GoOutcome } from "../../session-core/live-terminal/go.ts";
import type { RenameOutcome } from "../../session-core/naming/rename-in-file.ts";
import { causeOf } from "../../session-core/text/cause.ts";
import { createFeed, type Feed, type FeedDeps } from "./feed.ts";
import { inScope } from "./items.ts";
import type { MarkOutcome } from "./marks.ts";
import { createSearcher } from "./searcher.ts";
import { type BoardStart, chosenRow, openBoard, step } from "./step.ts";
import type {
	Act,
	Board,
	BoardEffect,
	BoardEvent,
	DeleteOutcome,
	Facts,
	Leaving,
	LiveState,
	Mark,
	Marks,
	Preview,
	Row,
	SessionFacts,
} from "./types.ts";

export interface ControllerDeps extends Omit<FeedDeps, "dispatch"> {
	start: Omit<BoardStart, "marks">;
	/** At once where no file has to be read whole. */
	facts(act: Act, row: Row): Facts | Promise<Facts>;
	/** At once where nobody else has to be asked. */
	rename(row: Row, name: string): RenameOutcome | Promise<RenameOutcome>;
	remove(row: Row, how: "trash" | "for_good"): Promise<DeleteOutcome>;
	/** Brings the terminal to the front in which the session is open. */
	go(row: Row): Promise<GoOutcome>;
	/** All pins, and the archive. */
	marks(): Marks;
	setMark(row: Row, mark: Mark, on: boolean): MarkOutcome;
	/** The live sessions of all processes. */
	live(): LiveState[];
	/** Makes the card of a session that has no current record. */
	card(row: Row): Preview["recap"] | Promise<Preview["recap"]>;
	/** Reads what only the whole file tells, until the signal says that nobody looks at it any more. */
	sessionFacts?: (row: Row, signal: AbortSignal) => Promise<SessionFacts>;
	openTranscript(row: Row): void;
	setInput(text: string): void;
	/** What is on screen is no longer true. */
	changed(): void;
	close(leaving: Leaving | undefined): void;
	feed?: (deps: FeedDeps) => Feed;
}

export interface Controller {
	readonly board: Board;
	dispatch(event: BoardEvent): void;
	end(): void;
}

/** The cursor has to rest this long before a file is read for its card. */
const PREVIEW_MS = 90;
const LIVE_MS = 1_000;
/** Ages are looked at again after this many looks at the live sessions. */
const AGES_EVERY = 20;

/** What is known of a row where nothing could be found out. */
const UNKNOWN: Omit<Facts, "row" | "blocked"> = {
	damage: undefined,
	cwdExists: true,
	writer: undefined,
	canGo: false,
	busy: false,
	trash: false,
	hostAsksForCwd: true,
};

/** Runs a board: performs what its steps ask for, and feeds it what happens. */
export function runBoard(deps: ControllerDeps): Controller {
	const first = openBoard({ ...deps.start, marks: deps.marks() });
	let board = first.state;
	let isOver = false;
	let preview: NodeJS.Timeout | undefined;
	let reading = { of: "", over: new AbortController() };
	let more: NodeJS.Immediate | undefined;
	let ticks = 0;
	let checks = 0;
	let liveBefore = "";

	const feed = (deps.feed ?? createFeed)({ ...deps, dispatch });
	const searcher = createSearcher({ rows: () => inScope(board), known: () => feed.settled(), dispatch });
	const pulse = setInterval(beat, LIVE_MS).unref();

	function dispatch(event: BoardEvent): void {
		if (isOver) return;
		const { state, effects } = step(board, event);
		const isNews = state !== board;
		board = state;
		for (const effect of effects) perform(effect);
		if (isOver) return;
		if (isNews) deps.changed();
		previewSoon();
	}

	function perform(effect: BoardEffect): void {
		switch (effect.type) {
			case "scan":
				feed.scan(effect.scope);
				break;
			case "search":
				searcher.start(effect.query);
				break;
			case "stop_search":
				searcher.stop();
				break;
			case "more":
				clearImmediate(more);
				more = setImmediate(() => dispatch({ type: "more" }));
				break;
			case "input":
				deps.setInput(effect.text);
				break;
			case "check":
				void check(effect.act, effect.row);
				break;
			case "rename":
				void rename(effect.row, effect.name);
				break;
			case "transcript":
				deps.openTranscript(effect.row);
				break;
			case "delete":
				void remove(effect);
				break;
			case "go":
				void go(effect.facts);
				break;
			case "mark":
				mark(effect);
				break;
			case "close":
				end();
				deps.close(effect.leaving);
				break;
		}
	}

	/** Only what was asked for last is answered: a large file takes a while, and the user may have gone on. */
	async function check(act: Act, row: Row): Promise<void> {
		const asked = ++checks;
		try {
			const facts = deps.facts(act, row);
			const known = facts instanceof Promise ? await facts : facts;
			if (asked === checks) dispatch({ type: "checked", act, facts: known });
		} catch (error) {
			// The host answers nothing about a session that was replaced meanwhile; its board is over, and nobody is told.
			dispatch({ type: "checked", act, facts: { ...UNKNOWN, row, blocked: causeOf(error) } });
		}
	}

	function mark({ row, mark, on }: Extract<BoardEffect, { type: "mark" }>): void {
		const outcome = deps.setMark(row, mark, on);
		if (outcome.ok) dispatch({ type: "marks", marks: deps.marks(), told: { mark, on } });
		else dispatch({ type: "not_marked", detail: outcome.detail });
	}

	async function remove({ row, how }: Extract<BoardEffect, { type: "delete" }>): Promise<void> {
		const outcome = await deps
			.remove(row, how)
			.catch((error): DeleteOutcome => ({ ok: false, reason: "kept", detail: causeOf(error) }));
		dispatch({ type: "deleted", row, outcome });
	}

	async function go(facts: Facts): Promise<void> {
		const outcome = await deps
			.go(facts.row)
			.catch((error): GoOutcome => ({ ok: false, reason: "no_way", told: causeOf(error) }));
		dispatch({ type: "went", facts, outcome });
	}

	async function rename(row: Row, name: string): Promise<void> {
		try {
			dispatch({ type: "renamed", path: row.path, outcome: await deps.rename(row, name) });
		} catch (error) {
			// The host appends names without looking whether the disk is full.
			const detail = error instanceof Error ? error.message : String(error);
			dispatch({ type: "renamed", path: row.path, outcome: { ok: false, detail } });
		}
	}

	/** The card first, which the end of the file tells; then what takes the whole of it, for as long as the cursor rests on it. */
	function previewSoon(): void {
		const row = chosenRow(board);
		if (!row || `${row.path} ${row.stamp}` === reading.of) return;
		reading.over.abort();
		reading = { of: `${row.path} ${row.stamp}`, over: new AbortController() };
		clearTimeout(preview);
		preview = setTimeout(() => void makePreview(row), PREVIEW_MS).unref();
	}

	async function makePreview(row: Row): Promise<void> {
		if (!row.recap && board.previews.get(row.path)?.stamp !== row.stamp) {
			const recap = await cardOrNone(row);
			dispatch({ type: "previewed", path: row.path, preview: { stamp: row.stamp, recap } });
		}
		if (board.sessionFacts.get(row.path)?.stamp !== row.stamp) await readFacts(row);
	}

	async function readFacts(row: Row): Promise<void> {
		const { signal } = reading.over;
		try {
			const facts = await deps.sessionFacts?.(row, signal);
			if (facts && !signal.aborted) dispatch({ type: "facts", path: row.path, stamp: row.stamp, facts });
		} catch {
			// A file that nobody foresaw has no figures; the board goes on.
		}
	}

	/** A file of a shape that nobody foresaw has no card; it is asked for once, not again and again. */
	async function cardOrNone(row: Row): Promise<Preview["recap"]> {
		try {
			return await deps.card(row);
		} catch {
			return undefined;
		}
	}

	function beat(): void {
		const live = deps.live();
		const now = JSON.stringify(live);
		if (now !== liveBefore) dispatch({ type: "live", live });
		else if (++ticks % AGES_EVERY === 0) deps.changed();
		liveBefore = now;
		seeMarks();
	}

	/** Another process may have marked something. */
	function seeMarks(): void {
		const { pinned, archived } = deps.marks();
		const { marks } = board;
		if (isSame(pinned, marks.pinned) && isSame(archived, marks.archived)) return;
		dispatch({ type: "marks", marks: { pinned, archived } });
	}

	function end(): void {
		isOver = true;
		clearTimeout(preview);
		reading.over.abort();
		clearImmediate(more);
		clearInterval(pulse);
		searcher.stop();
		feed.stop();
	}

	beat();
	for (const effect of first.effects) perform(effect);
	return {
		get board() {
			return board;
		},
		dispatch,
		end,
	};
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
	return one.size === other.size && [...one].every((name) => other.has(name));
}
