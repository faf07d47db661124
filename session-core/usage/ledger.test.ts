import { spawn } from "node:child_process";
import {
	appendFileSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLedger, type UsageEntry } from "./ledger.ts";

const CALL: UsageEntry = {
	session: "s1",
	feature: "recap",
	model: "anthropic/claude-haiku-4-5",
	input: 1000,
	output: 50,
	cost: 0.125,
	outcome: "ok",
};
const NOON = new Date(2026, 4, 17, 12).getTime();
const HOUR = 3_600_000;

let agentDir: string;
let usageDir: string;
beforeEach(() => {
	agentDir = mkdtempSync(join(tmpdir(), "ledger-"));
	usageDir = join(agentDir, "session-suite", "usage");
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

const ledgerAt = (ms: number) => createLedger({ agentDir, now: () => ms });

describe("the ledger", () => {
	it("sums a day, and a session's share of it", () => {
		const ledger = ledgerAt(NOON);
		ledger.record(CALL);
		ledger.record({ ...CALL, session: "s2", feature: "title" });
		ledger.record({ ...CALL, outcome: "timeout" });
		expect(ledger.dayTotal()).toEqual({ calls: 3, input: 3000, output: 150, cost: 0.375 });
		expect(ledger.sessionTotal("s1")).toEqual({ calls: 2, input: 2000, output: 100, cost: 0.25 });
		expect(ledger.sessionTotal("other").calls).toBe(0);
	});

	it("counts what earlier processes wrote today, and nothing of yesterday", () => {
		ledgerAt(NOON - 24 * HOUR).record(CALL);
		ledgerAt(NOON).record(CALL);
		expect(ledgerAt(NOON + HOUR).dayTotal().calls).toBe(1);
		expect(readdirSync(usageDir).sort()).toEqual(["2026-05-16.jsonl", "2026-05-17.jsonl"]);
	});

	it("says when a limit is used up; 0 allows nothing", () => {
		const ledger = ledgerAt(NOON);
		expect(ledger.overLimit(0)).toBe(true);
		expect(ledger.overLimit(0.25)).toBe(false);
		ledger.record(CALL);
		expect(ledger.overLimit(0.25)).toBe(false);
		ledger.record(CALL);
		expect(ledger.overLimit(0.25)).toBe(true);
	});

	it("starts empty where nothing was ever written", () => {
		expect(ledgerAt(NOON).dayTotal()).toEqual({ calls: 0, input: 0, output: 0, cost: 0 });
	});

	it("writes ids, counts and names only, readable by the owner only", () => {
		const extra = { ...CALL, text: "what the user said", model: "p/m\n\u202e" };
		ledgerAt(NOON).record(extra);
		const file = join(usageDir, "2026-05-17.jsonl");
		expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ at: NOON / 1000, ...CALL, model: "p/m" });
		expect(statSync(file).mode & 0o777).toBe(0o600);
	});

	it("does not let a provider's nonsense break the sum", () => {
		const ledger = ledgerAt(NOON);
		ledger.record({ ...CALL, cost: Number.NaN, input: Number.POSITIVE_INFINITY, output: -5 });
		ledger.record(CALL);
		expect(ledger.dayTotal()).toEqual({ calls: 2, input: 1000, output: 50, cost: 0.125 });
	});
});

describe("a damaged file", () => {
	const file = () => join(usageDir, "2026-05-17.jsonl");

	it("torn, foreign and empty lines are passed over; a line glued to a torn one counts", () => {
		const ledger = ledgerAt(NOON);
		ledger.record(CALL);
		appendFileSync(file(), '\n\nnull\n[1]\n{"at":1}\nnot json\n{"at":1,"session":"s1","input":1');
		ledger.record(CALL);
		expect(ledger.dayTotal().calls).toBe(2);
	});

	it("of a huge one only the tail is read", () => {
		mkdirSync(usageDir, { recursive: true });
		writeFileSync(file(), `${"x".repeat(1023)}\n`.repeat(5 * 1024));
		const ledger = ledgerAt(NOON);
		ledger.record(CALL);
		expect(ledger.dayTotal().calls).toBe(1);
	});

	it("a folder in place of the file is a value, not an exception", () => {
		mkdirSync(file(), { recursive: true });
		const ledger = ledgerAt(NOON);
		expect(ledger.record(CALL)).toBe(false);
		expect(ledger.dayTotal().calls).toBe(0);
	});

	it("a file in place of the folder is a value, not an exception", () => {
		writeFileSync(join(agentDir, "session-suite"), "");
		const ledger = ledgerAt(NOON);
		expect(ledger.record(CALL)).toBe(false);
		expect(ledger.dayTotal().calls).toBe(0);
	});
});

describe("old files", () => {
	it("go after 90 days with the first call of a process; strangers stay", () => {
		mkdirSync(usageDir, { recursive: true });
		for (const name of ["2026-02-01.jsonl", "2026-03-01.jsonl", "notes.txt"])
			writeFileSync(join(usageDir, name), "");
		const ledger = ledgerAt(NOON);
		ledger.record(CALL);
		expect(readdirSync(usageDir).sort()).toEqual(["2026-03-01.jsonl", "2026-05-17.jsonl", "notes.txt"]);
		writeFileSync(join(usageDir, "2026-02-01.jsonl"), "");
		ledger.record(CALL);
		expect(readdirSync(usageDir)).toContain("2026-02-01.jsonl");
	});
});

describe("several processes", () => {
	const PROCESSES = 4;
	const CALLS = 200;

	it("append at the same time, and every line is whole", async () => {
		const program = join(import.meta.dirname, "../../test/support/append-usage.ts");
		const runner = join(import.meta.dirname, "../../scripts/run.mjs");
		const exits = Array.from({ length: PROCESSES }, (_, index) => {
			const args = [runner, program, agentDir, String(NOON), `s${index}`, String(CALLS)];
			const child = spawn(process.execPath, args, { stdio: "inherit" });
			return new Promise((resolve) => child.once("exit", resolve));
		});
		expect(await Promise.all(exits)).toEqual(Array.from({ length: PROCESSES }, () => 0));

		const lines = readFileSync(join(usageDir, "2026-05-17.jsonl"), "utf8").trimEnd().split("\n");
		expect(lines).toHaveLength(PROCESSES * CALLS);
		for (const line of lines) expect(JSON.parse(line)).toMatchObject({ feature: "recap", input: 1000 });
		const ledger = ledgerAt(NOON);
		expect(ledger.dayTotal()).toMatchObject({ calls: PROCESSES * CALLS, cost: PROCESSES * CALLS * 0.125 });
		expect(ledger.sessionTotal("s3").calls).toBe(CALLS);
	});
});
