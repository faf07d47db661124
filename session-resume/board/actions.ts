import { explainAnswer, type Mark, whyNotAnswered } from "../../session-core/sessions/index.ts";
import { type Board, type BoardPorts, failureOf, type Mode } from "./board.ts";
import { type BoardKey, moveCursor } from "./keys.ts";
import { isNamed, isOpenHere, nextSort, type Row, renamed } from "./list.ts";

type DeleteHow = Parameters<BoardPorts["remove"]>[1];

const ON_LIST: Partial<Record<BoardKey, (board: Board) => void>> = {
	confirm,
	scope: switchScope,
	sort: ({ list }) => list.change({ sort: nextSort(list.sort) }),
	search: (board) => board.search(),
	help: (board) => board.enter({ type: "help" }),
	cancel,
};

const ON_ROW: Partial<Record<BoardKey, (board: Board, row: Row) => void>> = {
	fork: (board, row) => leave(board, "fork", row),
	answer: openAnswer,
	note: (board, row) => board.attempt(() => askNote(board, row)),
	rename: (board, row) => board.enter({ type: "rename", row, text: isNamed(row) ? row.title : "" }),
	transcript: (board, row) => board.enter({ type: "transcript", row }),
	delete: deleteSession,
	archive: (board, row) => mark(board, row, "archived"),
	pin: (board, row) => mark(board, row, "pinned"),
};

export function press(board: Board, key: BoardKey): void {
	board.notice = undefined;
	const { mode } = board;
	switch (mode.type) {
		case "list":
			pressInList(board, key);
			break;
		case "help":
			board.enter();
			break;
		case "transcript":
			if (["confirm", "fork", "cancel", "transcript"].includes(key)) board.enter();
			if (key === "confirm" || key === "fork") pressInList(board, key);
			break;
		case "rename":
		case "answer":
			if (key === "cancel") board.enter();
			else if (key === "confirm") {
				const carryOut = mode.type === "rename" ? rename : answer;
				board.attempt(() => carryOut(board, mode.row, mode.text.trim()));
			}
			break;
		case "question":
			pressInQuestion(board, mode, key);
	}
	board.changed();
}

function pressInList(board: Board, key: BoardKey): void {
	const { list } = board;
	const to = moveCursor(key, { cursor: list.cursor, page: list.page, last: list.items.length - 1 });
	const onList = ON_LIST[key];
	if (to !== undefined) list.move(to);
	else if (onList) onList(board);
	else {
		const row = board.choose();
		if (row) ON_ROW[key]?.(board, row);
	}
}

function pressInQuestion(board: Board, mode: Extract<Mode, { type: "question" }>, key: BoardKey): void {
	const last = mode.labels.length - 1;
	const to = moveCursor(key, { cursor: mode.cursor, page: 1, last });
	if (to !== undefined) board.enter({ ...mode, cursor: to });
	if (key !== "confirm" && key !== "cancel") return;
	board.enter();
	mode.answer(key === "confirm" ? mode.cursor : undefined);
}

function confirm(board: Board): void {
	const { list } = board;
	const { item } = list;
	if (item?.type === "search") board.search();
	else if (item?.type === "fold") {
		const unfolded = new Set(list.unfolded);
		if (!unfolded.delete(item.kind)) unfolded.add(item.kind);
		list.change({ unfolded });
	} else if (item) {
		board.choose();
		if (item.row.path === list.openPath) board.notify("This session is already open here.");
		else leave(board, undefined, item.row);
	}
}

function cancel(board: Board): void {
	const { asking, list } = board;
	if (asking) {
		asking.abort();
		board.asking = undefined;
		board.notify("Canceled: no note was written.");
	} else if (list.search) board.restart({});
	else if (list.query === "") board.close(undefined);
	else board.restart({ query: "" });
}

function switchScope(board: Board): void {
	const { chosen, scope } = board.list;
	board.restart({ scope: scope === "all" ? "project" : "all" });
	board.list.moveTo(chosen);
}

function leave(board: Board, act: "fork" | undefined, row: Row): void {
	if (act !== "fork" && !row.format.canOpen) board.close({ act: "hand_over", path: row.path });
	else
		board.attempt(async ({ ask, say, isLast }) => {
			const leaving = await board.ports.decide(act, row, { ask, say });
			if (leaving && isLast()) board.close(leaving);
		});
}

