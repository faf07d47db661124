import { type DeleteHow, type DeleteOutcome, fileErrorText } from "../../session-core/log/index.ts";
import { explainAnswer, whyNotAnswered } from "../../session-core/sessions/index.ts";
import type { Acts } from "./acts.ts";
import type { RowNoteOutcome, RowNoteRequest } from "./ask-note.ts";
import { type BoardKey, moveCursor } from "./keys.ts";
import { type BoardQuestion, type Chosen, decide } from "./leaving.ts";
import { type Contents, LIST, type List, type Mode, type Notice, type Row, renamed } from "./list.ts";

export interface ActionPorts extends Acts {
	note(row: Row, request: RowNoteRequest): Promise<RowNoteOutcome>;
}

/** The parts of the board that actions read and change. */
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

	delete(row: Row): void {
		if (row.path === this.#board.list.openPath)
			this.#board.notify("Not deleted: this session is open here.", "warning");
		else this.#attempt((isLast) => this.#delete(row, isLast));
	}

	/** Deletes a session. If it cannot be moved to the trash, it is deleted permanently if the user agrees. */
	async #delete(row: Row, isLast: () => boolean): Promise<void> {
		const facts = await this.#ports.facts("delete", row);
		if (facts.blocked !== undefined) {
			if (isLast()) this.#board.notify(facts.blocked, "warning");
			return;
		}
		const question = facts.trash ? trashQuestion(row) : deleteQuestion(row, "No trash is available.");
		const how = await this.#ask(question, isLast);
		let outcome = how && (await this.#remove(row, how));
		if (outcome?.ok === false && outcome.reason === "no_trash") {
			const why = `The trash refused it (${outcome.detail}).`;
			const final = await this.#ask(deleteQuestion(row, why), isLast);
			if (final) outcome = await this.#remove(row, final);
		}
		if (outcome?.ok === false) this.#board.notify(`Not deleted: ${outcome.detail}`, "warning");
		else if (outcome) this.#board.notify(DELETED[outcome.how], "info");
	}

	async #remove(row: Row, how: DeleteHow): Promise<DeleteOutcome> {
		const outcome = await this.#ports
			.remove(row, how)
			.catch((error): DeleteOutcome => ({ ok: false, reason: "kept", detail: fileErrorText(error) }));
		if (outcome.ok)
			this.#board.relist({
				sessions: this.#board.list.sessions.filter(({ path }) => path !== row.path),
				marks: this.#ports.marks(),
			});
		return outcome;
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

/** The question is asked as in the host's picker, because a single key must not delete a session. */
function trashQuestion({ title }: Row): BoardQuestion<DeleteHow> {
	const act = { label: "Move it to the trash", value: "trash" as const };
	return { text: `Move “${title}” to the trash?`, choices: [act, KEEP] };
}

/** The first choice keeps the session, because a deleted session cannot be restored. */
function deleteQuestion({ title }: Row, why: string): BoardQuestion<DeleteHow> {
	const act = { label: "Delete it permanently", value: "for_good" as const };
	return { text: `${why} Delete “${title}” permanently? This cannot be undone.`, choices: [KEEP, act] };
}

const KEEP = { label: "Keep it", value: undefined };

const DELETED = {
	trash: "Moved to the trash.",
	for_good: "Deleted.",
	gone: "The session was already deleted.",
} as const;

function markedText(mark: keyof List["marks"], on: boolean, isLive: boolean): string {
	if (mark === "pinned") return on ? "Pinned to the top." : "Unpinned.";
	if (!on) return "Unarchived.";
	return isLive
		? "Archived. It moves to the end of the list once it is closed."
		: "Archived: moved to the end of the list.";
}
