import { describe, expect, test } from "vitest";
import type { GoOutcome } from "../../session-core/live/go-to-terminal.ts";
import type { Facts } from "./acts.ts";
import { aRow, factsAbout } from "./board.test-support.ts";
import { decide } from "./questions.ts";

const ROW = aRow("one", { name: "Dates", cwd: "/code/app" });
const OPEN = { act: "open", path: ROW.path };
const FORK = { act: "fork", path: ROW.path, cwd: "/code/app", moved: false };
const STAY = "Stay: let the agent continue";
const COPY = "Fork: continue in a copy";

interface Case {
	act?: "open" | "fork";
	facts?: Partial<Facts>;
	isOneKey?: boolean;
	/** Index of the answer to each question. */
	answers?: number[];
	went?: GoOutcome;
}

/** The questions and notices before a decision. */
async function deciding({ act = "open", facts = {}, isOneKey = true, answers = [], went }: Case) {
	const log: string[] = [];
	const left = [...answers];
	const leaving = await decide(
		act,
		{ ...ROW, ...facts.row },
		{
			facts: async (_act, row) => factsAbout(row, facts),
			ask: async ({ text, choices }) => {
				log.push(text, ...choices.map(({ label }) => `- ${label}`));
				return choices[left.shift() ?? choices.length - 1]?.value;
			},
			go: async () => {
				log.push("goes there");
				return went ?? { ok: true, message: "Went there." };
			},
			say: (text) => log.push(`says: ${text}`),
			here: "/here",
			isOneKey,
		},
	);
	return { log, leaving };
}

describe("before a session is opened or forked", () => {
	test("nothing is asked if there is no doubt; a fork by one key is confirmed", async () => {
		expect(await deciding({})).toEqual({ log: [], leaving: OPEN });
		expect(await deciding({ act: "fork", isOneKey: false, facts: { writer: "another pi" } })).toEqual({
			log: [],
			leaving: FORK,
		});
		expect(await deciding({ act: "fork", answers: [0] })).toEqual({
			log: ["Continue “Dates” in a copy? The original stays unchanged.", `- ${COPY}`, "- Cancel"],
			leaving: FORK,
		});
	});

	test("a session that is set to continue in a copy can be opened itself", async () => {
		const row = { ...ROW, branches: true };
		expect(await deciding({ act: "fork", facts: { row }, answers: [1] })).toEqual({
			log: ["“Dates” is set to be resumed in a copy.", `- ${COPY}`, "- Open the session itself", "- Cancel"],
			leaving: OPEN,
		});
	});

	test("another writer: the fork comes first", async () => {
		const { log, leaving } = await deciding({ facts: { writer: "another pi (pid 7)" }, answers: [0] });
		expect(log).toEqual([
			"This session is open in another pi (pid 7). Two tabs would mix their histories.",
			`- ${COPY}`,
			"- Open anyway",
			"- Cancel",
		]);
		expect(leaving).toEqual(FORK);
	});

	test("while the agent works here, staying is the first choice of every question", async () => {
		const text = "The agent is still working here. Leaving this session stops it.";
		expect(await deciding({ facts: { busy: true }, answers: [0] })).toEqual({
			log: [text, `- ${STAY}`, "- Open it"],
			leaving: undefined,
		});
		expect((await deciding({ act: "fork", facts: { busy: true } })).log).toEqual([
			text,
			`- ${STAY}`,
			`- ${COPY}`,
		]);
		expect((await deciding({ facts: { busy: true, writer: "another pi" } })).log[1]).toBe(`- ${STAY}`);
	});

	test("if its folder is gone, the host asks if it can; a fork says where it continues", async () => {
		expect((await deciding({ facts: { cwdExists: false } })).leaving).toEqual(OPEN);
		const facts = { cwdExists: false, hostAsksForCwd: false };
		expect(await deciding({ facts, answers: [0] })).toEqual({
			log: [
				"Its folder /code/app is gone. A fork would continue in /here.",
				"- Fork: continue in a copy, in /here",
				"- Cancel",
			],
			leaving: { act: "fork", path: ROW.path, cwd: "/here", moved: true },
		});
	});

	test("a damaged file is never opened; a copy of what can be read is offered", async () => {
		const facts = { damaged: true, writer: "another pi", busy: true, canGo: true };
		expect((await deciding({ facts })).log).toEqual([
			expect.stringMatching(/damaged, so pi could lose part of it.*Leaving this session stops it/),
			`- ${STAY}`,
			"- Open a repaired copy",
		]);
		expect((await deciding({ facts: { damaged: true }, answers: [0] })).leaving).toEqual({
			...FORK,
			act: "repair",
		});
	});
});

describe("a session whose terminal can be brought to the front", () => {
	const facts = { writer: "another pi (pid 7)", canGo: true };

	test("is switched to by one key", async () => {
		expect(await deciding({ facts })).toEqual({
			log: ["goes there", "says: Went there."],
			leaving: undefined,
		});
	});

	test("is the first choice in a dialog", async () => {
		const { log, leaving } = await deciding({ facts, isOneKey: false, answers: [0] });
		expect(log.slice(1)).toEqual([
			"- Go there",
			`- ${COPY}`,
			"- Open anyway",
			"- Cancel",
			"goes there",
			"says: Went there.",
		]);
		expect(leaving).toBeUndefined();
		expect((await deciding({ facts, isOneKey: false, answers: [1] })).leaving).toEqual(FORK);
	});

	test("says where it is if it could not be brought to the front, and offers the other choices", async () => {
		const went: GoOutcome = { ok: false, reason: "no_way", message: "It is open in pid 7." };
		const { log, leaving } = await deciding({ facts, went, answers: [1] });
		expect(log[1]).toMatch(/^It is open in pid 7\. This session is open in another pi/);
		expect(leaving).toEqual(OPEN);
	});
});