/** If a file cannot be moved to the trash, the user is asked before the file is deleted permanently. */
function deleteSession(board: Board, row: Row): void {
	const { ports, list } = board;
	const remove = async (how: DeleteHow) => {
		const outcome = await ports.remove(row, how).catch(failureOf);
		if (outcome.ok) board.forget(row);
		return outcome;
	};
	board.attempt(async ({ ask, say }) => {
		const isOpen = row.path === list.openPath;
		const obstacle = isOpen ? "Not deleted: this session is open here." : ports.whyKept(row);
		if (obstacle !== undefined) return say(obstacle, "warning");
		const how = await ask(
			ports.hasTrash() ? trashQuestion(row) : deleteQuestion(row, "No trash is available."),
		);
		let outcome = how && (await remove(how));
		if (outcome?.ok === false && "reason" in outcome && outcome.reason === "no_trash") {
			const final = await ask(deleteQuestion(row, `The trash refused it (${outcome.detail}).`));
			if (final) outcome = await remove(final);
		}
		if (outcome?.ok === false) board.notify(`Not deleted: ${outcome.detail}`, "warning");
		else if (outcome) board.notify(DELETED[outcome.how]);
	});
}

function trashQuestion({ title }: Row) {
	const act = { label: "Move it to the trash", value: "trash" as const };
	return { text: `Move “${title}” to the trash?`, choices: [act, KEEP] };
}

function deleteQuestion({ title }: Row, why: string) {
	const act = { label: "Delete it permanently", value: "for_good" as const };
	return { text: `${why} Delete “${title}” permanently? This cannot be undone.`, choices: [KEEP, act] };
}

const KEEP = { label: "Keep it", value: undefined };

const DELETED = {
	trash: "Moved to the trash.",
	for_good: "Deleted.",
	gone: "The session was already deleted.",
} as const;

async function rename(board: Board, row: Row, name: string): Promise<void> {
	if (name === "") return board.notify("A name cannot be empty.", "warning");
	board.enter();
	if (name === row.title) return;
	// Renaming may throw an error, because pi does not check whether the disk is full.
	const outcome = await board.ports.rename(row, name).catch(failureOf);
	if (!outcome.ok) return board.notify(`Not renamed: ${outcome.detail}`, "warning");
	const now = board.list.sessions.find(({ path }) => path === row.path) ?? row;
	board.update(renamed(now, outcome.name));
	board.notify("Renamed.");
}

async function askNote(board: Board, row: Row): Promise<void> {
	if (row.path === board.list.openPath)
		return board.notify("This session is open here: close the board and type /recap-card --llm.");
	if (row.state === "working") return board.notify("No note: the agent is still working there.");
	board.asking?.abort();
	const own = new AbortController();
	board.asking = own;
	const asking = (model: string, cost: string) =>
		board.notify(`Asking ${model} for a note${cost && `, about ${cost}`}… Esc cancels.`);
	const outcome = await board.ports.note(row, { signal: own.signal, asking }).catch(failureOf);
	if (own.signal.aborted) return;
	board.asking = undefined;
	if (outcome.ok) board.update(outcome.row);
	if (outcome.ok) board.notify(`Noted: ${row.title}`);
	else board.notify(`No note: ${outcome.detail}`, "warning");
}

function openAnswer(board: Board, row: Row): void {
	const reason = whyNotAnswered(row);
	if (reason === "closed" || isOpenHere(row))
		board.notify("Only a session that is open in another pi process can be answered.");
	else if (reason) board.notify(`Not answered: ${explainAnswer(reason)} Press Enter to go there.`);
	else board.enter({ type: "answer", row, text: "" });
}

/** If an answer is not accepted, the text of the answer stays on the input line. */
async function answer(board: Board, row: Row, text: string): Promise<void> {
	if (text === "") return board.notify("The answer is empty.", "warning");
	board.enter();
	board.notify("Sending…");
	const outcome = await board.ports.answer(row, row.last?.id ?? "", text).catch(failureOf);
	if (outcome.ok) {
		board.refresh();
		return board.notify(`Answered: ${row.title}`);
	}
	// If an answer cannot be sent and the user is already typing other text, the error message quotes the answer.
	const isFree = board.mode.type === "list";
	if (isFree) board.enter({ type: "answer", row, text });
	board.notify(`Not sent: ${outcome.detail}${isFree ? "" : ` Your text: ${text}`}`, "warning");
}

function mark(board: Board, row: Row, mark: Mark): void {
	const { ports, list } = board;
	const on = !list.marks[mark].has(row.mark);
	const outcome = ports.setMark(row, mark, on);
	if (outcome.ok) {
		board.relist({ marks: ports.marks() });
		board.notify(markedText(mark, on, row.lease !== undefined));
	} else board.notify(`Not saved: ${outcome.detail}`, "warning");
}

function markedText(mark: Mark, on: boolean, isLive: boolean): string {
	if (mark === "pinned") return on ? "Pinned to the top." : "Unpinned.";
	if (!on) return "Unarchived.";
	return isLive
		? "Archived. It moves to the end of the list once it is closed."
		: "Archived: moved to the end of the list.";
}
