import { expect, test } from "vitest";
import { ENGLISH } from "../../session-core/words/en.ts";
import { decide } from "./acts.ts";
import { aRow, KEYS, NO_MARKS, TestBoard } from "./board.test-support.ts";
import { hintLine } from "./hints.ts";
import { emptyText, itemLine } from "./list.ts";
import { completeCommand } from "./parse.ts";
import { questionOf } from "./question.ts";
import type { Facts } from "./types.ts";

/** What the board says, as a user reads it. A change here is meant, or it is a mistake. */

const row = aRow("one", { name: "Dates", cwd: "/code/app" });
const FINE: Facts = {
	row,
	blocked: undefined,
	damage: undefined,
	cwdExists: true,
	writer: undefined,
	canGo: false,
	busy: false,
	trash: false,
	hostAsksForCwd: false,
};
const hints = (board: TestBoard) =>
	hintLine(board.board, { width: 200, keys: KEYS })
		.map(({ text }) => text)
		.join("")
		.trim();

test("the key hints", () => {
	const board = new TestBoard({ rows: [row] });
	expect([
		hints(board),
		hints(new TestBoard({ rows: [row] }).press("scope")),
		hints(new TestBoard({ rows: [row], query: "x" })),
		hints(new TestBoard({ rows: [row] }).press("rename")),
		hints(new TestBoard({ rows: [row], current: row.path }).press("confirm")),
	]).toMatchInlineSnapshot(`
		[
		  "enter resume · ^O fork · ^R rename · tab all · ^T transcript · ^D delete · ^S sort · ^N named only · ^X archive · ^L pin · ^P paths · ^G search all said · f1 keys · esc close",
		  "enter resume · ^O fork · ^R rename · tab this project · ^T transcript · ^D delete · ^S sort · ^N named only · ^X archive · ^L pin · ^P paths · ^G search all said · f1 keys · esc close",
		  "enter resume · ^O fork · ^R rename · tab all · ^T transcript · ^D delete · ^S sort · ^N named only · ^X archive · ^L pin · ^P paths · ^G search all said · f1 keys · esc clear",
		  "enter save the name · esc leave it",
		  "This session is open here already.",
		]
	`);
});

test("what is missing is said, and what may stand behind /sessions", () => {
	const renaming = new TestBoard({ rows: [row] }).press("rename").do({ type: "named", text: " " });
	expect([
		new TestBoard({ rows: [row] }).press("search").board.notice?.text,
		renaming.board.notice?.text,
	]).toEqual(["Type what to search for first.", "A name cannot be empty."]);
	expect(completeCommand("--")?.map(({ description }) => description)).toEqual([
		"Those of all projects, with or without words",
		"Go on in a copy of a session",
		"What /sessions can do",
	]);
});

test("an empty list", () => {
	const searched = new TestBoard({ query: "x" }).press("search");
	const empty = new TestBoard();
	const scanned = new TestBoard().do({ type: "scanned", scope: "project", seen: new Set() });
	const all = new TestBoard().press("scope").do({ type: "scanned", scope: "all", seen: new Set() });
	const done = { type: "hits", query: "x", hits: [], searched: 1, done: true } as const;
	expect([
		emptyText(searched.board, "tab"),
		emptyText(searched.do(done).board, "tab"),
		emptyText(empty.board, "tab"),
		emptyText(scanned.board, "tab"),
		emptyText(all.board, "tab"),
	]).toMatchInlineSnapshot(`
		[
		  "Searching …",
		  "Nobody said that.",
		  "Looking for sessions …",
		  "No sessions in this project yet. tab lists all.",
		  "No sessions yet.",
		]
	`);
});

test("lines that are no sessions", () => {
	const view = {
		width: 60,
		now: 0,
		live: [],
		showProject: false,
		currentPath: undefined,
		showPath: false,
		marks: NO_MARKS,
		words: ENGLISH,
	};
	const lines = [
		itemLine({ type: "fold", kind: "background", count: 3, open: false }, false, view),
		itemLine({ type: "search", query: "brass" }, false, view),
	];
	expect(
		lines.map((line) =>
			line
				.map(({ text }) => text)
				.join("")
				.trim(),
		),
	).toMatchInlineSnapshot(`
		[
		  "▸ … 3 more: headless and child sessions",
		  "⌕ Search everything said for “brass”",
		]
	`);
});

test("the questions before a session is left", () => {
	const asked = [
		questionOf("open", { ...FINE, writer: "another pi", busy: true, cwdExists: false }, "/here"),
		questionOf("open", { ...FINE, busy: true }, "/here"),
	];
	const forks = [FINE, { ...FINE, row: { ...row, branches: true } }].map(
		(facts) => decide(new TestBoard().board, "fork", facts).state.mode,
	);
	const texts = asked.map((question) => [
		question?.text,
		...(question?.choices ?? []).map(({ label }) => label),
	]);
	const modes = forks.map((mode) =>
		mode.type === "question"
			? [mode.question.text, ...mode.question.choices.map(({ label }) => label)]
			: mode,
	);
	expect([...texts, ...modes]).toMatchInlineSnapshot(`
		[
		  [
		    "This session is open in another pi. Two that go on with one session write into each other's history. The agent is still working here; leaving this session stops it. Its folder /code/app is gone. A fork would go on in /here.",
		    "Stay: let the agent go on",
		    "Fork: go on in a copy, in /here",
		  ],
		  [
		    "The agent is still working here; leaving this session stops it.",
		    "Stay: let the agent go on",
		    "Open it",
		  ],
		  [
		    "Go on with “Dates” in a copy? The session stays as it is.",
		    "Fork: go on in a copy",
		    "Cancel",
		  ],
		  [
		    "“Dates” is set to be resumed in a copy.",
		    "Fork: go on in a copy",
		    "Open the session itself",
		    "Cancel",
		  ],
		]
	`);
});
