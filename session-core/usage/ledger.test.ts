import { execFileSync, spawn } from "node:child_process";
import {
	appendFileSync,
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readUsageLine } from "./entry.ts";
import { describeProblem } from "./journal.ts";
import { type CallResult, createLedger, type Ledger, type PlannedCall } from "./ledger.ts";

const CALL: PlannedCall = {
	session: "s1",
	feature: "recap",
	model: "anthropic/claude-haiku-4-5",
	input: 800,
	cost: 0.0625,
	most: 0.25,
	unpriced: false,
	deadlineMs: 20_000,
};
const DONE: CallResult = { outcome: "ok", input: 1000, output: 50, cost: 0.125, isBilled: true };
const NOON = new Date(2026, 4, 17, 12).getTime();
const HOUR = 3_600_000;

let agentDir: string;
let usageDir: string;
beforeEach(() => {
	agentDir = mkdtempSync(join(tmpdir(), "ledger-"));
	usageDir = join(agentDir, "session-suite", "usage");
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

const file = () => join(usageDir, "2026-05-17.jsonl");
const ledgerAt = (ms: number) => createLedger({ agentDir, now: () => ms });

/** A call from its reservation to its end. */
function call(ledger: Ledger, more: Partial<PlannedCall> = {}, result: Partial<CallResult> = {}): void {
	const reserved = ledger.reserve({ ...CALL, ...more });
	if (reserved.ok) reserved.booking.settle({ ...DONE, ...result });
}

describe("the ledger", () => {
	it("sums a day, and a session's share of it", () => {
		const ledger = ledgerAt(NOON);
		call(ledger);
		call(ledger, { session: "s2", feature: "title" });
		call(ledger);
		expect(ledger.dayTotal()).toMatchObject({ calls: 3, input: 3000, output: 150, cost: 0.375, open: 0 });
		expect(ledger.sessionTotal("s1")).toMatchObject({ calls: 2, input: 2000, output: 100, cost: 0.25 });
		expect(ledger.sessionTotal("other").calls).toBe(0);
	});

	it("counts what earlier processes wrote today, and nothing of yesterday", () => {
		call(ledgerAt(NOON - 24 * HOUR));
		call(ledgerAt(NOON));
		expect(ledgerAt(NOON + HOUR).dayTotal().calls).toBe(1);
		expect(readdirSync(usageDir).sort()).toEqual(["2026-05-16.jsonl", "2026-05-17.jsonl"]);
	});

	it("reads the lines of versions that wrote no reservations", () => {
		mkdirSync(usageDir, { recursive: true });
		const old = {
			at: 1,
			session: "s1",
			feature: "recap",
			model: "p/m",
			input: 1,
			output: 1,
			cost: 0.5,
			outcome: "ok",
		};
		writeFileSync(file(), `${JSON.stringify(old)}\n${JSON.stringify(old)}\n`);
		expect(ledgerAt(NOON).dayTotal()).toMatchObject({ calls: 2, cost: 1 });
	});

	it("holds back the most that a call may cost while it is under way", () => {
		const ledger = ledgerAt(NOON);
		const reserved = ledger.reserve(CALL);
		expect(ledgerAt(NOON).dayTotal()).toMatchObject({ calls: 1, cost: 0.25, open: 1, held: 0.25 });
		if (reserved.ok) reserved.booking.settle(DONE);
		expect(ledgerAt(NOON).dayTotal()).toMatchObject({ calls: 1, cost: 0.125, open: 0, held: 0 });
	});

	it("counts a call whose process died by what its input costs, once its time is over", () => {
		ledgerAt(NOON).reserve(CALL);
		const later = ledgerAt(NOON + 60_000).dayTotal();
		expect(later).toMatchObject({ calls: 1, input: 800, cost: 0.0625, open: 0, estimated: 1 });
	});

	it.each(["timeout", "aborted"] as const)(
		"books a call that ended in %s at what its input costs",
		(outcome) => {
			const ledger = ledgerAt(NOON);
			call(ledger, {}, { outcome, input: 0, output: 0, cost: 0 });
			expect(ledger.dayTotal()).toMatchObject({ calls: 1, input: 800, cost: 0.0625, estimated: 1 });
		},
	);

	it("books a refused call at nothing, and forgets one that was never made", () => {
		const ledger = ledgerAt(NOON);
		call(ledger, {}, { outcome: "rate_limited", input: 0, output: 0, cost: 0, isBilled: false });
		call(ledger, {}, { outcome: "withdrawn", input: 0, output: 0, cost: 0, isBilled: false });
		expect(ledger.dayTotal()).toMatchObject({ calls: 1, cost: 0, estimated: 0 });
	});

	it("tells calls by models without a price", () => {
		const ledger = ledgerAt(NOON);
		call(ledger, { cost: 0, most: 0, unpriced: true }, { cost: 0 });
		expect(ledger.dayTotal()).toMatchObject({ calls: 1, cost: 0, unpriced: 1 });
	});

	it("starts empty where nothing was ever written", () => {
		expect(ledgerAt(NOON).dayTotal()).toMatchObject({ calls: 0, input: 0, output: 0, cost: 0 });
	});

	it("writes ids, counts and names only, readable by the owner only", () => {
		const extra = { ...CALL, text: "what the user said", model: "p/m\n\u202e" };
		call(ledgerAt(NOON), extra);
		const [reserved, done] = readFileSync(file(), "utf8")
			.trimEnd()
			.split("\n")
			.map((line) => JSON.parse(line));
		const { deadlineMs: _ms, most, unpriced: _unpriced, ...kept } = CALL;
		const names = { at: NOON / 1000, id: expect.any(String), ...kept, model: "p/m" };
		expect(reserved).toEqual({ ...names, output: 0, most, until: NOON / 1000 + 30, outcome: "reserved" });
		expect(done).toEqual({ ...names, input: 1000, output: 50, cost: 0.125, outcome: "ok" });
		expect(statSync(file()).mode & 0o777).toBe(0o600);
	});

	it("keeps a line short whatever a model is called", () => {
		call(ledgerAt(NOON), { model: "m".repeat(5_000), session: "s".repeat(5_000) });
		for (const line of readFileSync(file(), "utf8").trimEnd().split("\n")) {
			expect(line.length).toBeLessThan(1_000);
			expect(readUsageLine(line)?.model).toBe("m".repeat(200));
		}
	});

	it("does not let a provider's nonsense break the sum", () => {
		const ledger = ledgerAt(NOON);
		call(ledger, {}, { cost: Number.NaN, input: Number.POSITIVE_INFINITY, output: -5 });
		call(ledger);
		expect(ledger.dayTotal()).toMatchObject({ calls: 2, input: 1000, output: 50, cost: 0.125 });
	});
});

describe("the limit", () => {
	it("leaves room for the whole call; 0 allows nothing, and what is typed is never refused", () => {
		const ledger = ledgerAt(NOON);
		expect(ledger.reserve(CALL, 0)).toEqual({ ok: false, reason: "daily_limit" });
		expect(ledger.reserve(CALL, 0.2)).toEqual({ ok: false, reason: "daily_limit" });
		expect(ledger.reserve(CALL, 0.5).ok).toBe(true);
		expect(ledger.reserve(CALL, 0.5).ok).toBe(true);
		expect(ledger.reserve(CALL, 0.5)).toEqual({ ok: false, reason: "daily_limit" });
		expect(ledger.reserve(CALL).ok).toBe(true);
		expect(ledger.overLimit(0.5)).toBe(true);
		expect(ledgerAt(NOON).overLimit(1)).toBe(false);
	});

	it("counts what this process has spent although the file is gone", () => {
		const ledger = ledgerAt(NOON);
		call(ledger);
		rmSync(usageDir, { recursive: true });
		expect(ledger.dayTotal()).toMatchObject({ calls: 1, cost: 0.125 });
		expect(ledger.reserve(CALL, 0.25)).toEqual({ ok: false, reason: "daily_limit" });
	});
});

/** What may stand where the ledger belongs, and what is said of it. */
const IN_THE_WAY: [what: string, place: () => void, words: RegExp][] = [
	["a folder as the day's file", () => mkdirSync(file(), { recursive: true }), /in the way.*Move it away/],
	[
		"a pipe as the day's file",
		() => {
			mkdirSync(usageDir, { recursive: true });
			execFileSync("mkfifo", [file()]);
		},
		/in the way.*Move it away/,
	],
	[
		"a link as the day's file",
		() => {
			mkdirSync(usageDir, { recursive: true });
			symlinkSync("/dev/null", file());
		},
		/symbolic link.*Move it away/,
	],
	[
		"a file as the suite's folder",
		() => writeFileSync(join(agentDir, "session-suite"), ""),
		/in the way|move that away/i,
	],
	[
		"a file as the usage folder",
		() => {
			mkdirSync(join(agentDir, "session-suite"));
			writeFileSync(usageDir, "");
		},
		/in the way|move that away/i,
	],
	[
		"a file that is too large to be counted",
		() => {
			mkdirSync(usageDir, { recursive: true });
			writeFileSync(file(), Buffer.alloc(9 * 1024 * 1024));
		},
		/too large.*Move it away/,
	],
];

describe("where calls cannot be counted", () => {
	it.each(IN_THE_WAY)(
		"%s: no automatic call, a typed one, and one line that says what to do",
		(_, place, words) => {
			place();
			const ledger = ledgerAt(NOON);
			const refused = ledger.reserve(CALL, 10);
			expect(refused).toMatchObject({ ok: false, reason: "uncounted" });
			const problem = ledger.problem();
			expect(problem).toBeDefined();
			if (problem) expect(describeProblem(problem)).toMatch(words);
			if (!refused.ok && refused.reason === "uncounted") {
				expect(describeProblem(refused.problem)).toContain(join(agentDir, "session-suite"));
				expect(describeProblem(refused.problem)).not.toContain("\n");
			}
			const typed = ledger.reserve(CALL);
			expect(typed).toMatchObject({ ok: true, booking: { problem: { path: file() } } });
			if (typed.ok) typed.booking.settle(DONE);
			expect(ledger.dayTotal()).toMatchObject({ calls: 1, cost: 0.125 });
		},
	);

	it("says nothing where nothing is wrong, and leaves nothing behind by looking", () => {
		expect(ledgerAt(NOON).problem()).toBeUndefined();
		expect(readdirSync(agentDir)).toEqual([]);
	});

	it.each<[string, () => string]>([
		["the day's file", () => file()],
		["the usage folder", () => usageDir],
		["the suite's folder", () => join(agentDir, "session-suite")],
	])("%s that belongs to another user, as after a sudo", (_, which) => {
		call(ledgerAt(NOON));
		chmodSync(agentDir, 0o755);
		for (const path of [join(agentDir, "session-suite"), usageDir, file()]) chmodSync(path, 0o777);
		chmodSync(which(), 0);
		const program = join(import.meta.dirname, "../../test/support/try-reserving.ts");
		const runner = join(import.meta.dirname, "../../scripts/run.mjs");
		const args = [runner, program, agentDir, String(NOON)];
		// Nothing is closed to the superuser, who becomes nobody for this.
		const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
		const found = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", ...nobody }));
		chmodSync(which(), 0o777);
		const remedy = `sudo chown -R "$USER" "${join(agentDir, "session-suite")}"`;
		expect(found.refused).toContain(remedy);
		expect(found.checked).toContain(remedy);
		expect(found.typed).toBe(true);
	});

	it("names the command that gives the folder back after a sudo", () => {
		const detail = "Error: EACCES: permission denied, open '…'";
		expect(describeProblem({ path: file(), reason: "unreadable", detail })).toBe(
			`${file()} cannot be read. Make it yours again: sudo chown -R "$USER" "${join(agentDir, "session-suite")}"`,
		);
	});
});

describe("a damaged file", () => {
	it("torn, foreign and empty lines are passed over; a line glued to a torn one counts once", () => {
		const ledger = ledgerAt(NOON);
		call(ledger);
		appendFileSync(file(), '\n\nnull\n[1]\n{"at":1}\nnot json\n{"at":1,"session":"s1","input":1');
		call(ledger);
		expect(ledger.dayTotal().calls).toBe(2);
	});
});

describe("old files", () => {
	it("go after 90 days with the first call of a process; strangers stay", () => {
		mkdirSync(usageDir, { recursive: true });
		for (const name of ["2026-02-01.jsonl", "2026-03-01.jsonl", "notes.txt"])
			writeFileSync(join(usageDir, name), "");
		const ledger = ledgerAt(NOON);
		call(ledger);
		expect(readdirSync(usageDir).sort()).toEqual(["2026-03-01.jsonl", "2026-05-17.jsonl", "notes.txt"]);
		writeFileSync(join(usageDir, "2026-02-01.jsonl"), "");
		call(ledger);
		expect(readdirSync(usageDir)).toContain("2026-02-01.jsonl");
	});
});

describe("several processes", () => {
	const PROCESSES = 4;

	const start = (session: string, ...more: string[]) => {
		const program = join(import.meta.dirname, "../../test/support/append-usage.ts");
		const runner = join(import.meta.dirname, "../../scripts/run.mjs");
		const child = spawn(process.execPath, [runner, program, agentDir, String(NOON), session, ...more], {
			stdio: "inherit",
		});
		return { child, end: new Promise((resolve) => child.once("exit", (code) => resolve(code))) };
	};
	const lines = () => readFileSync(file(), "utf8").trimEnd().split("\n");

	it("append at the same time, and every line is whole", async () => {
		const ends = Array.from({ length: PROCESSES }, (_, index) => start(`s${index}`, "100").end);
		expect(await Promise.all(ends)).toEqual(Array.from({ length: PROCESSES }, () => 0));
		expect(lines()).toHaveLength(PROCESSES * 100 * 2);
		for (const line of lines()) expect(JSON.parse(line)).toMatchObject({ feature: "recap", input: 1000 });
		const ledger = ledgerAt(NOON);
		expect(ledger.dayTotal()).toMatchObject({ calls: PROCESSES * 100, cost: PROCESSES * 100 * 0.125 });
		expect(ledger.sessionTotal("s3").calls).toBe(100);
	});

	it("never spend more than the limit together, also when they are killed in between", async () => {
		const limit = 10;
		for (let round = 0; round < 3; round++) {
			const running = Array.from({ length: PROCESSES }, (_, index) =>
				start(`r${round}s${index}`, "40", String(limit)),
			);
			const wrote = () => existsSync(file()) && lines().length > round * 30 + 20;
			while (!wrote() && running.some(({ child }) => child.exitCode === null)) {
				await new Promise((resolve) => setImmediate(resolve));
			}
			running[0]?.child.kill("SIGKILL");
			const codes = await Promise.all(running.map(({ end }) => end));
			expect(codes.slice(1)).toEqual(Array.from({ length: PROCESSES - 1 }, () => 0));
		}
		for (const line of lines()) expect(readUsageLine(line), line).toBeDefined();
		const { cost, calls } = ledgerAt(NOON).dayTotal();
		expect(cost).toBeLessThanOrEqual(limit);
		// All of it was used: a killed process holds back at most one call.
		expect(calls).toBeGreaterThanOrEqual(limit / 0.125 - 4);
	});
});
