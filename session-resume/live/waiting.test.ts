import { existsSync, rmSync } from "node:fs";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import type { GoOutcome } from "../../session-core/sessions/live/go-to-terminal.ts";
import { LeaseHolder } from "../../session-core/sessions/live/lease-files.ts";
import { type LeaseState, liveFolder } from "../../session-core/sessions/live/liveness.mjs";
import { until } from "../../test/host/until.ts";
import { ownLeases } from "./leases.ts";
import { goToNext, WaitingCount, waitingElsewhere } from "./waiting.ts";

const agentDir = useTemporaryFolder();
const held: LeaseHolder[] = [];
afterEach(() => {
	for (const holder of held.splice(0)) holder.release();
});

function open(sessionId: string, state: LeaseState = "waiting"): LeaseHolder {
	const holder = new LeaseHolder(agentDir(), { sessionId }, state, Date.now());
	held.push(holder);
	holder.claim();
	return holder;
}

function footer() {
	const shown: (string | undefined)[] = [];
	const told: string[] = [];
	const ui = {
		setStatus: (_key: string, text: string | undefined) => void shown.push(text),
		setWidget: () => undefined,
		notify: (text: string) => void told.push(text),
		theme: {} as never,
	};
	const count = new WaitingCount({ ui, agentDir: agentDir(), sessionId: "mine", key: "alt+s" });
	const end = () => count.end();
	count.start();
	onTestFinished(end);
	const waitFor = (text: string) =>
		until(() => shown.at(-1) === text, `the footer to show ${text}`, { detail: () => shown.join() });
	return { shown, told, end, waitFor };
}

describe("the footer", () => {
	test("counts a session that is open twice once, and is cleared at the end", () => {
		open("a");
		open("a");
		const { shown, end } = footer();
		end();
		expect(shown).toEqual(["◆ 1 waiting · alt+s", undefined]);
	});

	test("comes with one warning if another process opens the same session", async () => {
		const twin = () => {
			const own = { sessionId: "mine", isInteractive: true };
			const holder = new LeaseHolder(agentDir(), own, "idle", Date.now());
			held.push(holder);
			holder.claim();
			return holder;
		};
		twin();
		const { told } = footer();
		expect(told).toEqual([]);
		const second = twin();
		await until(() => told.length > 0, "the warning");
		second.update("working", Date.now());
		open("other");
		await until(() => told.length === 1, "one warning");
		expect(told[0]).toMatch(/this session was opened a second time \(pid \d+/);
	});

	test("still counts after the folder of the leases was deleted", async () => {
		const one = open("a", "idle");
		const { waitFor } = footer();
		const folder = liveFolder(agentDir());
		rmSync(folder, { recursive: true });
		await until(() => existsSync(folder), "the folder to be made again");
		one.update("waiting", Date.now());
		await waitFor("◆ 1 waiting · alt+s");
	});
});

const lease = (instance: string, state: LeaseState = "waiting") => ({
	instance,
	state,
	sessionId: `s-${instance}`,
});
const names = (leases: readonly { instance: string }[]) => leases.map(({ instance }) => instance).join("");

describe("the next waiting session", () => {
	test("is waiting, failed or finished, and is not open here", () => {
		ownLeases.add("own");
		onTestFinished(() => void ownLeases.delete("own"));
		const states = (["waiting", "failed", "finished", "working", "idle"] as const).map((state) =>
			lease(`${state} `, state),
		);
		expect(names(waitingElsewhere([...states, lease("own"), lease("x")], "s-x"))).toBe(
			"waiting failed finished ",
		);
	});

	test("comes after this one in the same order in every tab, and is the first whose terminal can be brought to the front", async () => {
		const here = "b";
		const waiting = ["d", "c", "a"].map((one) => lease(one));
		const visited = async (...able: string[]) => {
			const tried: string[] = [];
			const went = await goToNext(waiting, here, async ({ instance }): Promise<GoOutcome> => {
				tried.push(instance);
				return able.includes(instance)
					? { ok: true, message: "" }
					: { ok: false, reason: "no_way", message: instance };
			});
			return [tried.join(""), went?.lease.instance, went?.outcome.message];
		};
		expect(await visited("a", "d")).toEqual(["cd", "d", ""]);
		expect(await visited("a")).toEqual(["cda", "a", ""]);
		expect(await visited()).toEqual(["cda", "c", "c"]);
		expect(await goToNext([], here, () => expect.fail())).toBeUndefined();
	});
});
