import { describe, expect, test } from "vitest";
import { type Answerer, fail, runHost, say, testOnce, yesterdaySession } from "./host/index.ts";

const RECAP = say("<recap>Fixing src/parse-date.js; the tests have not run since the last edit.</recap>");

function run(command: string, answers: Record<string, Answerer> = {}) {
	return runHost(["-c", "-p", command], {
		sessions: [yesterdaySession],
		script: (model) => {
			for (const [kind, answer] of Object.entries(answers)) model.always(kind, answer);
		},
	});
}

describe("in print mode a command answers on stderr", () => {
	test("/recap: the exit status is 0", async () => {
		const { code, stderr, stdout, requests } = await run("/recap", { recap: RECAP });
		expect(stderr).toMatch(/✦ recap\nFixing src\/parse-date\.js; the tests have not run/);
		expect(stdout).not.toContain("Fixing");
		expect(code).toBe(0);
		expect(requests).toHaveLength(1);
	});

	testOnce.each<[string, Record<string, Answerer>, RegExp]>([
		[
			"/rename --auto",
			{ title: fail(402, "no credit left") },
			/\(402: no credit left\).* The name is unchanged/,
		],
		["/recap-card", {}, /\/recap-card needs a user, so it cannot run in print or JSON mode/],
	])("%s: on failure the exit status is 1", async (command, answers, words) => {
		const { code, stderr } = await run(command, answers);
		expect(stderr).toMatch(words);
		expect(code).toBe(1);
	});
});
