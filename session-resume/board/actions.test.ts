import { expect, test, vi } from "vitest";
import { Gate } from "../../test/host/gate.ts";
import { aRow, liveState, TestBoard } from "./board.test-support.ts";
import type { BoardPorts } from "./board.ts";

const asking = (waits: boolean) =>
	aRow("r0", {
		name: "Rename the queue",
		work: { title: "Rename the queue", source: "topic", next: { kind: "question", text: "Shall I?" }, waits },
	});

function boardWith(
	state: Parameters<typeof liveState>[1],
	ports: ConstructorParameters<typeof TestBoard>[1] = {},
	waits = true,
) {
	const it = new TestBoard({ rows: [asking(waits)] }, ports);
	it.live(liveState("r0", state));
	return it;
}

test("a waiting session is answered from the board, in the state that was shown", async () => {
	const it = boardWith({ state: "waiting" }).press("answer").type("yes");
	expect(it.board.mode).toMatchObject({ type: "answer", row: { id: "r0" } });
	it.press("confirm");
	await vi.waitFor(() => expect(it.board.notice?.text).toBe("Answered: Rename the queue"));
	expect(it.acts).toEqual(["answer r0 m9 yes"]);
	expect(it.board.mode.type).toBe("list");
});

test("an answer that is not accepted stays on the input line, with the reason, until Esc is pressed", async () => {
	const answer = async () => ({ ok: false as const, detail: "there is text in its editor." });
	const it = boardWith({ state: "waiting" }, { answer }).press("answer").type("yes").press("confirm");
	await vi.waitFor(() => expect(it.board.notice?.text).toBe("Not sent: there is text in its editor."));
	expect(it.board.input).toBe("yes");
	it.press("cancel");
	expect([it.board.mode.type, it.board.input]).toEqual(["list", ""]);
});

test.each([
	["is waiting", { state: "waiting" }, true, undefined],
	["asked, and is idle because it was opened again", { state: "idle" }, true, undefined],
	["has finished, and nobody has looked since", { state: "finished" }, false, undefined],
	["has failed, and nobody has looked since", { state: "failed" }, false, undefined],
	["is idle and asks nothing", { state: "idle" }, false, /asks nothing.* Press Enter to go there/],
	["waits, which is not known to be for an answer yet", { state: "waiting" }, false, undefined],
	[
		"waits in a dialog",
		{ state: "waiting", dialog: "Permission" },
		false,
		/a dialog is open there.* Press Enter to go there/,
	],
	["is working", { state: "working" }, true, /the agent is working/],
	["is open here", { state: "waiting", own: true }, true, /^Only a session that is open in another pi/],
] as const)("F2 on a session that %s", (_, state, waits, refused) => {
	const it = boardWith(state, {}, waits).press("answer");
	expect(it.board.mode.type).toBe(refused ? "list" : "answer");
	if (refused) expect(it.board.notice?.text).toMatch(refused);
});

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
