import { existsSync, rmSync } from "node:fs";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { LeaseHolder, type LeaseState } from "../../session-core/live/lease-files.ts";
import { liveFolder } from "../../session-core/live/liveness.mjs";
import { useTemporaryFolder } from "../../session-core/session-file/session.test-support.ts";
import { until } from "../../test/host/until.ts";
import { needCount, needsText, watchNeeds } from "./needs.ts";

const agentDir = useTemporaryFolder();
const held: LeaseHolder[] = [];
afterEach(() => {
	for (const holder of held.splice(0)) holder.release();
});

function open(sessionId: string): LeaseHolder {
	const holder = new LeaseHolder(agentDir(), { sessionId }, "idle", Date.now());
	held.push(holder);
	holder.claim();
	return holder;
}

function watched() {
	const counts: number[] = [];
	const end = watchNeeds({
		agentDir: agentDir(),
		sessionId: "mine",
		changed: (count) => counts.push(count),
	});
	onTestFinished(end);
	return { counts, end };
}

const waitForCount = (counts: number[], count: number) =>
	until(() => counts.at(-1) === count, { what: `${count} to need the user`, detail: () => counts.join() });

describe("sessions that need their user", () => {
	const lease = (sessionId: string, state: LeaseState = "needs_you", instance = sessionId) => ({
		sessionId,
		state,
		instance,
	});

	test.each<[string, ReturnType<typeof lease>[], number]>([
		["none", [], 0],
		["one of each state", [lease("a"), lease("b", "working"), lease("c", "idle"), lease("d", "failed")], 2],
		["two", [lease("a"), lease("b")], 2],
		["one that is open twice", [lease("a"), lease("a", "needs_you", "a2")], 1],
		["the one that is open here, there", [lease("mine", "needs_you", "other")], 0],
		["the one that is open here", [lease("x", "needs_you", "own")], 0],
	])("%s", (_what, leases, count) => {
		expect(needCount(leases, { sessionId: "mine", own: new Set(["own"]) })).toBe(count);
	});

	test("are shown with the key of the board; nothing is shown for none", () => {
		expect([0, 1, 2].map((count) => needsText(count, "alt+s"))).toEqual([
			undefined,
			"◆ 1 needs you · alt+s",
			"◆ 2 need you · alt+s",
		]);
		expect(needsText(1, undefined)).toBe("◆ 1 needs you");
	});

	test("are counted at the start, and when one starts or stops waiting, or ends", async () => {
		const [one, two] = [open("a"), open("b")];
		one.update("needs_you", Date.now());
		const { counts } = watched();
		expect(counts).toEqual([1]);
		two.update("needs_you", Date.now());
		await waitForCount(counts, 2);
		one.update("working", Date.now());
		await waitForCount(counts, 1);
		two.release();
		await waitForCount(counts, 0);
	});

	test("are still counted after the folder of the leases was deleted", async () => {
		const one = open("a");
		const { counts } = watched();
		const folder = liveFolder(agentDir());
		rmSync(folder, { recursive: true });
		await until(() => existsSync(folder), { what: "the folder to be made again" });
		one.update("needs_you", Date.now());
		await waitForCount(counts, 1);
	});
});
