import { expect, test } from "vitest";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import type { GoOutcome } from "../../session-core/sessions/live/go-to-terminal.ts";
import { aRow, factsAbout } from "../board/board.test-support.ts";
import { decide } from "./ask.ts";
import type { Facts } from "./decision.ts";

const ROW = aRow("one", { name: "Dates", cwd: "/code/app" });
const BRANCHING = recapOf({
	subject_id: "one",
	resume_hint: { seed_instruction: "", branch_on_resume: true },
});
const OPEN = { act: "open", path: ROW.path, cwd: "/code/app" };
const FORK = { ...OPEN, act: "fork" };
const STAY = "Stay: let the agent continue";
const COPY = "Fork: continue in a copy";

interface Case {
	act?: "open" | "fork";
	facts?: Partial<Facts>;
	isOneKey?: boolean;
	/** For each question, the index of the choice that the user makes. */
	answers?: number[];
	went?: GoOutcome;
}

async function deciding({ act = "open", facts = {}, isOneKey = true, answers = [], went }: Case) {
	const log: string[] = [];
	const left = [...answers];
	const leaving = await decide(act, factsAbout(facts.row ?? ROW, facts), {
		ask: async ({ text, choices }) => {
			log.push(`${text} [${choices.map(({ label }) => label).join(", ")}]`);
			return choices[left.shift() ?? choices.length - 1]?.value;
		},
		go: async () => {
			log.push("goes there");
			return went ?? { ok: true, message: "Went there." };
		},
		say: (text) => log.push(`says: ${text}`),
		here: "/here",
		isOneKey,
	});
	return { log, leaving };
}

const WRITER = "another pi (pid 7)";
const OPEN_ELSEWHERE = `This session is open in ${WRITER}. Two tabs would mix their histories.`;
const BUSY = "The agent is still working here. Leaving this session stops it.";
const THERE = { writer: WRITER, canGo: true };
const LOST: GoOutcome = { ok: false, reason: "no_way", message: "It is open in pid 7." };
const GONE = { cwdExists: false };

test.each<[string, Case, unknown[], unknown]>([
	["nothing is asked if there is no doubt", {}, [], OPEN],
	["a typed fork is not confirmed", { act: "fork", isOneKey: false, facts: { writer: WRITER } }, [], FORK],
	[
		"a fork by one key is confirmed",
		{ act: "fork", answers: [0] },
		[`Continue “Dates” in a copy? The original stays unchanged. [${COPY}, Cancel]`],
		FORK,
	],
	[
		"a session that is set to continue in a copy can be opened itself",
		{ act: "fork", facts: { row: { ...ROW, recap: BRANCHING } }, answers: [1] },
		[`“Dates” is set to be resumed in a copy. [${COPY}, Open the session itself, Cancel]`],
		OPEN,
	],
	[
		"another writer: the fork comes first",
		{ facts: { writer: WRITER }, answers: [0] },
		[`${OPEN_ELSEWHERE} [${COPY}, Open anyway, Cancel]`],
		FORK,
	],
	[
		"while the agent works here, staying is the first choice",
		{ facts: { busy: true }, answers: [0] },
		[`${BUSY} [${STAY}, Open it]`],
		undefined,
	],
	["if its folder is gone, the host asks if it can", { facts: GONE }, [], OPEN],
	[
		"otherwise, a fork says where it continues",
		{ facts: { ...GONE, hostAsksForCwd: false }, answers: [0] },
		[`Its folder /code/app is gone. A fork would continue in /here. [${COPY}, in /here, Cancel]`],
		FORK,
	],
	[
		"a damaged file is never opened; a copy of what can be read is offered",
		{ facts: { ...THERE, damaged: true, busy: true }, answers: [0] },
		[expect.stringMatching(`damaged, so pi could lose part.*${BUSY} \\[${STAY}, Open a repaired copy\\]$`)],
		undefined,
	],
	[
		"the copy is the first choice if the agent is idle",
		{ facts: { damaged: true }, answers: [0] },
		[expect.stringMatching(/damaged.* \[Open a repaired copy, Cancel\]$/)],
		{ ...FORK, act: "repair" },
	],
	[
		"one key switches to a terminal that can be brought to the front",
		{ facts: THERE },
		["goes there", "says: Went there."],
		undefined,
	],
	[
		"in a dialog, this is the first choice",
		{ facts: THERE, isOneKey: false, answers: [0] },
		[`${OPEN_ELSEWHERE} [Go there, ${COPY}, Open anyway, Cancel]`, "goes there", "says: Went there."],
		undefined,
	],
	[
		"if it could not be brought to the front, the question says where it is",
		{ facts: THERE, went: LOST, answers: [1] },
		["goes there", `It is open in pid 7. ${OPEN_ELSEWHERE} [${COPY}, Open anyway, Cancel]`],
		OPEN,
	],
])("before a session is opened or forked: %s", async (_, given, log, leaving) => {
	expect(await deciding(given)).toEqual({ log, leaving });
});
