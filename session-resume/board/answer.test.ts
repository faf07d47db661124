import { expect, test, vi } from "vitest";
import { aRow, liveState, TestBoard } from "./board.test-support.ts";
import { inputText } from "./list.ts";

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

test("an answer that is not taken stays on the input line with the reason, and Esc leaves it", async () => {
	const answer = async () => ({ ok: false as const, detail: "there is text in its editor." });
	const it = boardWith({ state: "waiting" }, { answer }).press("answer").type("yes").press("confirm");
	await vi.waitFor(() => expect(it.board.notice?.text).toBe("Not sent: there is text in its editor."));
	expect(inputText(it.board)).toBe("yes");
	it.press("cancel");
	expect([it.board.mode.type, inputText(it.board)]).toEqual(["list", ""]);
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
