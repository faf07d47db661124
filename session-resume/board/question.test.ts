import { describe, expect, test } from "vitest";
import { aRow, TestBoard } from "./board.test-support.ts";
import { questionOf } from "./question.ts";
import type { Facts } from "./types.ts";

const FINE: Facts = {
	row: aRow("one", { cwd: "/code/app" }),
	blocked: undefined,
	damage: undefined,
	cwdExists: true,
	writer: undefined,
	canGo: false,
	busy: false,
	trash: false,
	hostAsksForCwd: true,
};
const asks = (act: "open" | "fork", facts: Partial<Facts>) => {
	const question = questionOf(act, { ...FINE, ...facts }, "/here");
	return question && { text: question.text, choices: question.choices.map(({ label }) => label) };
};

describe("before a session is opened or forked", () => {
	test("nothing is asked where nothing speaks against it", () => {
		expect(asks("open", {})).toBeUndefined();
		expect(asks("fork", { writer: "another pi" })).toBeUndefined();
		const it = new TestBoard({ rows: [FINE.row] });
		it.taken();
		const path = FINE.row.path;
		expect(it.do({ type: "checked", act: "open", facts: FINE }).taken()).toEqual([
			{ type: "close", leaving: { act: "open", path } },
		]);
	});

	test("another writer: fork, open, cancel, with the fork first", () => {
		expect(asks("open", { writer: "another pi (pid 7)" })).toEqual({
			text: "This session is open in another pi (pid 7). Two that go on with one session write into each other's history.",
			choices: ["Fork: go on in a copy", "Open anyway", "Cancel"],
		});
	});

	test("an agent at work here is not stopped without a word", () => {
		expect(asks("open", { busy: true })).toMatchObject({
			text: expect.stringContaining("stops it"),
			choices: ["Stay: let the agent go on", "Open it"],
		});
	});

	test("whatever else is asked, staying comes first while the agent works", () => {
		expect(asks("open", { busy: true, writer: "another pi" })?.choices[0]).toMatch(/^Stay/);
		expect(asks("fork", { busy: true })?.choices).toEqual([
			"Stay: let the agent go on",
			"Fork: go on in a copy",
		]);
	});

	test("a folder that is gone: the host asks where it can; a fork says where it goes on", () => {
		expect(asks("open", { cwdExists: false })).toBeUndefined();
		expect(asks("open", { cwdExists: false, hostAsksForCwd: false })).toEqual({
			text: "Its folder /code/app is gone. A fork would go on in /here.",
			choices: ["Fork: go on in a copy, in /here", "Cancel"],
		});
		const forked = questionOf("fork", { ...FINE, cwdExists: false }, "/here");
		expect(forked?.choices[0]?.value).toEqual({
			act: "fork",
			path: FINE.row.path,
			cwd: "/here",
			moved: true,
		});
	});

	test("a damaged file is never opened: what can be read of it is offered as a copy", () => {
		for (const act of ["open", "fork"] as const) {
			expect(asks(act, { damage: "replaced", writer: "another pi", busy: true })).toEqual({
				text: expect.stringMatching(
					/damaged: pi would put an empty session in its place.*leaving this session stops it/,
				),
				choices: ["Stay: let the agent go on", "Open a repaired copy"],
			});
		}
		const { path, cwd } = FINE.row;
		expect(questionOf("open", { ...FINE, damage: "breaks" }, "/here")?.choices[0]?.value).toEqual({
			act: "repair",
			path,
			cwd,
			moved: false,
		});
	});

	test("a fork on the board is asked, whatever the key was meant for", () => {
		const it = new TestBoard({ rows: [FINE.row] });
		it.taken();
		it.do({ type: "checked", act: "fork", facts: FINE });
		expect(it.taken()).toEqual([]);
		expect(it.board.mode).toMatchObject({
			type: "question",
			question: { choices: [{}, { label: "Cancel" }] },
		});
		expect(it.press("confirm").taken()).toMatchObject([{ type: "close", leaving: { act: "fork" } }]);
	});

	test("what would end the host or the file is said, not done", () => {
		const it = new TestBoard({ rows: [FINE.row] });
		it.taken();
		it.do({ type: "checked", act: "open", facts: { ...FINE, blocked: "The file of this session is gone." } });
		expect(it.taken()).toEqual([]);
		expect(it.board.notice).toEqual({ text: "The file of this session is gone.", kind: "warning" });
	});
});
