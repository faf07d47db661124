import { expect, test } from "vitest";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { KnownSessions } from "./known-sessions.ts";

const SECOND = 1_000;

function known() {
	const state = { now: 100 * SECOND, lists: 0, fails: false };
	const sessions = new KnownSessions({
		now: () => state.now,
		list: async () => {
			state.lists++;
			if (state.fails) throw new Error("no folder");
			return [{ id: `list ${state.lists}` } as SessionSummary]; // only the id is read
		},
	});
	const ids = async () => (await sessions.offers()).matching("").map(({ row }) => row.id);
	return { state, ids, sessions };
}

test("a keystroke lists nothing; one listing serves all that wait for it", async () => {
	const { state, ids } = known();
	expect(await Promise.all([ids(), ids()])).toEqual([["list 1"], ["list 1"]]);
	state.now += 5 * SECOND;
	expect(await ids()).toEqual(["list 1"]);
	expect(state.lists).toBe(1);
});

test("an older list answers once more while a new one is made; a very old one does not", async () => {
	const { state, ids } = known();
	await ids();
	state.now += 20 * SECOND;
	expect(await ids()).toEqual(["list 1"]);
	expect(state.lists).toBe(2);
	expect(await ids()).toEqual(["list 2"]);
	state.now += 100 * SECOND;
	expect(await ids()).toEqual(["list 3"]);
	state.now -= 50 * SECOND;
	expect(await ids()).toEqual(["list 4"]);
});

test("a listing that fails is tried again", async () => {
	const { state, ids, sessions } = known();
	state.fails = true;
	await expect(sessions.offers()).rejects.toThrow("no folder");
	state.fails = false;
	expect(await ids()).toEqual(["list 2"]);
});
