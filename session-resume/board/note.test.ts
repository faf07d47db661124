import { expect, test, vi } from "vitest";
import { Gate } from "../../test/host/gate.ts";
import { aRow, liveState, TestBoard } from "./board.test-support.ts";
import type { BoardPorts } from "./board.ts";

const ROW = aRow("r0", { name: "Rename the queue" });

/** A board whose model answers when `answer` is called. */
function asked(outcome: Awaited<ReturnType<BoardPorts["note"]>>) {
	const gate = new Gate();
	let signal: AbortSignal | undefined;
	const note: BoardPorts["note"] = async (_row, request) => {
		signal = request.signal;
		request.asking("acme/m-1", "$0.0031");
		await gate.opened;
		return outcome;
	};
	const it = new TestBoard({ rows: [ROW] }, { note }).press("note");
	return { it, answer: () => gate.open(), signal: () => signal };
}

test("a request for a note names the model and the cost, and its note appears in the row", async () => {
	const noted = { ...ROW, next: { kind: "question" as const, text: "Delete the old table?" } };
	const { it, answer } = asked({ ok: true, row: noted });
	expect(it.notice).toBe("Asking acme/m-1 for a note, about $0.0031 … Esc cancels.");
	answer();
	await vi.waitFor(() => expect(it.notice).toBe("Noted: Rename the queue"));
	expect(it.board.list.sessions[0]?.next?.text).toBe("Delete the old table?");
});

test("a failure says why", async () => {
	const { it, answer } = asked({ ok: false, detail: "no model is available." });
	answer();
	await vi.waitFor(() =>
		expect(it.board.notice).toEqual({ text: "No note: no model is available.", kind: "warning" }),
	);
});

test("Esc cancels the request and keeps the board open", () => {
	const { it, signal } = asked({ ok: true, row: ROW });
	it.press("cancel");
	expect([it.notice, signal()?.aborted]).toEqual(["Canceled: no note was written.", true]);
	expect(it.log).not.toContainEqual(expect.stringMatching(/^close/));
});

test.each([
	["open here", { current: ROW.path }, "idle", /type \/recap-card --llm/],
	["working", {}, "working", /still working/],
] as const)("no note is requested for a session that is %s", (_, start, state, notice) => {
	const it = new TestBoard({ rows: [ROW], ...start }).live(liveState("r0", { state })).press("note");
	expect(it.notice).toMatch(notice);
});
