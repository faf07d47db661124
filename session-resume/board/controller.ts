import type { GoOutcome } from "../../session-core/live/go-to-terminal.ts";
import { fileErrorText } from "../../session-core/session-file/append.ts";
import type { RenameOutcome } from "../../session-core/session-file/name-session.ts";
import type { Description } from "../../session-core/session-view/describe.ts";
import type { BoardWords } from "../../session-core/words/words.ts";
import {
	type Board,
	type BoardStart,
	type Notice,
	openBoard,
	previewOf,
	type Question,
	type SessionFacts,
	scanned,
	told,
	withHits,
	withList,
	withName,
	without,
	withPreview,
	withRows,
} from "./board.ts";
import type { DeleteOutcome } from "./delete.ts";
import type { Facts } from "./facts.ts";
import type { Feed, FeedPorts } from "./feed.ts";
import { chosenRow, rowsInScope } from "./list.ts";
import { type LiveState, liveStateOf } from "./live-states.ts";
import type { Mark, MarkOutcome, Marks } from "./marks.ts";
import { type BoardKey, type Effect, press, typed } from "./press.ts";
import { decide, deleteQuestion, forGoodQuestion, type Leaving } from "./questions.ts";
import type { Row } from "./row.ts";
import { startSearch } from "./search.ts";

/** What the board does to sessions and to the screen. */
export interface BoardPorts {
	/** The folder that pi works in. */
	here: string;
	facts(act: "open" | "fork" | "delete", row: Row): Promise<Facts>;
	rename(row: Row, name: string): Promise<RenameOutcome>;
	remove(row: Row, how: "trash" | "for_good"): Promise<DeleteOutcome>;
	/** Brings the terminal to the front in which the session is open. */
	go(row: Row): Promise<GoOutcome>;
	marks(): Marks;
	setMark(row: Row, mark: Mark, on: boolean): MarkOutcome;
	/** The live sessions of all processes. */
	live(): LiveState[];
	/** Where a session stands, from the end of its file. */
	card(row: Row): Promise<Description | undefined>;
	/** Reads what only the whole file tells. The signal aborts when the cursor leaves the row. */
	sessionFacts(row: Row, signal: AbortSignal): Promise<SessionFacts>;
	feed(ports: Pick<FeedPorts, "rows" | "scanned">): Pick<Feed, "scan" | "settled" | "stop">;
	/** The screen is out of date. */
	changed(): void;
	close(leaving: Leaving | undefined): void;
}

/** The cursor has to rest this long before a file is read for its preview. */
const PREVIEW_MS = 90;
const LIVE_MS = 1_000;
/** Ages are painted again after this many looks at the live sessions. */
const AGES_EVERY = 20;

/** Runs a board: performs what keys ask for, and keeps the board up to date. */
export class Controller {
	board: Board;
	readonly #ports: BoardPorts;
	readonly #feed: ReturnType<BoardPorts["feed"]>;
	readonly #pulse: NodeJS.Timeout;
	#isOver = false;
	#stopSearch: (() => void) | undefined;
	#preview: NodeJS.Timeout | undefined;
	#reading = { of: "", over: new AbortController() };
	#ticks = 0;
	#liveBefore = "";
	#acts = 0;
	#answer: ((choice: number | undefined) => void) | undefined;

