import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { describe, expect, test } from "vitest";
import { Gate } from "../test/host/gate.ts";
import { startWork } from "./start-work.ts";

function contextOf(hasUI: boolean) {
	const said: string[] = [];
	const ui = { notify: (text: string) => void said.push(text) };
	// Only `notify` is used.
	return { said, ctx: { hasUI, ui: ui as unknown as ExtensionContext["ui"] } };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the work of a command", () => {
	test("holds nobody up where a user types on", async () => {
		const gate = new Gate();
		const { ctx } = contextOf(true);
		const done: string[] = [];
		const work = async () => {
			await gate.opened;
			done.push("done");
		};
		expect(startWork(ctx, work, { name: "recap", isOver: () => false })).toBeUndefined();
		gate.open();
		await turn();
		expect(done).toEqual(["done"]);
	});

	test("is waited for where the process would end without it", async () => {
		const { ctx } = contextOf(false);
		const failing = () => Promise.reject(new Error("no"));
		await expect(startWork(ctx, failing, { name: "recap", isOver: () => false })).rejects.toThrow("no");
	});

	test.each([
		[false, ["recap: failed (disk)."]],
		[true, []],
	])("that fails is said, unless its session is over (%s)", async (isOver, said) => {
		const it = contextOf(true);
		startWork(it.ctx, () => Promise.reject(new Error("disk\nat line 1")), {
			name: "recap",
			isOver: () => isOver,
		});
		await turn();
		expect(it.said).toEqual(said);
	});
});
