import { type DeleteHow, type DeleteOutcome, fileErrorText } from "../../session-core/log/index.ts";
import { explainAnswer, whyNotAnswered } from "../../session-core/sessions/live/index.ts";
import type { Acts } from "./acts.ts";
import type { RowNoteOutcome, RowNoteRequest } from "./ask-note.ts";
import { type BoardKey, moveCursor } from "./keys.ts";
import type { Contents, List } from "./list.ts";
import { type BoardQuestion, type Chosen, changedText, changeQuestion, decide } from "./questions.ts";
import { type Row, renamed } from "./row.ts";
import { LIST, type Mode, type Notice } from "./state.ts";

export interface ActionPorts extends Acts {
	/** Asks a model for a note on a session. */
	note(row: Row, request: RowNoteRequest): Promise<RowNoteOutcome>;
}

/** The board, as the actions on its sessions see and change it. */
interface ActedOn {
	list: List;
	mode: Mode;
	readonly isOver: boolean;
	notify(text: string, kind: Notice["kind"]): void;
	relist(change: Partial<Contents>): void;
	addRows(rows: readonly Row[]): void;
	refresh(): void;
	changed(): void;
	close(chosen: Chosen | undefined): void;
}

/** The actions that the user performs on sessions. Each action asks the necessary questions, acts, and reports the result. */
export class Actions {
	readonly #board: ActedOn;
	readonly #ports: ActionPorts;
	#acts = 0;
	#asking: AbortController | undefined;
	#answer: ((choice: number | undefined) => void) | undefined;

	constructor(board: ActedOn, ports: ActionPorts) {
		this.#board = board;
		this.#ports = ports;
	}

	end(): void {
		this.#asking?.abort();
	}

	/** Aborts the request for a note. Returns false if there is none. */
	cancelNote(): boolean {
		if (!this.#asking) return false;
		this.#asking.abort();
		this.#asking = undefined;
		this.#board.notify("Canceled: no note was written.", "info");
		return true;
	}

	pressInQuestion(mode: Extract<Mode, { type: "question" }>, key: BoardKey): void {
		const last = mode.labels.length - 1;
		const to = moveCursor(key, { cursor: mode.cursor, page: 1, last });
		if (to !== undefined) this.#board.mode = { ...mode, cursor: Math.max(0, Math.min(to, last)) };
		if (key !== "confirm" && key !== "cancel") return;
		this.#board.mode = LIST;
		this.#answer?.(key === "confirm" ? mode.cursor : undefined);
	}

	/**
	 * Performs an action that may ask questions and leave the board. Only the latest action may do so: checking a large file takes some
	 * time, and the user may have moved on meanwhile.
	 */
	#attempt(act: (isLast: () => boolean) => Promise<void>): void {
		const turn = ++this.#acts;
		const isLast = () => turn === this.#acts && !this.#board.isOver;
		act(isLast).catch((error: unknown) => {
			if (isLast()) this.#board.notify(fileErrorText(error), "warning");
		});
	}