	constructor(start: Omit<BoardStart, "marks">, ports: BoardPorts) {
		this.#ports = ports;
		this.board = openBoard({ ...start, marks: ports.marks() });
		this.#feed = ports.feed({
			rows: (rows) => this.#update(withRows(this.board, rows)),
			scanned: (scope, seen) => this.#update(scanned(this.board, scope, seen)),
		});
		this.#pulse = setInterval(() => this.#beat(), LIVE_MS).unref();
		this.#beat();
		this.#follow();
	}

	press(key: BoardKey): void {
		const { board, effect } = press(this.board, key);
		this.#update(board);
		if (effect && !this.#isOver) this.#perform(effect);
	}

	/** The input line was edited. */
	type(text: string): void {
		this.#update(typed(this.board, text));
	}

	/** Shows the board with its list in another height. */
	resize(list: Board["list"]): void {
		this.#update({ ...this.board, list });
	}

	end(): void {
		this.#isOver = true;
		clearTimeout(this.#preview);
		this.#reading.over.abort();
		clearInterval(this.#pulse);
		this.#stopSearch?.();
		this.#feed.stop();
	}

	#update(board: Board): void {
		if (this.#isOver || board === this.board) return;
		const search = this.board.search?.query;
		this.board = board;
		if (search !== board.search?.query) this.#search(board.search?.query);
		this.#follow();
		this.#ports.changed();
	}

	#tell(text: string, kind: Notice["kind"]): void {
		this.#update(told(this.board, text, kind));
	}

	/** Begins what the board's state asks for. */
	#follow(): void {
		const { list, scan } = this.board;
		if (scan[list.scope] === "waiting") {
			this.board = { ...this.board, scan: { ...scan, [list.scope]: "running" } };
			this.#feed.scan(list.scope);
		}
		this.#previewSoon();
	}

	#search(query: string | undefined): void {
		this.#stopSearch?.();
		this.#stopSearch =
			query === undefined
				? undefined
				: startSearch(query, {
						rows: () => rowsInScope(this.board.list),
						known: () => this.#feed.settled(),
						found: (found) => this.#update(withHits(this.board, found)),
					});
	}

	#perform(effect: Effect): void {
		switch (effect.type) {
			case "open":
			case "fork": {
				const { type: act, row } = effect;
				void this.#attempt((isLast) => this.#leave(act, row, isLast));
				break;
			}
			case "delete":
				void this.#attempt((isLast) => this.#delete(effect.row, isLast));
				break;
			case "rename":
				void this.#rename(effect.row, effect.name);
				break;
			case "mark":
				this.#mark(effect);
				break;
			case "answer":
				this.#answer?.(effect.choice);
				break;
			case "close":
				this.#close(undefined);
		}
	}

	/** Only the last act may ask and leave: facts about a large file take a while, and the user may have moved on. */
	async #attempt(act: (isLast: () => boolean) => Promise<void>): Promise<void> {
		const turn = ++this.#acts;
		const isLast = () => turn === this.#acts && !this.#isOver;
		try {
			await act(isLast);
		} catch (error) {
			// Also if the session was replaced meanwhile: then the board is over, and this changes nothing.
			if (isLast()) this.#tell(fileErrorText(error), "warning");
		}
	}

	async #leave(act: "open" | "fork", row: Row, isLast: () => boolean): Promise<void> {
		const { here, facts, go } = this.#ports;
		const leaving = await decide(act, row, {
			facts,
			go,
			here,
			words: this.board.words,
			isOneKey: true,
			say: (text, kind) => isLast() && this.#tell(text, kind),
			ask: (question) => this.#ask(question, isLast),
		});
		if (leaving && isLast()) this.#close(leaving);
	}

	async #delete(row: Row, isLast: () => boolean): Promise<void> {
		const words = this.board.words.board;
		const facts = await this.#ports.facts("delete", row);
		if (facts.blocked !== undefined) {
			if (isLast()) this.#tell(facts.blocked, "warning");
			return;
		}
		const how = await this.#ask(deleteQuestion(facts, words), isLast);
		if (how === undefined) return;
		let outcome = await this.#remove(row, how);
		if (!outcome.ok && outcome.reason === "no_trash" && this.#canAsk(isLast)) {
			const question = forGoodQuestion(row, words.trashRefused(outcome.detail), words);
			if ((await this.#ask(question, isLast)) === undefined) return;
			outcome = await this.#remove(row, "for_good");
		}
		if (outcome.ok) this.#update(without(this.board, row));
		const { text, kind } = deletedNotice(outcome, words);
		this.#tell(text, kind);
	}

	#remove(row: Row, how: "trash" | "for_good"): Promise<DeleteOutcome> {
		return this.#ports
			.remove(row, how)
			.catch((error): DeleteOutcome => ({ ok: false, reason: "kept", detail: fileErrorText(error) }));
	}

	/** Not if the user is doing something else by now. */
	#canAsk(isLast: () => boolean): boolean {
		return isLast() && this.board.mode.type === "list";
	}

	/** Undefined: no answer, or it could not be asked. */
	async #ask<Answer>(
		{ text, choices }: Question<Answer>,
		isLast: () => boolean,
	): Promise<Answer | undefined> {
		if (!this.#canAsk(isLast)) return undefined;
		const labels = choices.map(({ label }) => label);
		const answered = new Promise<number | undefined>((resolve) => {
			this.#answer = resolve;
		});
		this.#update({ ...this.board, mode: { type: "question", text, labels, cursor: 0 } });
		const choice = await answered;
		return choice === undefined || !isLast() ? undefined : choices[choice]?.value;
	}

	async #rename(row: Row, name: string): Promise<void> {
		const words = this.board.words.board;
		// The host appends names without checking whether the disk is full.
		const outcome = await this.#ports
			.rename(row, name)
			.catch((error): RenameOutcome => ({ ok: false, detail: fileErrorText(error) }));
		if (!outcome.ok) {
			this.#tell(words.notRenamed(outcome.detail), "warning");
			return;
		}
		this.#update(withName(this.board, row.path, outcome.name));
		this.#tell(words.renamed, "info");
	}

	#mark({ row, mark, on }: Extract<Effect, { type: "mark" }>): void {
		const { words, list } = this.board;
		const outcome = this.#ports.setMark(row, mark, on);
		if (!outcome.ok) {
			this.#tell(words.board.notMarked(outcome.detail), "warning");
			return;
		}
		this.#update(withList(this.board, { marks: this.#ports.marks() }));
		const isLive = liveStateOf(list.live, row) !== undefined;
		this.#tell(markedText(mark, on, { isLive, words: words.board }), "info");
	}

	#close(leaving: Leaving | undefined): void {
		this.end();
		this.#ports.close(leaving);
	}

	/** The card comes first, from the end of the file; then what takes the whole file, while the cursor rests on the row. */
	#previewSoon(): void {
		const row = chosenRow(this.board.list);
		if (!row || `${row.path} ${row.stamp}` === this.#reading.of) return;
		this.#reading.over.abort();
		this.#reading = { of: `${row.path} ${row.stamp}`, over: new AbortController() };
		clearTimeout(this.#preview);
		this.#preview = setTimeout(() => void this.#readPreview(row), PREVIEW_MS).unref();
	}

	/** A file of an unexpected shape has no preview; it is read once, not again and again. */
	async #readPreview(row: Row): Promise<void> {
		const { signal } = this.#reading.over;
		if (!previewOf(this.board, row)?.card) {
			const described = await this.#ports.card(row).catch(() => undefined);
			this.#update(withPreview(this.board, row, { card: { described } }));
		}
		if (signal.aborted || previewOf(this.board, row)?.facts) return;
		const facts = await this.#ports.sessionFacts(row, signal).catch(() => undefined);
		if (facts && !signal.aborted) this.#update(withPreview(this.board, row, { facts }));
	}

	/** Other processes change live states and marks. */
	#beat(): void {
		const live = this.#ports.live();
		const now = JSON.stringify(live);
		if (now !== this.#liveBefore) this.#update(withList(this.board, { live }));
		else if (++this.#ticks % AGES_EVERY === 0) this.#ports.changed();
		this.#liveBefore = now;
		const marks = this.#ports.marks();
		const before = this.board.list.marks;
		if (!isSame(marks.pinned, before.pinned) || !isSame(marks.archived, before.archived))
			this.#update(withList(this.board, { marks }));
	}
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
	return one.size === other.size && [...one].every((name) => other.has(name));
}

function deletedNotice(outcome: DeleteOutcome, words: BoardWords): Notice {
	if (!outcome.ok) return { text: words.notDeleted(outcome.detail), kind: "warning" };
	const texts = { trash: words.trashed, for_good: words.deleted, gone: words.goneAlready };
	return { text: texts[outcome.how], kind: "info" };
}

function markedText(
	mark: Mark,
	on: boolean,
	{ isLive, words }: { isLive: boolean; words: BoardWords },
): string {
	if (mark === "pinned") return on ? words.pinned : words.unpinned;
	if (!on) return words.unarchived;
	return isLive ? words.archivedLive : words.archived;
}
