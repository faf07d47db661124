import { pressedAct } from "./acts.ts";
import { moved } from "./cursor.ts";
import type { Board, BoardEffect, BoardKey, BoardStep } from "./types.ts";

/** What a key does, by what the board is at. */
export function pressed(board: Board, key: BoardKey): BoardStep {
	switch (board.mode.type) {
		case "list":
			return inList(board, key);
		case "keys":
			return still({ ...board, mode: { type: "list" } });
		case "transcript":
			return inTranscript(board, key);
		case "rename":
			return inRename(board, key);
		case "question":
			return inQuestion(board, board.mode, key);
	}
}

function inList(board: Board, key: BoardKey): BoardStep {
	switch (key) {
		case "up":
			return still(moved(board, board.cursor - 1));
		case "down":
			return still(moved(board, board.cursor + 1));
		case "page_up":
			return still(moved(board, board.cursor - board.page));
		case "page_down":
			return still(moved(board, board.cursor + board.page));
		case "home":
			return still(moved(board, 0));
		case "end":
			return still(moved(board, board.items.length - 1));
		default:
			return pressedAct(board, key);
	}
}

/** Scrolling is the pane's; Enter goes on with the session that is read. */
function inTranscript(board: Board, key: BoardKey): BoardStep {
	const list: Board = { ...board, mode: { type: "list" } };
	if (key === "confirm" || key === "fork") return pressedAct(list, key);
	return still(key === "cancel" || key === "transcript" ? list : board);
}

function inRename(board: Board, key: BoardKey): BoardStep {
	if (key !== "cancel") return still(board);
	return { state: { ...board, mode: { type: "list" } }, effects: [{ type: "input", text: board.query }] };
}

/** The name was typed and confirmed. */
export function submitName(board: Board, text: string): BoardStep {
	if (board.mode.type !== "rename") return still(board);
	const { path } = board.mode;
	const row = board.order.find((one) => one.path === path);
	const name = text.trim();
	if (name === "") return still({ ...board, notice: { text: board.words.board.emptyName, kind: "warning" } });
	const effects: BoardEffect[] = [{ type: "input", text: board.query }];
	if (row && name !== row.title) effects.push({ type: "rename", row, name });
	return { state: { ...board, mode: { type: "list" } }, effects };
}

function inQuestion(
	board: Board,
	mode: Extract<Board["mode"], { type: "question" }>,
	key: BoardKey,
): BoardStep {
	const last = mode.question.choices.length - 1;
	const at = (cursor: number) =>
		still({ ...board, mode: { ...mode, cursor: Math.max(0, Math.min(cursor, last)) } });
	switch (key) {
		case "up":
			return at(mode.cursor - 1);
		case "down":
			return at(mode.cursor + 1);
		case "home":
			return at(0);
		case "end":
			return at(last);
		case "cancel":
			return still({ ...board, mode: { type: "list" } });
		case "confirm": {
			const effect = mode.question.choices[mode.cursor]?.value;
			const next: Board = { ...board, mode: { type: "list" } };
			return { state: next, effects: effect ? [effect] : [] };
		}
		default:
			return still(board);
	}
}

function still(state: Board): BoardStep {
	return { state, effects: [] };
}
