import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Entry } from "../session-core/log/entry.ts";
import { readTimeline } from "../session-core/log/timeline/timeline.ts";
import type { Timeline } from "../session-core/log/timeline/turn.ts";
import { estimateTokens } from "../session-core/text/words.ts";
import { session } from "../test/host/fixtures.ts";
import { titleSystemPrompt } from "./ask.ts";
import { readingOf } from "./reading.ts";

function timelineOf(build: ReturnType<typeof session>): Timeline {
	const [, ...entries] = build
		.build()
		.trimEnd()
		.split("\n")
		.map((line): Entry => JSON.parse(line));
	return readTimeline({ entries }, { cwd: "/project" });
}

const promptOf = (build: ReturnType<typeof session>) => readingOf(timelineOf(build)).prompt();

test.each([
	["hi", false],
	["https://example.com/issues/12", false],
	["see https://example.com/issues/12 please", true],
	["/unknown-command do it now", false],
	["/unknown-command do it\nand fix the login", true],
	["/src/auth/login.ts redirects forever", true],
	["fix the login", true],
])("the prompt %j may state a topic: %s", (prompt, mayState) => {
	expect(readingOf(timelineOf(session().user(prompt).assistant("ok"))).hasTopic).toBe(mayState);
});

describe("a title is made from", () => {
	test("the task, the newest dialogue, commit and files, fenced and followed by the instruction", () => {
		const prompt = promptOf(
			session()
				.user("the login page redirects forever after the token expires")
				.edit("/project/src/auth/login.ts", "a", "b")
				.bash("git commit -qam x", "[main 1a2b3c4] fix(auth): Store the refresh token")
				.assistant("The refresh token was never stored.")
				.user("ok")
				.assistant("Anything else?")
				.user("now add a regression test for the expired token")
				.assistant("Added one."),
		);
		expect(prompt).toMatch(/^<(session-[a-z]{16})>\n[\s\S]*\n<\/\1>\n\nTitle this session now\. Write in/);
		for (const line of [
			"Began with: the login page redirects forever after the token expires",
			"Task: now add a regression test for the expired token",
			"Recorded as: Store the refresh token",
			"Agent: Added one.",
			"Files: auth/login.ts",
		])
			expect(prompt).toContain(line);
		expect(prompt).not.toContain("User: ok");
	});

	test("at most 600 tokens, including the system prompt, for any session", () => {
		const text = fc.oneof(
			fc.string({ unit: "grapheme", maxLength: 3_000 }),
			fc.constantFrom("한국어 ".repeat(900), "登录".repeat(2_000), "🚀".repeat(3_000), "word ".repeat(5_000)),
		);
		const fixed = estimateTokens(titleSystemPrompt("title"));
		fc.assert(
			fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 8 }), (turns) => {
				const build = session();
				for (const [request, reply] of turns)
					build
						.user(request)
						.write(`/project/${request.slice(0, 200)}`, "x")
						.assistant(reply);
				const prompt = promptOf(build);
				expect(fixed + estimateTokens(prompt)).toBeLessThanOrEqual(600);
				expect(prompt.isWellFormed()).toBe(true);
			}),
			{ numRuns: 40 },
		);
	});
});

test("the language is that of the user's own messages, which the model sees", () => {
	const prompt = promptOf(session().user("로그인 페이지가 계속 리다이렉트돼").assistant("Here it is."));
	expect(prompt).toContain("Write in the language of the user's own messages.");
});
