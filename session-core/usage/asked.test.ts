import { execFile } from "node:child_process";
import {
	appendFileSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Asking, createAsked } from "./asked.ts";
import { PAUSE_MS } from "./busy-pause.ts";

const NOON = new Date(2026, 4, 17, 12).getTime();
const STATE: Asking = { feature: "recap", stamp: "m1", by: "auto" };

let agentDir: string;
let folder: string;
beforeEach(() => {
	agentDir = mkdtempSync(join(tmpdir(), "asked-"));
	folder = join(agentDir, "session-suite", "asked");
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

/** What a process knows; each call is one more process, as the lines are all that they share. */
const asked = (session = "s1", now = NOON) => createAsked({ agentDir, session, now: () => now });

function ask(question: Partial<Asking> = {}, outcome = "ok", now = NOON): boolean {
	const claimed = asked("s1", now).claim({ ...STATE, ...question });
	if (claimed.ok) claimed.claim.settle(outcome);
	return claimed.ok;
}

describe("a state of a session", () => {
	test.each(["ok", "unusable", "empty", "timeout", "aborted", "network", "no_money", "provider_error"])(
		"is asked about once, also after %s and a restart",
		(outcome) => {
			expect(ask({}, outcome)).toBe(true);
			expect(asked().has(STATE)).toBe(true);
			for (let again = 0; again < 5; again++) expect(ask({}, outcome, NOON + 10 * PAUSE_MS)).toBe(false);
		},
	);

	test.each(["rate_limited", "server_error"])(
		"is asked about once more after %s, after a pause of a minute",
		(outcome) => {
			ask({}, outcome);
			expect(ask({}, outcome, NOON + 59_999)).toBe(false);
			expect(ask({}, outcome, NOON + 60_000)).toBe(true);
			expect(ask({}, outcome, NOON + 100 * PAUSE_MS)).toBe(false);
		},
	);

	test("is not asked about while, or after, a process that may be dead was at it", () => {
		asked().claim(STATE);
		expect(ask()).toBe(false);
		expect(ask({}, "ok", NOON + 100 * PAUSE_MS)).toBe(false);
	});

	test("is asked about by whoever types, as often as they type; then nobody asks unasked", () => {
		expect(ask({ by: "typed" }, "unusable")).toBe(true);
		expect(ask({ by: "typed" })).toBe(true);
		expect(ask()).toBe(false);
	});

	test("stands apart from other states, features and sessions", () => {
		ask();
		expect(ask({ stamp: "m2" })).toBe(true);
		expect(ask({ feature: "title" })).toBe(true);
		expect(asked("s2").claim(STATE).ok).toBe(true);
		expect(readdirSync(folder)).toHaveLength(2);
	});

	test("is free again where nobody was asked after all", () => {
		const claimed = asked().claim(STATE);
		if (claimed.ok) claimed.claim.withdraw();
		expect(asked().has(STATE)).toBe(false);
		expect(asked().attempts("recap")).toBe(0);
		expect(ask()).toBe(true);
	});

	test("counts what nobody typed", () => {
		ask();
		ask({ stamp: "m2" }, "empty");
		ask({ stamp: "m3", by: "typed" });
		expect(asked().attempts("recap")).toBe(2);
		expect(asked().attempts("title")).toBe(0);
	});
});

describe("several processes on one session", () => {
	test("get one call for each state between them", async () => {
		const states = 200;
		const program = join(import.meta.dirname, "../../test/support/claim-states.ts");
		const runner = join(import.meta.dirname, "../../scripts/run.mjs");
		const run = promisify(execFile);
		const runs = await Promise.all(
			Array.from({ length: 4 }, () =>
				run(process.execPath, [runner, program, agentDir, "s1", String(states)]),
			),
		);
		const got = runs.flatMap(({ stdout }) => stdout.split(" ").filter(Boolean));
		expect(new Set(got).size).toBe(states);
		expect(got).toHaveLength(states);
	});
});

describe("the file", () => {
	test("is named by nothing that a session's id could choose, and holds no words", () => {
		const claimed = asked("../../evil").claim({ ...STATE, stamp: "m1\n\x1b[31m" });
		expect(claimed.ok).toBe(true);
		const [name = ""] = readdirSync(folder);
		expect(name).toMatch(/^[0-9a-f]{40}\.jsonl$/);
		expect(readFileSync(join(folder, name), "utf8").trimEnd().split("\n")).toHaveLength(1);
	});

	test("torn and foreign lines are passed over", () => {
		ask();
		const [name = ""] = readdirSync(folder);
		appendFileSync(join(folder, name), '\nnull\n{"at":1}\n[]\n{"at":1,"id":"x","feature":"recap","sta');
		expect(ask({ stamp: "m2" })).toBe(true);
		expect(asked().has(STATE)).toBe(true);
		expect(asked().has({ ...STATE, stamp: "m2" })).toBe(true);
	});

	test("that cannot be kept lets nobody ask unasked, and everybody who types", () => {
		mkdirSync(join(agentDir, "session-suite"));
		writeFileSync(folder, "");
		expect(asked().claim(STATE)).toMatchObject({ ok: false, reason: "uncounted" });
		expect(asked().problem()).toBeDefined();
		expect(asked().claim({ ...STATE, by: "typed" })).toMatchObject({ ok: true, claim: { problem: {} } });
	});
});
