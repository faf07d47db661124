import { expect, test, vi } from "vitest";
import { aRow, liveState, TestBoard } from "./board.test-support.ts";
import { inputText } from "./state.ts";

const asking = () =>
	aRow("r0", {
		name: "Rename the queue",
		work: { of: "m9", topic: undefined, next: "Shall I?", waits: true } as never,
	});

function boardWith(
	state: Parameters<typeof liveState>[1],
	ports: ConstructorParameters<typeof TestBoard>[1] = {},
) {
	const it = new TestBoard({ rows: [asking()] }, ports);
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
	["working", { state: "working" }],
	["open here", { state: "waiting", own: true }],
] as const)("a session that is %s is not answered", (_, state) => {
	const it = boardWith(state).press("answer");
	expect(it.board.notice?.text).toMatch(/^Only a session that is open in another pi/);
	expect(it.board.mode.type).toBe("list");
});
