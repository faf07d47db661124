import type { Overlap } from "../../session-core/sessions/index.ts";
import { type ActionPorts, Actions } from "./actions.ts";
import type { Feed, FeedPorts } from "./feed.ts";
import { type BoardKey, moveCursor } from "./keys.ts";
import type { Chosen } from "./leaving.ts";
import {
	type BoardState,
	type Contents,
	chosenRow,
	emptyList,
	isNamed,
	LIST,
	type List,
	type Mode,
	messageQuery,
	moved,
	movedTo,
	type Notice,
	type Preview,
	type Row,
	relisted,
	resized,
	resorted,
	restarted,
	type Scope,
	searchedRows,
} from "./list.ts";
import { type PreviewPorts, Previews } from "./preview-data.ts";

export interface BoardPorts extends ActionPorts, PreviewPorts {
	feed(ports: Pick<FeedPorts, "rows" | "scanned">): Pick<Feed, "scan" | "search" | "stop">;
	changed(): void;
	close(chosen: Chosen | undefined): void;
}

const LIVE_MS = 1_000;
/** Number of checks of the live sessions after which the board repaints the ages. */
const AGES_EVERY = 20;

export class Board implements BoardState {
	list: List;
	readonly scan: Record<Scope, "waiting" | "running" | "done"> = { project: "waiting", all: "waiting" };
	mode: Mode = LIST;
	notice: Notice | undefined;
	readonly #ports: BoardPorts;
	readonly #feed: ReturnType<BoardPorts["feed"]>;
	readonly #pulse: NodeJS.Timeout;
	readonly #previews: Previews;
	isOver = false;
	#stopSearch: (() => void) | undefined;
	#ticks = 0;
	#before = "";
	/** The overlaps of live sessions, keyed by the instance of each session's lease. */
	#overlaps: ReadonlyMap<string, readonly Overlap[]> = new Map();
	readonly #actions: Actions;

	/** `notice`: a line that is shown until the first key is pressed. */
	constructor(
		start: Pick<List, "scope" | "query" | "openPath" | "page">,
		ports: BoardPorts,
		notice?: string,
	) {
		this.#ports = ports;
		if (notice !== undefined) this.notice = { text: notice, kind: "info" };
		this.list = emptyList({ ...start, marks: ports.marks() });
		this.#previews = new Previews(ports, () => this.changed());
		this.#actions = new Actions(this, ports);
		this.#feed = ports.feed({
			rows: (rows) => this.addRows(rows),
			scanned: (scope, seen) => this.#scanned(scope, seen),
		});
		this.#pulse = setInterval(() => this.refresh(), LIVE_MS).unref();
		this.refresh();
		this.changed();
	}

	press(key: BoardKey): void {
		this.notice = undefined;
		if (key === "cancel" && this.mode.type === "list" && this.#actions.cancelNote()) return;
		this.#press(key);
		this.changed();
	}

	type(text: string): void {
		this.notice = undefined;
		if (this.mode.type === "rename" || this.mode.type === "answer") this.mode = { ...this.mode, text };
		else if (this.mode.type === "list" && text !== this.list.query) {
			this.#restart({ query: text });
		}
		this.changed();
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
			if (isNew) this.changed();
		}, ignored);
		if (now !== this.#before) this.relist({ live, marks });
		else if (++this.#ticks % AGES_EVERY === 0) this.#ports.changed();
		this.#before = now;
	}

	end(): void {
		this.isOver = true;
		this.#actions.end();
		this.#previews.end();
		clearInterval(this.#pulse);
		this.#stopSearch?.();
		this.#feed.stop();
	}

	/** Starts the scan and loads the preview that the new state requires, then repaints. */
	changed(): void {
		if (this.isOver) return;
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

	relist(change: Partial<Contents>): void {
		if (this.isOver) return;
		this.list = relisted(this.list, change);
		this.changed();
	}

	notify(text: string, kind: Notice["kind"]): void {
		if (this.isOver) return;
		this.notice = { text, kind };
		this.changed();
	}

	addRows(rows: readonly Row[]): void {
		if (rows.length === 0) return;
		// The same session may have been found twice in the meantime, first without and then with its topic.
		const byPath = new Map([...this.list.sessions, ...rows].map((row) => [row.path, row]));
		this.relist({ sessions: [...byPath.values()] });
	}

	/** Handles the end of a scan. Sessions in its scope that were not found are removed, because they no longer exist. */
	#scanned(scope: Scope, seen: ReadonlySet<string>): void {
		this.scan[scope] = "done";
		// A scan of all projects includes the current project, too.
		if (scope === "all") this.scan.project = "done";
		const isKnown = (row: Row) => (scope === "project" && !row.here) || seen.has(row.path);
		if (this.list.sessions.every(isKnown)) this.changed();
		else this.relist({ sessions: this.list.sessions.filter(isKnown) });
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
				else if (key === "confirm") void this.#actions.rename(mode.row, mode.text.trim());
				break;
			case "answer":
				if (key === "cancel") this.mode = LIST;
				else if (key === "confirm") void this.#actions.answer({ ...mode, text: mode.text.trim() });
				break;
			case "question":
				this.#actions.pressInQuestion(mode, key);
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
			case "search":
				this.#startSearch();
				break;
			case "help":
				this.mode = { type: "help" };
				break;
			case "cancel":
				this.#cancel();
				break;
			case "confirm":
				this.#confirm();
				break;
			default: {
				const row = this.#choose();
				if (row) this.#actOn(row, key);
			}
		}
	}

	/** Acting on the session under the cursor counts as choosing it. */
	#choose(): Row | undefined {
		this.list = moved(this.list, this.list.cursor);
		return chosenRow(this.list);
	}

	#actOn(row: Row, key: BoardKey): void {
		switch (key) {
			case "fork":
				this.#actions.leave("fork", row);
				break;
			case "answer":
				this.#actions.openAnswer(row);
				break;
			case "note":
				void this.#actions.askNote(row);
				break;
			case "rename":
				this.mode = { type: "rename", row, text: isNamed(row) ? row.title : "" };
				break;
			case "transcript":
				this.mode = { type: "transcript", row };
				break;
			case "delete":
				this.#actions.delete(row);
				break;
			case "archive":
				this.#actions.mark(row, "archived");
				break;
			case "pin":
				this.#actions.mark(row, "pinned");
		}
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
			if (row.path === list.openPath) this.notify("This session is already open here.", "info");
			else this.#actions.leave(row.branches ? "fork" : "open", row);
		}
	}

	/** Leaves the search of messages if it is open, otherwise the filter, otherwise the board. */
	#cancel(): void {
		if (this.list.search) this.#restart({});
		else if (this.list.query === "") this.close(undefined);
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
		if (query === "") this.notify("Type words to search for.", "info");
		if (query === "" || this.list.search?.query === query) return;
		this.#restart({ search: { query, hits: [], searched: 0, running: true } });
		this.#stopSearch = this.#feed.search(query, {
			rows: () => searchedRows(this.list),
			found: ({ hits, searched, done }) => this.relist({ search: { query, hits, searched, running: !done } }),
		});
	}

	close(chosen: Chosen | undefined): void {
		this.end();
		this.#ports.close(chosen);
	}
}

/** If overlaps cannot be determined now, the next attempt follows a second later. */
const ignored = () => undefined;
