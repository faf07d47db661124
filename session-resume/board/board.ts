import {
	background,
	bugSentence,
	errorCode,
	fileErrorText,
	logBug,
	startPolling,
	startTimer,
} from "../../session-core/text/index.ts";
import type { Asking, Leaving } from "../leaving/decision.ts";
import type { Acts, Preview } from "./acts.ts";
import { List, type Row, type Scope } from "./list.ts";

/** pi cannot open another agent's session, so the work is continued in a new pi session. */
export type Chosen = Leaving | { act: "hand_over"; path: string };

export interface BoardPorts extends Acts {
	changed(): void;
	close(chosen: Chosen | undefined): void;
}

export type BoardStart = Pick<List, "scope" | "query">;

export type Mode =
	| { type: "list" | "help" }
	| { type: "rename" | "answer"; row: Row; text: string }
	| { type: "transcript"; row: Row }
	| {
			type: "question";
			text: string;
			labels: readonly string[];
			cursor: number;
			answer(choice: number | undefined): void;
	  };

const LIST: Mode = { type: "list" };

export interface Notice {
	text: string;
	kind: "info" | "warning";
}

interface Attempt extends Asking {
	isLast(): boolean;
}

/** How long, in milliseconds, the cursor must rest on a session's row before its preview is loaded. */
const PREVIEW_MS = 90;

class Previews {
	readonly #ports: Pick<BoardPorts, "preview">;
	readonly #changed: () => void;
	readonly #read = new Map<string, Preview & { version: string }>();
	#followed = "";
	#timer: NodeJS.Timeout | undefined;
	#over = new AbortController();

	constructor(ports: Pick<BoardPorts, "preview">, changed: () => void) {
		this.#ports = ports;
		this.#changed = changed;
	}

	of({ path, version }: Row): Preview | undefined {
		const preview = this.#read.get(path);
		return preview?.version === version ? preview : undefined;
	}

	follow(row: Row | undefined): void {
		if (!row || `${row.path} ${row.version}` === this.#followed) return;
		this.end();
		this.#followed = `${row.path} ${row.version}`;
		this.#over = new AbortController();
		const { signal } = this.#over;
		if (this.of(row)?.facts) return;
		this.#timer = startTimer("sessions", PREVIEW_MS, () => this.#readOf(row, signal));
	}

	end(): void {
		clearTimeout(this.#timer);
		this.#over.abort();
	}

	async #readOf(row: Row, signal: AbortSignal): Promise<void> {
		const { path, version } = row;
		for await (const preview of this.#ports.preview(row, signal)) {
			if (signal.aborted) return;
			this.#read.set(path, { ...preview, version });
			this.#changed();
		}
	}
}

const LIVE_MS = 1_000;
const AGES_EVERY = 20;

export class Board {
	readonly list: List;
	readonly ports: BoardPorts;
	readonly scan: Record<Scope, "waiting" | "running" | "done"> = { project: "waiting", all: "waiting" };
	notice: Notice | undefined;
	asking: AbortController | undefined;
	isOver = false;
	readonly #feed: ReturnType<BoardPorts["feed"]>;
	readonly #previews: Previews;
	#mode: Mode = LIST;
	#pulse: NodeJS.Timeout | undefined;
	#stopSearch: (() => void) | undefined;
	#ticks = 0;
	#before = "";
	#overlapsBefore = "[]";
	#attempts = 0;

	constructor(start: BoardStart & Pick<List, "openPath" | "page">, ports: BoardPorts) {
		this.ports = ports;
		this.list = new List({ ...start, marks: ports.marks() });
		this.#previews = new Previews(ports, () => this.changed());
		const ended = (scanned: Scope | undefined) => {
			if (scanned) this.scan[scanned] = "done";
			if (scanned === "all") this.scan.project = "done";
		};
		this.#feed = ports.feed(
			(sessions, scanned) => {
				ended(scanned);
				if (scanned && sessions.length === this.list.sessions.length) this.changed();
				else this.relist({ sessions });
			},
			(text, scanned) => {
				ended(scanned);
				this.notify(text, "warning");
			},
		);
	}

	start(): void {
		this.#pulse = startPolling("sessions", LIVE_MS, () => this.refresh());
		this.refresh();
		this.changed();
	}

	get mode(): Mode {
		return this.#mode;
	}

	/** Only this method changes the board's mode. Without an argument, it returns to the list. */
	enter(mode: Mode = LIST): void {
		this.#mode = mode;
		this.changed();
	}

	get input(): string {
		const { mode } = this;
		return mode.type === "rename" || mode.type === "answer" ? mode.text : this.list.query;
	}

