import { fileErrorText } from "../../session-core/log/append.ts";
import type { DeleteHow, DeleteOutcome } from "../../session-core/log/delete-session.ts";
import { explainAnswer, type Overlap, whyNotAnswered } from "../../session-core/sessions/live/index.ts";
import type { Acts } from "./acts.ts";
import type { RowNoteOutcome, RowNoteRequest } from "./ask-note.ts";
import type { Feed, FeedPorts } from "./feed.ts";
import { type BoardKey, moveCursor } from "./keys.ts";
import {
	type Contents,
	chosenRow,
	emptyList,
	type List,
	messageQuery,
	moved,
	movedTo,
	relisted,
	resized,
	resorted,
	restarted,
	type Scope,
	searchedRows,
	toggled,
} from "./list.ts";
import { type Preview, type PreviewPorts, Previews } from "./preview-data.ts";
import { type BoardQuestion, type Chosen, changedText, changeQuestion, decide } from "./questions.ts";
import { isNamed, type Row, renamed } from "./row.ts";
import type { BoardState, Mode, Notice } from "./state.ts";

export interface BoardPorts extends Acts, PreviewPorts {
	/** Asks a model for the note on a session. */
	note(row: Row, request: RowNoteRequest): Promise<RowNoteOutcome>;
	feed(ports: Pick<FeedPorts, "rows" | "scanned">): Pick<Feed, "scan" | "search" | "stop">;
	changed(): void;
	close(chosen: Chosen | undefined): void;
}

const LIST: Mode = { type: "list" };
const LIVE_MS = 1_000;
/** Number of checks of the live sessions after which the board repaints the ages. */
const AGES_EVERY = 20;

export class Board implements BoardState {
	list: List;
	readonly scan: Record<Scope, "waiting" | "running" | "done"> = { project: "waiting", all: "waiting" };
	mode = LIST;
	notice: Notice | undefined;
	showPath = false;
	readonly #ports: BoardPorts;
	readonly #feed: ReturnType<BoardPorts["feed"]>;
	readonly #pulse: NodeJS.Timeout;
	readonly #previews: Previews;
	#isOver = false;
	#stopSearch: (() => void) | undefined;
	#ticks = 0;
	#before = "";
	/** By the instance of the lease. */
	#overlaps: ReadonlyMap<string, readonly Overlap[]> = new Map();
	#acts = 0;
	#asking: AbortController | undefined;
	#answer: ((choice: number | undefined) => void) | undefined;

