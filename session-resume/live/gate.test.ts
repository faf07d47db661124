import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { GoOutcome } from "../../session-core/live/go-to-terminal.ts";
import type { Lease } from "../../session-core/live/lease-files.ts";
import { useTemporaryFolder } from "../../session-core/session-file/session.test-support.ts";
import { askOnArrival, guardSwitch, mayFork } from "./gate.ts";
import { permits } from "./leases.ts";
import { obstacleToOpening } from "./obstacles.ts";
import { openElsewhereText } from "./writer-text.ts";

const LEASE: Lease = {
	instance: "0195a1b2-0000-4000-8000-000000004242",
	pid: 4242,
	sessionId: "0195-abc",
	state: "working",
	since: Date.now() - 120_000,
	host: hostname(),
};

/** A way to the other terminal that logs its use. */
function way(it: { log: string[] }, outcome: GoOutcome | undefined) {
	const go = async (): Promise<GoOutcome> => {
		it.log.push("gone there");
		return outcome ?? { ok: false, reason: "no_way", message: "" };
	};
	return { canGo: outcome !== undefined, go };
}
const WENT: GoOutcome = { ok: true, message: "Went to its tmux pane." };
const LOST: GoOutcome = { ok: false, reason: "no_way", message: "It is open in pid 4242." };

/** A user who picks the first choice with this word; undefined: Esc. `canRun`: the prompt takes commands. */
function user(word: string | undefined, canRun = true) {
	const log: string[] = [];
	const ui = {
		select: async (title: string, options: string[]) => {
			log.push(title);
			return word === undefined ? undefined : options.find((option) => option.includes(word));
		},
		notify: (text: string) => void log.push(text),
	};
	const prompt = {
		release: () => void log.push("released"),
		handOver: () => void log.push("handed over"),
		run: (command: string) => canRun && log.push(`run: ${command}`) > 0,
	};
	return { log, ui, prompt };
}

const GOES_ON = new AbortController().signal;
const guard = (it: ReturnType<typeof user>, outcome?: GoOutcome) =>
	guardSwitch(it.ui, it.prompt, { lease: LEASE, way: way(it, outcome), signal: GOES_ON });

interface Manner {
	calm?: boolean;
	signal?: AbortSignal;
	outcome?: GoOutcome;
}

function arrive(it: ReturnType<typeof user>, { calm = true, signal = GOES_ON, outcome }: Manner = {}) {
	const hold = () => it.prompt;
	const there = { lease: LEASE, way: way(it, outcome), sessionId: LEASE.sessionId };
	return askOnArrival({ ...there, ui: it.ui, hold, calm, signal });
}

describe("before the host opens a session that is live elsewhere", () => {
	test.each([
		["Fork", "fork", undefined],
		["Open", "open", "handed over"],
		["Cancel", "cancel", "released"],
		[undefined, "cancel", "released"],
	])("%s is %s", async (word, decision, prompt) => {
		const it = user(word);
		expect(await guard(it)).toBe(decision);
		expect(it.log[0]).toMatch(/another pi \(pid 4242, working for 2m\)/);
		expect(it.log[1]).toBe(prompt);
	});

	test("a fork is made after the hook", async () => {
		const it = user("Fork");
		await guard(it);
		expect(it.log).toHaveLength(1);
		await vi.waitFor(() => expect(it.log.at(-1)).toBe("run: /sessions --fork 0195-abc"));
	});

	test("switching there is the first choice if its terminal can be brought to the front, and else not offered", async () => {
		const it = user("");
		expect(await guard(it, WENT)).toBe("go");
		expect(it.log.slice(1)).toEqual(["released", "gone there", "Went to its tmux pane."]);
		expect(await guard(user(""))).toBe("fork");
	});
});

describe("at a start in a session that is live elsewhere", () => {
	test.each([
		["Fork", "run: /sessions --fork 0195-abc"],
		["Leave", "run: /new"],
	])("%s happens at once", async (word, line) => {
		const it = user(word);
		await arrive(it);
		expect(it.log.at(-1)).toBe(line);
	});

	test("this pi quits after switching there, but not if that failed", async () => {
		const it = user("");
		await arrive(it, { outcome: WENT });
		expect(it.log).toContain("run: /quit");
		const lost = user("");
		await arrive(lost, { outcome: LOST });
		expect(lost.log.slice(1)).toEqual(["gone there", "It is open in pid 4242.", "released"]);
	});

	test("staying changes nothing; Esc shows a hint", async () => {
		const stay = user("Stay");
		await arrive(stay);
		expect(stay.log.slice(1)).toEqual(["released"]);
		const leave = user(undefined);
		await arrive(leave);
		expect(leave.log.at(-1)).toMatch(/--fork 0195-abc continues in a fork/);
	});

	test("while the user types or the agent works, a line is shown instead of a dialog", async () => {
		const it = user("Fork");
		await arrive(it, { calm: false });
		expect(it.log).toEqual([`${openElsewhereText(LEASE)} /sessions --fork 0195-abc continues in a fork.`]);
	});
});

test("a permit holds for one opening, and can be withdrawn", () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	permits.allow("/a");
	expect(permits.has("/a")).toBe(true);
	permits.withdraw("/a");
	expect(permits.has("/a")).toBe(false);
	permits.allow("/b");
	vi.advanceTimersByTime(60_000);
	expect(permits.has("/b")).toBe(false);
});

const folder = useTemporaryFolder();

test("a session whose file is damaged, as after a full disk, is not forked by the host", async () => {
	const header = JSON.stringify({
		type: "session",
		version: 3,
		id: "s-1",
		timestamp: "2026-03-12",
		cwd: folder(),
	});
	const sound = `${header}\n${JSON.stringify({ type: "session_info", id: "a1", parentId: null, name: "x" })}\n`;
	const file = join(folder(), "s.jsonl");
	const messages: string[] = [];
	const ctx = {
		sessionManager: { getSessionFile: () => file, getSessionId: () => "s-1" },
		ui: { notify: (text: string) => messages.push(text) },
	} as unknown as ExtensionContext;
	writeFileSync(file, sound);
	expect(await mayFork(ctx)).toBe(true);
	writeFileSync(file, header.slice(0, 40) + sound);
	expect(await mayFork(ctx)).toBe(false);
	expect(messages).toEqual([
		expect.stringMatching(/damaged.*\/sessions --fork s-1 continues in a repaired copy/),
	]);
	expect(readFileSync(file, "utf8")).toBe(header.slice(0, 40) + sound);
});

test.each([
	["0.73.1", /too large for pi 0\.73\.1/],
	["0.78.0", /too large for pi 0\.78\.0/],
	["0.78.1", /damaged/],
	["0.87.1", /damaged/],
	["1.5.2", /damaged/],
])("whether pi %s opens a session over 512 MB", async (version, obstacle) => {
	const file = join(folder(), "s.jsonl");
	// The check ends at the damaged line, so the rest of the file, which takes no space on the disk, is not read.
	writeFileSync(file, '{"type":"session","version":3,"id":"s-1"}\n{"torn\n');
	truncateSync(file, 520 * 1024 * 1024);
	expect(await obstacleToOpening(file, version)).toMatch(obstacle);
});
