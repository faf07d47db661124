import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import type { GoOutcome } from "../../session-core/sessions/live/go-to-terminal.ts";
import type { Lease } from "../../session-core/sessions/live/lease-files.ts";
import { askAboutLease, greet, mayFork, OPENING, STARTED } from "./gate.ts";
import { describeWriter, openInText, permits } from "./leases.ts";

const LEASE: Lease = {
	instance: "0195a1b2-0000-4000-8000-000000004242",
	pid: 4242,
	sessionId: "0195-abc",
	state: "working",
	since: Date.now() - 120_000,
	host: hostname(),
};

const goes = (it: { log: string[] }, outcome: GoOutcome) => async () => {
	it.log.push("gone there");
	return outcome;
};
const WENT: GoOutcome = { ok: true, message: "Went to its tmux pane." };
const LOST: GoOutcome = { ok: false, reason: "no_way", message: "It is open in pid 4242." };

/**
 * A user who answers each dialog with the first choice that contains the next of these words, and with
 * Esc when no words are left. `canRun`: whether a command can be typed for the user.
 */
function user(words: string | undefined, canRun = true) {
	const log: string[] = [];
	const say = (text: string) => void log.push(text);
	const left = words?.split(", ") ?? [];
	const select = async (title: string, options: string[]) => {
		say(title);
		const word = left.shift();
		return word === undefined ? undefined : options.find((option) => option.includes(word));
	};
	const prompt = {
		release: () => say("released"),
		handOver: () => say("handed over"),
		run: (command: string) => canRun && log.push(`run: ${command}`) > 0,
	};
	return { log, ui: { select, notify: say }, prompt };
}

const GOES_ON = new AbortController().signal;
const ask = (choices: typeof OPENING, it: ReturnType<typeof user>, outcome?: GoOutcome) =>
	askAboutLease(choices, {
		...it,
		lease: LEASE,
		go: outcome && goes(it, outcome),
		signal: GOES_ON,
		...(choices === STARTED && { dismissed: "fresh" }),
	});

describe("a session that is live elsewhere", () => {
	test.each([
		["Open", undefined, "open", ["handed over"]],
		["Cancel", undefined, "cancel", ["released"]],
		[undefined, undefined, undefined, ["released"]],
		["Fork", undefined, "fork", ["run: /sessions --fork 0195-abc"]],
		// The first choice, if the other terminal can be brought to the front or not.
		["", WENT, "go", ["gone there", "Went to its tmux pane.", "released"]],
		["", undefined, "fork", ["run: /sessions --fork 0195-abc"]],
	])("before the host opens it: %s (%j) is %s", async (word, outcome, answer, lines) => {
		const it = user(word);
		expect(await ask(OPENING, it, outcome)).toBe(answer);
		expect(it.log[0]).toMatch(/another pi process \(pid 4242, working for 2m\)/);
		// The fork is created only after the hook has returned.
		if (answer === "fork") expect(it.log).toHaveLength(1);
		await vi.waitFor(() => expect(it.log.slice(1)).toEqual(lines));
	});

	test.each([
		["Leave", true, undefined, ["run: /new"]],
		// Esc also leaves the session, because it must not stay open twice.
		[undefined, true, undefined, ["run: /new"]],
		["Leave", false, undefined, ["Type /new: it starts a new session."]],
		["Stay", true, undefined, ["released"]],
		["Go", true, WENT, ["gone there", "Went to its tmux pane.", "run: /quit"]],
		["Go, Quit", true, LOST, ["gone there", "It is open in pid 4242.", "run: /quit"]],
		["Go, Stay", true, LOST, ["gone there", "It is open in pid 4242.", "released"]],
	])("if pi was started with the session: %s (commands: %s)", async (word, canRun, outcome, lines) => {
		const it = user(word, canRun);
		const onExit = vi.spyOn(process, "once").mockReturnValue(process);
		onTestFinished(() => onExit.mockRestore());
		await ask(STARTED, it, outcome);
		expect(it.log.slice(1)).toEqual(lines);
		// How to reach the other terminal is printed once pi has quit.
		expect(onExit.mock.calls.map(([event]) => event)).toEqual(word === "Go, Quit" ? ["exit"] : []);
	});

	test("if pi was started with the session and the editor contains text, a message names the command instead of a dialog", async () => {
		const it = user(undefined);
		const ui = { ...it.ui, setWidget: () => undefined, getEditorText: () => "typing" };
		const ctx = { mode: "tui", isIdle: () => true, sessionManager: { getSessionId: () => "0195-abc" }, ui };
		await greet(ctx as unknown as ExtensionContext, LEASE, GOES_ON);
		expect(it.log).toEqual([
			`${openInText(describeWriter(LEASE))} /sessions --fork 0195-abc continues in a fork.`,
		]);
	});
});

test("a permit expires", () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	permits.allow("/a");
	expect(permits.has("/a")).toBe(true);
	vi.advanceTimersByTime(60_000);
	expect(permits.has("/a")).toBe(false);
});

const folder = useTemporaryFolder();

test("a session whose file is damaged, as after a full disk, is not forked by the host", async () => {
	const sound = new SessionText({ id: "s-1", cwd: folder() }).name("x").toString();
	const file = join(folder(), "s.jsonl");
	const messages: string[] = [];
	const ctx = {
		sessionManager: { getSessionFile: () => file, getSessionId: () => "s-1" },
		ui: { notify: (text: string) => messages.push(text) },
	} as unknown as ExtensionContext;
	writeFileSync(file, sound);
	expect(await mayFork(ctx)).toBe(true);
	const damaged = sound.slice(0, 40) + sound;
	writeFileSync(file, damaged);
	expect(await mayFork(ctx)).toBe(false);
	expect(messages.join()).toMatch(/damaged.*\/sessions --fork s-1 continues in a repaired copy/);
	expect(readFileSync(file, "utf8")).toBe(damaged);
});
