import { beforeEach, expect, onTestFinished, test } from "vitest";
import { SessionText, START, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { sinceTime, untilTime } from "../../session-core/sessions/search/since.ts";
import { Shell } from "../shell.test-support.ts";

const folder = useTemporaryFolder();
/** The current time in these tests: three hours after the sessions started. */
const NOW = START + 3 * 3_600_000;
const shell = new Shell(folder);
const session = (id: string, cwd = shell.cwd) => new SessionText({ id, cwd });
beforeEach(() => {
	const fixed = (text: SessionText) => text.user("Fix the date parser").assistant("Fixed it.");
	shell.session("one", fixed(session("1111aaaa")));
	shell.session("two", fixed(session("2222aaaa", "/elsewhere")).name("<b>Queue</b>"), "/elsewhere");
});
const today = async (words: string) => (await shell.run(`today ${words}`, { now: () => NOW })).out;

test("lists what each session of this project did, or of all projects, also in Markdown", async () => {
	const here = await today("--since 4h");
	expect(here).toMatch(/^Fix the date parser\n12:00\n[\s\S]*Fixed it\./);
	expect(here).not.toContain("Queue");
	expect(await today("--since=4h --all")).toMatch(/<b>Queue<\/b>\n\/elsewhere · /);
	const markdown = await today("--since 2d --all --markdown");
	expect(markdown).toMatch(/^# 2026-\d\d-\d\d – 2026-\d\d-\d\d\n[\s\S]*### \\<b>Queue\\<\/b>/);
});

test("does not describe a working session as interrupted or waiting", async () => {
	const sessionFile = shell.session("three", session("3333aaaa").user("Wait for the deploy"));
	expect(await today("--since 4h")).toMatch(/Wait for the deploy\n.*Interrupted during a run/);
	shell.open("3333aaaa", "working", sessionFile, NOW);
	const working = await today("--since 4h");
	expect(working).toContain("Wait for the deploy");
	expect(working).not.toContain("Interrupted");
});

test("goes back to --since, and suggests --all if there is nothing", async () => {
	const none = { code: 0, out: "", err: expect.stringContaining("--all") };
	expect(await shell.run("today --since 2h", { now: () => NOW })).toEqual(none);
	expect(await today("--since 2026-01-30")).toContain("Fixed it.");
});

test("prints the same with and without an index, even for a large session", async () => {
	const picture = { type: "image", data: "A".repeat(1_500_000), mimeType: "image/png" };
	const content = [{ type: "text", text: "Make the login page look like this picture" }, picture];
	const text = session("4444aaaa");
	text.entry("message", { message: { role: "user", content, timestamp: START } });
	shell.session("four", text.assistant("It does now. Shall I commit it?"));
	const first = await today("--since 4h");
	expect(first).toMatch(/login page.*\n.*Waiting for your answer/);
	expect(await today("--since 4h")).toEqual(first);
});

test("a date as the end of a period includes a day of 25 hours", () => {
	const zone = process.env["TZ"];
	onTestFinished(() => {
		if (zone === undefined) delete process.env["TZ"];
		else process.env["TZ"] = zone;
	});
	process.env["TZ"] = "America/New_York";
	const end = untilTime("2026-11-01", Date.UTC(2026, 11, 1));
	expect(end && new Date(end).toISOString()).toBe("2026-11-02T05:00:00.000Z");
});

test.each([
	["90m", NOW - 90 * 60_000],
	["2d", NOW - 2 * 86_400_000],
	["2026-01-30", new Date(2026, 0, 30).getTime()],
	["2026-02-30", undefined],
	["2027-01-01", undefined],
	["8", undefined],
	["yesterday", undefined],
])("--since %s", (text, time) => expect(sinceTime(text, NOW)).toBe(time));
