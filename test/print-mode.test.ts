import { describe, expect, test } from "vitest";
import { type Answerer, fail, say, useTool } from "./host/answer.ts";
import { runHost } from "./host/run-host.ts";
import { yesterdaySession } from "./host/yesterday-session.ts";

const RECAP = say("<recap>Fixing src/parse-date.js; the tests have not run since the last edit.</recap>");
const TITLE = useTool("set_session_title", { title: "Reject invalid days" });

/** `pi -c -p <command>` on yesterday's session. */
function run(command: string, answers: Record<string, Answerer> = {}) {
	return runHost(["-c", "-p", command], {
		sessions: [yesterdaySession],
		script: (model) => {
			for (const [kind, answer] of Object.entries(answers)) model.always(kind, answer);
		},
	});
}

describe("in print mode a command answers on stderr", () => {
	test.each<[string, Record<string, Answerer>, RegExp]>([
		["/recap", { recap: RECAP }, /✦ recap\nFixing src\/parse-date\.js; the tests have not run/],
		["/rename --auto", { title: TITLE }, /✎ Reject invalid days/],
	])("%s: the exit status is 0", async (command, answers, words) => {
		const { code, stderr, stdout, requests } = await run(command, answers);
		expect(stderr).toMatch(words);
		expect(stdout).not.toMatch(words);
		expect(code).toBe(0);
		expect(requests).toHaveLength(Object.keys(answers).length);
	});

	test.each<[string, Record<string, Answerer>, RegExp]>([
		["/recap frobnicate", {}, /unknown argument "frobnicate"/],
		[
			"/rename --auto",
			{ title: fail(402, "no credit left") },
			/\(402: no credit left\).* The name is unchanged/,
		],
		["/recap-card", {}, /\/recap-card needs a user in front of pi/],
	])("%s: on failure the exit status is 1", async (command, answers, words) => {
		const { code, stderr } = await run(command, answers);
		expect(stderr).toMatch(words);
		expect(code).toBe(1);
	});
});