	/** `notice`: a line that is shown until the first key is pressed. */
	constructor(
		start: Pick<List, "scope" | "query" | "openPath" | "page">,
		ports: BoardPorts,
		notice?: string,
	) {
		this.#ports = ports;
		if (notice !== undefined) this.notice = { text: notice, kind: "info" };
		this.list = emptyList({ ...start, marks: ports.marks() });
		this.#previews = new Previews(ports, () => this.#changed());
		this.#feed = ports.feed({
			rows: (rows) => this.#addRows(rows),
			scanned: (scope, seen) => this.#scanned(scope, seen),
		});
		this.#pulse = setInterval(() => this.refresh(), LIVE_MS).unref();
		this.refresh();
		this.#changed();
	}

	press(key: BoardKey): void {
		this.notice = undefined;
		if (key === "cancel" && this.mode.type === "list" && this.#asking) {
			this.#asking.abort();
			this.#asking = undefined;
			this.#notify("Canceled: no note was written.", "info");
			return;
		}
		this.#press(key);
		this.#changed();
	}

	type(text: string): void {
		this.notice = undefined;
		if (this.mode.type === "rename" || this.mode.type === "answer") this.mode = { ...this.mode, text };
		else if (this.mode.type === "list" && text !== this.list.query) {
			this.#restart({ query: text });
		}
		this.#changed();
	}

	resize(page: number): void {
		this.list = resized(this.list, page);
	}

	previewOf(row: Row): Preview | undefined {
		return this.#previews.of(row);
	}

	overlapsOf({ live }: Row): readonly Overlap[] {
		return this.#overlaps.get(live?.instance ?? "") ?? [];
	}

	/** Reads live states and marks again, because other processes may have changed them. */
	refresh(): void {
		const live = this.#ports.live();
		const marks = this.#ports.marks();
		const now = JSON.stringify([live, [...marks.pinned], [...marks.archived]]);
		void this.#ports.overlaps().then((overlaps) => {
			const isNew = overlaps.size > 0 || this.#overlaps.size > 0;
			this.#overlaps = overlaps;
			if (isNew) this.#changed();
		}, ignored);
		if (now !== this.#before) this.#relist({ live, marks });
		else if (++this.#ticks % AGES_EVERY === 0) this.#ports.changed();
		this.#before = now;
	}

	end(): void {
		this.#isOver = true;
		this.#asking?.abort();
		this.#previews.end();
		clearInterval(this.#pulse);
		this.#stopSearch?.();
		this.#feed.stop();
	}

	/** Starts the scan and loads the preview that the new state needs, and repaints. */
	#changed(): void {
		if (this.#isOver) return;
		const { scope } = this.list;
		if (this.scan[scope] === "waiting") {
			this.scan[scope] = "running";
			this.#feed.scan(scope);
		}
		// Once everything is loaded, the selected session stays selected, because the user may be reading its preview.
		const isLoading = this.scan[scope] !== "done" || this.list.search?.running === true;
		if (!isLoading && this.list.chosen === undefined && chosenRow(this.list)) this.#choose();
		this.#previews.follow(chosenRow(this.list));
		this.#ports.changed();
	}

	#relist(change: Partial<Contents>): void {
		if (this.#isOver) return;
		this.list = relisted(this.list, change);
		this.#changed();
	}

	#notify(text: string, kind: Notice["kind"]): void {
		if (this.#isOver) return;
		this.notice = { text, kind };
		this.#changed();
	}

	#addRows(rows: readonly Row[]): void {
		if (rows.length === 0) return;
		// The same session may have been found twice in the meantime, first without and then with its topic.
		const byPath = new Map([...this.list.sessions, ...rows].map((row) => [row.path, row]));
		this.#relist({ sessions: [...byPath.values()] });
	}

	/** Handles the end of a scan. Sessions in its scope that were not found are removed, because they no longer exist. */
	#scanned(scope: Scope, seen: ReadonlySet<string>): void {
		this.scan[scope] = "done";
		// A scan of all projects includes the current project, too.
		if (scope === "all") this.scan.project = "done";
		const isKnown = (row: Row) => (scope === "project" && !row.here) || seen.has(row.path);
		if (this.list.sessions.every(isKnown)) this.#changed();
		else this.#relist({ sessions: this.list.sessions.filter(isKnown) });
	}

	#press(key: BoardKey): void {
		const { mode } = this;
		switch (mode.type) {
			case "list":
				this.#pressInList(key);
				break;
			case "help":
				this.mode = LIST;
				break;
			case "transcript":
				if (["confirm", "fork", "cancel", "transcript"].includes(key)) this.mode = LIST;
				if (key === "confirm" || key === "fork") this.#pressInList(key);
				break;
			case "rename":
				if (key === "cancel") this.mode = LIST;
				else if (key === "confirm") void this.#rename(mode.row, mode.text.trim());
				break;
			case "answer":
				if (key === "cancel") this.mode = LIST;
				else if (key === "confirm") void this.#answerFrom({ ...mode, text: mode.text.trim() });
				break;
			case "question":
				this.#pressInQuestion(mode, key);
		}
	}

	#pressInList(key: BoardKey): void {
		const { list } = this;
		const { cursor, page, items } = list;
		const to = moveCursor(key, { cursor, page, last: items.length - 1 });
		if (to !== undefined) {
			this.list = moved(list, to);
			return;
		}
		switch (key) {
			case "scope":
				this.#switchScope();
				break;
			case "sort":
				this.list = resorted(list);
				break;
			case "named":
				this.list = relisted(list, { namedOnly: !list.namedOnly });
				break;
			case "path":
				this.showPath = !this.showPath;
				break;
			case "search":
				this.#startSearch();
				break;
			case "help":
				this.mode = { type: "help" };
				break;
			case "select":
				this.list = toggled(list);
				break;
			case "cancel":
				this.#cancel();
				break;
			case "confirm":
				this.#confirm();
				break;
			default: {
				const row = this.#choose();
				if (list.selected.size > 0 && (key === "archive" || key === "delete"))
					this.#attempt((isLast) => this.#changeSelected(key, isLast));
				else if (row) this.#actOn(row, key);
			}
		}
	}

	/** Whoever acts on the session under the cursor has chosen it. */
	#choose(): Row | undefined {
		this.list = moved(this.list, this.list.cursor);
		return chosenRow(this.list);
	}

	#actOn(row: Row, key: BoardKey): void {
		switch (key) {
			case "fork":
				this.#leave("fork", row);
				break;
			case "answer":
				this.#openAnswer(row);
				break;
			case "note":
				void this.#askNote(row);
				break;
			case "rename":
				this.mode = { type: "rename", row, text: isNamed(row) ? row.title : "" };
				break;
			case "transcript":
				this.mode = { type: "transcript", row };
				break;
			case "delete":
				if (row.path === this.list.openPath)
					this.#notify("Not deleted: this session is open here.", "warning");
				else this.#attempt((isLast) => this.#delete([row], isLast));
				break;
			case "archive":
				this.#mark(row, "archived");
				break;
			case "pin":
				this.#mark(row, "pinned");
		}
	}

	#pressInQuestion(mode: Extract<Mode, { type: "question" }>, key: BoardKey): void {
		const last = mode.labels.length - 1;
		const to = moveCursor(key, { cursor: mode.cursor, page: 1, last });
		if (to !== undefined) this.mode = { ...mode, cursor: Math.max(0, Math.min(to, last)) };
		if (key !== "confirm" && key !== "cancel") return;
		this.mode = LIST;
		this.#answer?.(key === "confirm" ? mode.cursor : undefined);
	}

	#confirm(): void {
		const { list } = this;
		const item = list.items[list.cursor];
		if (item?.type === "search") this.#startSearch();
		else if (item?.type === "fold") {
			const unfolded = new Set(list.unfolded);
			if (!unfolded.delete(item.kind)) unfolded.add(item.kind);
			this.list = relisted(list, { unfolded });
		} else if (item) {
			const { row } = item;
			this.#choose();
			if (row.path === list.openPath) this.#notify("This session is already open here.", "info");
			else this.#leave(row.branches ? "fork" : "open", row);
		}
	}

	/** Leaves the innermost mode: the selection, the search if it is open, otherwise the filter, otherwise the board. */
	#cancel(): void {
		if (this.list.selected.size > 0) this.list = { ...this.list, selected: new Set() };
		else if (this.list.search) this.#restart({});
		else if (this.list.query === "") this.#close(undefined);
		else this.#restart({ query: "" });
	}

	/** Shows another list. The current search ends, because its hits belong to the previous list. */
	#restart(change: Partial<Contents>): void {
		this.#stopSearch?.();
		this.#stopSearch = undefined;
		this.list = restarted(this.list, { search: undefined, ...change });
	}

	#switchScope(): void {
		const { chosen } = this.list;
		this.#restart({ scope: this.list.scope === "all" ? "project" : "all" });
		this.list = movedTo(this.list, chosen);
	}

	#startSearch(): void {
		const query = messageQuery(this.list);
		if (query === "") this.#notify("Type something to search for.", "info");
		if (query === "" || this.list.search?.query === query) return;
		this.#restart({ search: { query, hits: [], searched: 0, running: true } });
		this.#stopSearch = this.#feed.search(query, {
			rows: () => searchedRows(this.list),
			found: ({ hits, searched, done }) =>
				this.#relist({ search: { query, hits, searched, running: !done } }),
		});
	}

	/**
	 * Performs an action that may ask questions and leave the board. Only the latest action may do so: checking a large file takes some
	 * time, and the user may have moved on meanwhile.
	 */
	#attempt(act: (isLast: () => boolean) => Promise<void>): void {
		const turn = ++this.#acts;
		const isLast = () => turn === this.#acts && !this.#isOver;
		act(isLast).catch((error: unknown) => {
			if (isLast()) this.#notify(fileErrorText(error), "warning");
		});
	}

	#leave(act: "open" | "fork", row: Row): void {
		if (act === "open" && !row.format.canOpen) {
			this.#close({ act: "hand_over", path: row.path });
			return;
		}
		this.#attempt(async (isLast) => {
			const say = (text: string, kind: Notice["kind"]) => isLast() && this.#notify(text, kind);
			const leaving = await decide(act, row, {
				...this.#ports,
				ask: (question) => this.#ask(question, isLast),
				say,
				isOneKey: true,
			});
			if (leaving && isLast()) this.#close(leaving);
		});
	}

	/** Archives or deletes the selected sessions, except those that are open. */
	async #changeSelected(key: "archive" | "delete", isLast: () => boolean): Promise<void> {
		const { selected, openPath, marks, rows: known } = this.list;
		const all = known.filter(({ path }) => selected.has(path));
		const rows = all.filter(({ path, live }) => path !== openPath && !live);
		const skipped = all.length - rows.length;
		if (rows.length === 0) {
			this.#notify("Nothing to do: the selected sessions are open or gone.", "warning");
			return;
		}
		if (key === "delete") return this.#delete(rows, isLast, skipped);
		const change = rows.every(({ mark }) => marks.archived.has(mark)) ? "unarchive" : "archive";
		if ((await this.#ask(changeQuestion(change, rows, { skipped }), isLast)) === undefined) return;
		const outcomes = rows.map((row) => this.#ports.setMark(row, "archived", change === "archive"));
		this.#report(change, outcomes, skipped);
	}

	/** Deletes sessions. Those that cannot be moved to the trash are deleted permanently if the user agrees. */
	async #delete(rows: readonly Row[], isLast: () => boolean, skipped = 0): Promise<void> {
		const [first] = rows;
		if (!first) return;
		const facts = await this.#ports.facts("delete", first);
		// Of several sessions, each that must not be deleted is kept.
		if (rows.length === 1 && facts.blocked !== undefined) {
			if (isLast()) this.#notify(facts.blocked, "warning");
			return;
		}
		const how = facts.trash ? "trash" : "for_good";
		if ((await this.#ask(changeQuestion(how, rows, { skipped }), isLast)) === undefined) return;
		const outcomes = new Map<Row, DeleteOutcome>();
		for (const row of rows) outcomes.set(row, await this.#remove(row, how));
		const stuck = rows.flatMap((row) => {
			const outcome = outcomes.get(row);
			return outcome?.ok === false && outcome.reason === "no_trash" ? [{ row, detail: outcome.detail }] : [];
		});
		if (stuck[0]) {
			const question = changeQuestion(
				"for_good",
				stuck.map(({ row }) => row),
				{ why: `The trash refused ${stuck.length === 1 ? "it" : "them"} (${stuck[0].detail}).` },
			);
			if ((await this.#ask(question, isLast)) !== undefined)
				for (const { row } of stuck) outcomes.set(row, await this.#remove(row, "for_good"));
		}
		const last = outcomes.get(first);
		const isOne = rows.length === 1 && last?.ok;
		this.#report(isOne ? last.how : how, [...outcomes.values()], skipped);
	}

	async #remove(row: Row, how: DeleteHow): Promise<DeleteOutcome> {
		const outcome = await this.#ports
			.remove(row, how)
			.catch((error): DeleteOutcome => ({ ok: false, reason: "kept", detail: fileErrorText(error) }));
		if (outcome.ok) this.#relist({ sessions: this.list.sessions.filter(({ path }) => path !== row.path) });
		return outcome;
	}

	#report(
		change: Parameters<typeof changedText>[0],
		outcomes: readonly ({ ok: true } | { ok: false; detail: string })[],
		skipped: number,
	): void {
		this.list = { ...this.list, selected: new Set() };
		this.#relist({ marks: this.#ports.marks() });
		const kept = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.detail]));
		this.#notify(
			changedText(change, outcomes.length, { skipped, kept }),
			kept.length > 0 ? "warning" : "info",
		);
	}

	async #ask<Answer>(
		{ text, choices }: BoardQuestion<Answer>,
		isLast: () => boolean,
	): Promise<Answer | undefined> {
		if (!isLast() || this.mode.type !== "list") return undefined;
		const answered = new Promise<number | undefined>((resolve) => {
			this.#answer = resolve;
		});
		this.mode = { type: "question", text, labels: choices.map(({ label }) => label), cursor: 0 };
		this.#changed();
		const choice = await answered;
		return choice === undefined || !isLast() ? undefined : choices[choice]?.value;
	}

	async #rename(row: Row, name: string): Promise<void> {
		if (name === "") {
			this.#notify("A name cannot be empty.", "warning");
			return;
		}
		this.mode = LIST;
		if (name === row.title) return;
		// Renaming can throw, because the host appends names without checking whether the disk is full.
		const outcome = await this.#ports
			.rename(row, name)
			.catch((error) => ({ ok: false as const, detail: fileErrorText(error) }));
		if (!outcome.ok) {
			this.#notify(`Not renamed: ${outcome.detail}`, "warning");
			return;
		}
		const now = this.list.sessions.find(({ path }) => path === row.path);
		if (now) this.#addRows([renamed(now, outcome.name)]);
		this.#notify("Renamed.", "info");
	}

	async #askNote(row: Row): Promise<void> {
		if (row.path === this.list.openPath) {
			this.#notify("This session is open here: close the board and type /recap-card --llm.", "info");
			return;
		}
		if (row.state === "working") {
			this.#notify("No note: the agent is still working there.", "info");
			return;
		}
		this.#asking?.abort();
		const own = new AbortController();
		this.#asking = own;
		const asking = (model: string, cost: string) =>
			this.#notify(`Asking ${model} for a note${cost && `, about ${cost}`} … Esc cancels.`, "info");
		const outcome = await this.#ports
			.note(row, { signal: own.signal, asking })
			.catch((error): RowNoteOutcome => ({ ok: false, detail: fileErrorText(error) }));
		if (own.signal.aborted) return;
		this.#asking = undefined;
		if (outcome.ok) this.#addRows([outcome.row]);
		this.#notify(
			outcome.ok ? `Noted: ${row.title}` : `No note: ${outcome.detail}`,
			outcome.ok ? "info" : "warning",
		);
	}

	/** Opens the input line for an answer, above the preview with the question. */
	#openAnswer(row: Row): void {
		const reason = whyNotAnswered(row);
		if (reason === "closed" || row.live?.own)
			this.#notify("Only a session that is open in another pi can be answered.", "info");
		else if (reason) this.#notify(`Not answered: ${explainAnswer(reason)} Press Enter to go there.`, "info");
		else this.mode = { type: "answer", row, text: "" };
	}

	/** Sends an answer. If it is not taken, its text stays on the input line. */
	async #answerFrom({ row, text }: { row: Row; text: string }): Promise<void> {
		if (text === "") {
			this.#notify("The answer is empty.", "warning");
			return;
		}
		this.mode = LIST;
		this.#notify("Sending …", "info");
		const outcome = await this.#ports.answer(row, row.lastMessageId ?? "", text);
		if (outcome.ok) {
			this.refresh();
			this.#notify(`Answered: ${row.title}`, "info");
			return;
		}
		// In another mode, the user is busy with something else, so the text is shown with the reason.
		const isFree = this.mode.type === "list";
		if (isFree) this.mode = { type: "answer", row, text };
		this.#notify(`Not sent: ${outcome.detail}${isFree ? "" : ` Your text: ${text}`}`, "warning");
	}

	#mark(row: Row, mark: keyof List["marks"]): void {
		const on = !this.list.marks[mark].has(row.mark);
		const outcome = this.#ports.setMark(row, mark, on);
		if (!outcome.ok) {
			this.#notify(`Not saved: ${outcome.detail}`, "warning");
			return;
		}
		this.#relist({ marks: this.#ports.marks() });
		this.#notify(markedText(mark, on, row.live !== undefined), "info");
	}

	#close(chosen: Chosen | undefined): void {
		this.end();
		this.#ports.close(chosen);
	}
}

/** Overlaps that cannot be determined now are determined a second later. */
const ignored = () => undefined;

function markedText(mark: keyof List["marks"], on: boolean, isLive: boolean): string {
	if (mark === "pinned") return on ? "Pinned to the top." : "Unpinned.";
	if (!on) return "Unarchived.";
	return isLive
		? "Archived. It moves to the end of the list once it is closed."
		: "Archived: moved to the end of the list.";
}