	type(text: string): void {
		this.notice = undefined;
		const { mode } = this;
		if (mode.type === "list" && text !== this.list.query) this.restart({ query: text });
		this.enter(mode.type === "rename" || mode.type === "answer" ? { ...mode, text } : mode);
	}

	get preview(): Preview | undefined {
		const { row } = this.list;
		return row && this.#previews.of(row);
	}

	refresh(): void {
		const live = this.ports.live();
		const marks = this.ports.marks();
		const now = JSON.stringify([live, [...marks.pinned], [...marks.archived]]);
		background("sessions", () => this.#findOverlaps(live));
		if (now !== this.#before) this.relist({ live, marks });
		else if (++this.#ticks % AGES_EVERY === 0) this.ports.changed();
		this.#before = now;
	}

	async #findOverlaps(live: List["live"]): Promise<void> {
		const overlaps = await this.ports.overlaps(live);
		const now = JSON.stringify([...overlaps]);
		if (now !== this.#overlapsBefore) this.relist({ overlaps });
		this.#overlapsBefore = now;
	}

	changed(): void {
		if (this.isOver) return;
		const { scope } = this.list;
		if (this.scan[scope] === "waiting") {
			this.scan[scope] = "running";
			this.#feed.scan(scope);
		}
		// The cursor stays on the first row while the list is loading, and then follows the selected session.
		const isLoading = this.scan[scope] !== "done" || this.list.search?.running === true;
		if (!isLoading && this.list.chosen === undefined) this.choose();
		this.#previews.follow(this.list.row);
		this.ports.changed();
	}

	relist(change: Parameters<List["change"]>[0]): void {
		if (this.isOver) return;
		this.list.change(change);
		this.changed();
	}

	notify(text: string, kind: Notice["kind"] = "info"): void {
		if (this.isOver) return;
		this.notice = { text, kind };
		this.changed();
	}

	update(row: Row): void {
		this.#feed.put(row);
		this.relist({ sessions: this.list.sessions.map((one) => (one.path === row.path ? row : one)) });
	}

	forget({ path }: Row): void {
		this.#feed.drop(path);
		const sessions = this.list.sessions.filter((one) => one.path !== path);
		this.relist({ sessions, marks: this.ports.marks() });
	}

	choose(): Row | undefined {
		if (this.list.row) this.list.move(this.list.cursor);
		return this.list.row;
	}

	/**
	 * Changing the list ends the current search, because the search results belong to the previous
	 * list.
	 */
	restart(change: Parameters<List["change"]>[0]): void {
		this.#stopSearch?.();
		this.#stopSearch = undefined;
		this.list.restart({ search: undefined, ...change });
	}

	search(): void {
		const { messageQuery: query, search } = this.list;
		if (query === "") this.notify("Type words to search for.");
		if (query === "" || search?.query === query) return;
		this.restart({ search: { query, hits: [], searched: 0, running: true } });
		this.#stopSearch = this.#feed.search(query, {
			rows: () => this.list.searchable,
			found: ({ hits, searched, done }) => this.relist({ search: { query, hits, searched, running: !done } }),
		});
	}

	/**
	 * If the user starts another action while an earlier action is still running, the earlier action can
	 * no longer show messages or questions.
	 */
	attempt(act: (attempt: Attempt) => Promise<void>): void {
		const turn = ++this.#attempts;
		const isLast = () => turn === this.#attempts && !this.isOver;
		const say = (text: string, kind: Notice["kind"]) => {
			if (isLast()) this.notify(text, kind);
		};
		act({
			isLast,
			say,
			ask: async ({ text, choices }) => {
				if (!isLast() || this.mode.type !== "list") return undefined;
				const choice = await new Promise<number | undefined>((answer) => {
					const labels = choices.map(({ label }) => label);
					this.enter({ type: "question", text, labels, cursor: 0, answer });
				});
				return choice === undefined || !isLast() ? undefined : choices[choice]?.value;
			},
		}).catch((error: unknown) => say(failureText(error), "warning"));
	}

	close(chosen: Chosen | undefined): void {
		this.end();
		this.ports.close(chosen);
	}

	end(): void {
		this.isOver = true;
		this.asking?.abort();
		this.#previews.end();
		clearInterval(this.#pulse);
		this.#stopSearch?.();
		this.#feed.stop();
	}
}

export function failureOf(error: unknown): { ok: false; detail: string } {
	return { ok: false, detail: failureText(error) };
}

/** An error from the operating system has a code, such as `ENOSPC`. Any other error is a bug. */
function failureText(error: unknown): string {
	if (errorCode(error) !== "") return fileErrorText(error);
	logBug("sessions", error);
	return bugSentence(error);
}