	leave(act: "open" | "fork", row: Row): void {
		if (act === "open" && !row.format.canOpen) {
			this.#board.close({ act: "hand_over", path: row.path });
			return;
		}
		this.#attempt(async (isLast) => {
			const say = (text: string, kind: Notice["kind"]) => isLast() && this.#board.notify(text, kind);
			const leaving = await decide(act, row, {
				...this.#ports,
				ask: (question) => this.#ask(question, isLast),
				say,
				isOneKey: true,
			});
			if (leaving && isLast()) this.#board.close(leaving);
		});
	}

	/** Archives or deletes the selected sessions, except those that are open. */
	changeSelected(key: "archive" | "delete"): void {
		this.#attempt((isLast) => this.#changeAll(key, isLast));
	}

	async #changeAll(key: "archive" | "delete", isLast: () => boolean): Promise<void> {
		const { selected, openPath, marks, rows: known } = this.#board.list;
		const all = known.filter(({ path }) => selected.has(path));
		const rows = all.filter(({ path, live }) => path !== openPath && !live);
		const skipped = all.length - rows.length;
		if (rows.length === 0) {
			this.#board.notify("Nothing to do: the selected sessions are open or gone.", "warning");
			return;
		}
		if (key === "delete") return this.#delete(rows, isLast, skipped);
		const change = rows.every(({ mark }) => marks.archived.has(mark)) ? "unarchive" : "archive";
		if ((await this.#ask(changeQuestion(change, rows, { skipped }), isLast)) === undefined) return;
		const outcomes = rows.map((row) => this.#ports.setMark(row, "archived", change === "archive"));
		this.#report(change, outcomes, skipped);
	}

	delete(row: Row): void {
		if (row.path === this.#board.list.openPath)
			this.#board.notify("Not deleted: this session is open here.", "warning");
		else this.#attempt((isLast) => this.#delete([row], isLast));
	}

	/** Deletes sessions. Those that cannot be moved to the trash are deleted permanently if the user agrees. */
	async #delete(rows: readonly Row[], isLast: () => boolean, skipped = 0): Promise<void> {
		const [first] = rows;
		if (!first) return;
		const facts = await this.#ports.facts("delete", first);
		// If several sessions are selected, only those that must not be deleted are kept.
		if (rows.length === 1 && facts.blocked !== undefined) {
			if (isLast()) this.#board.notify(facts.blocked, "warning");
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
		if (outcome.ok)
			this.#board.relist({ sessions: this.#board.list.sessions.filter(({ path }) => path !== row.path) });
		return outcome;
	}

	#report(
		change: Parameters<typeof changedText>[0],
		outcomes: readonly ({ ok: true } | { ok: false; detail: string })[],
		skipped: number,
	): void {
		this.#board.list = { ...this.#board.list, selected: new Set() };
		this.#board.relist({ marks: this.#ports.marks() });
		const kept = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.detail]));
		this.#board.notify(
			changedText(change, outcomes.length, { skipped, kept }),
			kept.length > 0 ? "warning" : "info",
		);
	}

	async #ask<Answer>(
		{ text, choices }: BoardQuestion<Answer>,
		isLast: () => boolean,
	): Promise<Answer | undefined> {
		if (!isLast() || this.#board.mode.type !== "list") return undefined;
		const answered = new Promise<number | undefined>((resolve) => {
			this.#answer = resolve;
		});
		this.#board.mode = { type: "question", text, labels: choices.map(({ label }) => label), cursor: 0 };
		this.#board.changed();
		const choice = await answered;
		return choice === undefined || !isLast() ? undefined : choices[choice]?.value;
	}

	async rename(row: Row, name: string): Promise<void> {
		if (name === "") {
			this.#board.notify("A name cannot be empty.", "warning");
			return;
		}
		this.#board.mode = LIST;
		if (name === row.title) return;
		// Renaming can throw, because the host appends names without checking whether the disk is full.
		const outcome = await this.#ports
			.rename(row, name)
			.catch((error) => ({ ok: false as const, detail: fileErrorText(error) }));
		if (!outcome.ok) {
			this.#board.notify(`Not renamed: ${outcome.detail}`, "warning");
			return;
		}
		const now = this.#board.list.sessions.find(({ path }) => path === row.path);
		if (now) this.#board.addRows([renamed(now, outcome.name)]);
		this.#board.notify("Renamed.", "info");
	}

	async askNote(row: Row): Promise<void> {
		if (row.path === this.#board.list.openPath) {
			this.#board.notify("This session is open here: close the board and type /recap-card --llm.", "info");
			return;
		}
		if (row.state === "working") {
			this.#board.notify("No note: the agent is still working there.", "info");
			return;
		}
		this.#asking?.abort();
		const own = new AbortController();
		this.#asking = own;
		const asking = (model: string, cost: string) =>
			this.#board.notify(`Asking ${model} for a note${cost && `, about ${cost}`} … Esc cancels.`, "info");
		const outcome = await this.#ports
			.note(row, { signal: own.signal, asking })
			.catch((error): RowNoteOutcome => ({ ok: false, detail: fileErrorText(error) }));
		if (own.signal.aborted) return;
		this.#asking = undefined;
		if (outcome.ok) this.#board.addRows([outcome.row]);
		this.#board.notify(
			outcome.ok ? `Noted: ${row.title}` : `No note: ${outcome.detail}`,
			outcome.ok ? "info" : "warning",
		);
	}

	/** Opens the input line for an answer, above the preview with the question. */
	openAnswer(row: Row): void {
		const reason = whyNotAnswered(row);
		if (reason === "closed" || row.live?.own)
			this.#board.notify("Only a session that is open in another pi can be answered.", "info");
		else if (reason)
			this.#board.notify(`Not answered: ${explainAnswer(reason)} Press Enter to go there.`, "info");
		else this.#board.mode = { type: "answer", row, text: "" };
	}

	/** Sends an answer. If the answer is not accepted, its text stays on the input line. */
	async answer({ row, text }: { row: Row; text: string }): Promise<void> {
		if (text === "") {
			this.#board.notify("The answer is empty.", "warning");
			return;
		}
		this.#board.mode = LIST;
		this.#board.notify("Sending …", "info");
		const outcome = await this.#ports.answer(row, row.lastMessageId ?? "", text);
		if (outcome.ok) {
			this.#board.refresh();
			this.#board.notify(`Answered: ${row.title}`, "info");
			return;
		}
		// In another mode, the user is busy with something else, so the text is shown with the reason.
		const isFree = this.#board.mode.type === "list";
		if (isFree) this.#board.mode = { type: "answer", row, text };
		this.#board.notify(`Not sent: ${outcome.detail}${isFree ? "" : ` Your text: ${text}`}`, "warning");
	}

	mark(row: Row, mark: keyof List["marks"]): void {
		const on = !this.#board.list.marks[mark].has(row.mark);
		const outcome = this.#ports.setMark(row, mark, on);
		if (!outcome.ok) {
			this.#board.notify(`Not saved: ${outcome.detail}`, "warning");
			return;
		}
		this.#board.relist({ marks: this.#ports.marks() });
		this.#board.notify(markedText(mark, on, row.live !== undefined), "info");
	}
}

function markedText(mark: keyof List["marks"], on: boolean, isLive: boolean): string {
	if (mark === "pinned") return on ? "Pinned to the top." : "Unpinned.";
	if (!on) return "Unarchived.";
	return isLive
		? "Archived. It moves to the end of the list once it is closed."
		: "Archived: moved to the end of the list.";
}
