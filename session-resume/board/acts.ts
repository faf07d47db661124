import type { Keybinding, KeyId } from "@mariozechner/pi-tui";
import type { GoOutcome } from "../../session-core/live-terminal/go.ts";
import type { Words } from "../../session-core/words/words.ts";
import { deleteQuestion } from "./delete-question.ts";
import { rowOfItem } from "./items.ts";
import { liveStateOf } from "./order.ts";
import {
	cancelled,
	confirmed,
	deleting,
	forking,
	marking,
	namedOrAll,
	otherScope,
	otherSort,
	pathOrNext,
	reading,
	renaming,
	searchingQuery,
} from "./press-list.ts";
import { forkQuestion, leavingFor, questionOf } from "./question.ts";
import type { Act, ActKey, Board, BoardEffect, BoardStep, Facts, Mark, Question } from "./types.ts";

/** One thing that can be done on the board. */
export interface BoardAct {
	key: ActKey;
	/** The host's own binding for the same thing: where the user changed it there, it is changed here. */
	binding?: Keybinding;
	/** Its key where the host has no binding, or none by default. */
	fixed?: KeyId;
	/** What the hints call it. */
	label(board: Board): string;
	/** What the key does. Acts on a session ask for its facts; the rest is in `checked`. */
	press(board: Board): BoardStep;
	/** What follows when the facts are known, and nothing makes the act impossible. */
	checked?: Checked;
}

export interface Checked {
	act: Act;
	/** What is asked first; undefined: nothing speaks against it. */
	question(facts: Facts, here: string, words: Words): Question<BoardEffect> | undefined;
	effect(facts: Facts, here: string): BoardEffect;
}

/** All of them, in the order of the hints. */
export const ACTS: readonly BoardAct[] = [
	{
		key: "confirm",
		binding: "tui.select.confirm",
		label: confirmWord,
		press: confirmed,
		checked: {
			act: "open",
			question: (facts, here, words) => (goesThere(facts) ? undefined : openQuestion(facts, here, words)),
			effect: (facts, here) =>
				goesThere(facts)
					? { type: "go", facts }
					: { type: "close", leaving: leavingFor("open", facts, here) },
		},
	},
	{
		key: "fork",
		binding: "app.session.fork",
		fixed: "ctrl+o",
		label: ({ words }) => words.board.fork,
		press: forking,
		checked: {
			act: "fork",
			question: (facts, here, words) =>
				leaving(questionOf("fork", facts, here, words) ?? forkQuestion(facts, here, words)),
			effect: (facts, here) => ({ type: "close", leaving: leavingFor("fork", facts, here) }),
		},
	},
	{ key: "rename", binding: "app.session.rename", label: ({ words }) => words.board.rename, press: renaming },
	{
		key: "scope",
		binding: "tui.input.tab",
		label: ({ scope, words }) => (scope === "all" ? words.board.toProject : words.board.toAll),
		press: otherScope,
	},
	{ key: "transcript", fixed: "ctrl+t", label: ({ words }) => words.board.transcript, press: reading },
	{
		key: "delete",
		binding: "app.session.delete",
		label: ({ words }) => words.board.delete,
		press: deleting,
		checked: {
			act: "delete",
			question: (facts, _, { board }) => deleteQuestion(facts, board),
			effect: ({ row }) => ({ type: "delete", row, how: "trash" }),
		},
	},
	{
		key: "sort",
		binding: "app.session.toggleSort",
		label: ({ words }) => words.board.sort,
		press: otherSort,
	},
	{
		key: "named",
		binding: "app.session.toggleNamedFilter",
		label: ({ namedOnly, words }) => (namedOnly ? words.board.unnamedToo : words.board.namedOnly),
		press: namedOrAll,
	},
	{
		key: "archive",
		fixed: "ctrl+x",
		label: (board) => (isMarked(board, "archived") ? board.words.board.unarchive : board.words.board.archive),
		press: marking("archived"),
	},
	{
		key: "pin",
		fixed: "ctrl+l",
		label: (board) => (isMarked(board, "pinned") ? board.words.board.unpin : board.words.board.pin),
		press: marking("pinned"),
	},
	{
		key: "path",
		binding: "app.session.togglePath",
		label: ({ showPath, words }) => (showPath ? words.board.noPaths : words.board.paths),
		press: pathOrNext,
	},
	{ key: "search", fixed: "ctrl+g", label: ({ words }) => words.board.searchSaid, press: searchingQuery },
	{
		key: "keys",
		fixed: "f1",
		label: ({ words }) => words.board.keys,
		press: (board) => ({ state: { ...board, mode: { type: "keys" } }, effects: [] }),
	},
	{ key: "cancel", binding: "tui.select.cancel", label: cancelWord, press: cancelled },
];

/** What a key of an act does in the list. */
export function pressedAct(board: Board, key: ActKey): BoardStep {
	const act = ACTS.find((one) => one.key === key);
	return act ? act.press(board) : { state: board, effects: [] };
}

/** Do what was asked for, ask first, or say why not: by what was found just before. */
export function decide(board: Board, act: Act, facts: Facts): BoardStep {
	if (facts.blocked !== undefined) {
		return { state: { ...board, notice: { text: facts.blocked, kind: "warning" } }, effects: [] };
	}
	const checked = ACTS.find((one) => one.checked?.act === act)?.checked;
	if (!checked) return { state: board, effects: [] };
	const here = board.current.cwd;
	const question = checked.question(facts, here, board.words);
	if (question) return { state: { ...board, mode: { type: "question", question, cursor: 0 } }, effects: [] };
	return { state: board, effects: [checked.effect(facts, here)] };
}

/** What came of going there. The board stays: the next session that waits is one key away. */
export function wentThere(board: Board, facts: Facts, { ok, told }: GoOutcome): BoardStep {
	const question =
		ok || board.mode.type !== "list" ? undefined : openQuestion(facts, board.current.cwd, board.words);
	if (!question) return { state: { ...board, notice: { text: told, kind: "info" } }, effects: [] };
	const text = `${told} ${question.text}`;
	return {
		state: { ...board, mode: { type: "question", question: { ...question, text }, cursor: 0 } },
		effects: [],
	};
}

/** Nothing is opened twice where the terminal that has it can be brought to the front. */
function goesThere({ canGo, damage }: Facts): boolean {
	return canGo && damage === undefined;
}

function openQuestion(facts: Facts, here: string, words: Words): Question<BoardEffect> | undefined {
	return leaving(questionOf("open", facts, here, words));
}

function confirmWord({ items, cursor, live, words: { board } }: Board): string {
	const row = rowOfItem(items[cursor]);
	const state = row && liveStateOf(live, row);
	return state?.canGo === true && !state.own ? board.goThere : board.resume;
}

/** A question whose answers leave the board. */
function leaving(question: Question | undefined): Question<BoardEffect> | undefined {
	return (
		question && {
			text: question.text,
			choices: question.choices.map(({ label, value }) => ({
				label,
				value: value && { type: "close", leaving: value },
			})),
		}
	);
}

function isMarked({ items, cursor, marks }: Board, mark: Mark): boolean {
	const row = rowOfItem(items[cursor]);
	return row !== undefined && marks[mark].has(row.mark);
}

/** What leaving the next thing means. */
function cancelWord({ search, query, words: { board } }: Board): string {
	if (search) return board.back;
	return query === "" ? board.close : board.clear;
}
