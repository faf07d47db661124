import { describe, expect, it } from "vitest";
import { digestOf, type Happening } from "../digest/log.test-support.ts";
import { heuristicRecap } from "./heuristic.ts";
import type { Recap } from "./record.ts";
import { recapLines, recapText } from "./text.ts";
import { closingThought, wholeThought } from "./wording.ts";

const STAMP = { id: "r1", subjectId: "s1", createdAt: 7 };
const ASK: Happening = { user: "ok, make the parser in src accept trailing commas. and tell me how" };
const EDIT: Happening = { tool: "edit", args: { path: "/code/app/src/parser.ts" }, diff: "+ 1 a" };

function recapOf(...happenings: Happening[]): Recap {
	return heuristicRecap(digestOf(happenings, { cwd: "/code/app" }), STAMP);
}

describe("heuristicRecap", () => {
	it("fills the record: the user's words, the reply's facts, what the log shows", () => {
		const recap = recapOf(
			ASK,
			EDIT,
			{ bash: "cd /code/app && npm test", out: "12 passed" },
			{ bash: "git commit -am x", out: "[main 1a2b3c4] Accept trailing commas in arrays" },
			{
				says: "Done. `parseArray()` in `src/parser.ts` skips a comma before `]`.\n\nShould I do the same for objects?",
			},
		);
		expect(recap).toEqual({
			id: "r1",
			kind: "session",
			subject_id: "s1",
			generator: { type: "heuristic" },
			headline: "make the parser in src accept trailing commas",
			bullets: [
				"parseArray() in src/parser.ts skips a comma before ].",
				"Committed: Accept trailing commas in arrays",
				"Passed: npm test",
			],
			next_actions: ["Should I do the same for objects?"],
			artifacts: [
				{ kind: "commit", label: "Accept trailing commas in arrays", locator: "1a2b3c4" },
				{ kind: "file", label: "parser.ts", locator: "src/parser.ts" },
			],
			outcome: "waiting",
			checks: "passed",
			resume_hint: { seed_instruction: "Should I do the same for objects?" },
			last_message_id: "e7",
			created_at: 7,
		});
	});

	it("says why it failed, and what usually helps", () => {
		const error = '{"detail":"The model x-1 is not supported here."}';
		const recap = recapOf(ASK, { says: "", stop: "error", error });
		expect(recap.bullets).toEqual(["Error: The model x-1 is not supported here."]);
		expect(recap.next_actions).toEqual(["Choose another model and resend the prompt"]);
		expect(recapLines(recap)).toEqual([
			"make the parser in src accept trailing commas",
			"Failed: The model x-1 is not supported here.",
			"Next: Choose another model and resend the prompt",
		]);
	});

	it("says that a run was aborted, where it was, and nothing that it only meant to do", () => {
		const recap = recapOf(
			ASK,
			EDIT,
			{ says: "The lexer drops the token. Let me rewrite the number lexer:", stop: "toolUse" },
			{ says: "", stop: "aborted" },
		);
		expect(recap.outcome).toBe("aborted");
		expect(recap.next_actions).toEqual(["Continue: rewrite the number lexer"]);
		expect(recapText(recap)).toContain("Aborted · not checked since the last edit");
		expect(recap.bullets.join("\n")).not.toMatch(/Let me/);
	});

	it("does not repeat a claim that the log contradicts", () => {
		const recap = recapOf(
			ASK,
			EDIT,
			{ bash: "npm test", out: "2 failed", fails: true },
			{ says: "All 12 tests in `parser.test.ts` pass now. I pushed `main` to origin." },
		);
		expect(recap.checks).toBe("failed");
		expect(recapText(recap)).not.toMatch(/pass now|pushed/);
		expect(recap.bullets).toEqual(["Failed: npm test — 2 failed"]);
		expect(recap.next_actions).toEqual(["Get npm test to pass"]);
	});

	it("shows a page that only stood in some output where somebody speaks of it", () => {
		const log = { bash: "git log -1", out: "1a2b3c4 See https://github.com/o/r/pull/206" };
		const artifacts = (says: string) =>
			recapOf(ASK, EDIT, log, { says }).artifacts.map(({ locator }) => locator);
		expect(artifacts("Done.")).not.toContain("https://github.com/o/r/pull/206");
		expect(artifacts("Done, as in #206.")).toContain("https://github.com/o/r/pull/206");
	});

	it("tells a long answer by its conclusion, and not by where it was read", () => {
		const findings = Array.from(
			{ length: 8 },
			(_, n) => `- Parser v${n}.2 reads src/file_${n}.ts in ${n + 2}0 ms`,
		);
		const says = [
			"## Survey of parsers",
			...findings,
			"",
			"## Conclusion",
			"No parser here accepts trailing commas without a plugin.",
			"",
			"Sources: https://example.com/parsers/v2.1, docs/parsers.md",
		].join("\n");
		const bullets = recapOf({ user: "which parser in src accepts trailing commas?" }, { says }).bullets;
		expect(bullets).toContain("No parser here accepts trailing commas without a plugin.");
		expect(bullets.join()).not.toContain("Sources");
	});

	it("says first what to run again where an abort cut a check short", () => {
		const recap = recapOf(
			ASK,
			EDIT,
			{ bash: "cd /code/app && npm test", aborted: true },
			{ says: "", stop: "aborted" },
		);
		expect(recap.next_actions[0]).toBe("Run npm test again");
	});

	it("reports no guess that the run refuted on its way", () => {
		const read: Happening = { tool: "read", args: { path: "src/server.ts" }, out: "…" };
		const { bullets } = recapOf(
			ASK,
			{ says: "The CORS header must be missing in src/server.ts.", stop: "toolUse" },
			read,
			{
				says: "It is neither: Safari drops the stream body, so src/parser.ts must buffer it.",
				stop: "toolUse",
			},
			EDIT,
			{ says: "Fixed." },
		);
		expect(bullets.join("\n")).not.toContain("CORS");
	});

	it.each([
		"[2025-01-03 10:00:01] INFO worker started on queue mail",
		"Jan 03 10:00:09 web-1 worker[212]: lost the connection to redis",
		'"error_description": "the connection to redis was lost"',
		"Caused by: java.net.SocketException: connection to redis lost",
	])("takes no pasted line for the task: %s", (line) => {
		const user = `${line}\nthe worker loses redis every night, find the reason`;
		const says = "The worker loses redis because the connection idles; a keep-alive helps.";
		expect(recapOf({ user }, EDIT, { says }).headline).toMatch(/loses redis every night|find the reason/);
	});

	it("takes a command's own words for what it does, not those of a message in it", () => {
		const failing = (bash: string) => recapOf(ASK, { bash, fails: true }, { says: "Done." }).bullets.join();
		expect(failing("gh release upload v1 app.zip")).toMatch(/Failed: gh release upload/);
		expect(failing('bd create "Release video, then merge"')).not.toMatch(/Failed/);
	});

	it("keeps to the user's language", () => {
		const recap = recapOf({ user: "파서가 마지막 쉼표를 허용하도록 고쳐줘" }, EDIT, {
			says: "완료했습니다.\n\n- `parseArray()`가 `]` 앞의 쉼표를 건너뜁니다\n\n## 다음 단계\n- 객체도 똑같이 처리\n\n객체도 고칠까요?",
		});
		expect(recap.headline).toBe("파서가 마지막 쉼표를 허용하도록 고쳐줘");
		expect(recap.bullets).toContain("parseArray()가 ] 앞의 쉼표를 건너뜁니다");
		expect(recap.next_actions).toEqual(["객체도 고칠까요?", "객체도 똑같이 처리"]);
	});

	it("redacts and cleans whatever it shows", () => {
		const recap = recapOf(
			{ user: `use key sk-ant-api03-${"A".repeat(40)}\u202e for the parser now` },
			{ says: "ok" },
		);
		expect(JSON.stringify(recap)).not.toMatch(/api03|\u202e/);
	});

	it("names the model to come back to, and the folder", () => {
		const recap = heuristicRecap(digestOf([ASK, { says: "Which one?" }]), {
			...STAMP,
			kind: "job",
			cwd: "/code/app",
			model: { provider: "p", model: "m" },
		});
		expect(recap.kind).toBe("job");
		expect(recap.resume_hint).toEqual({ seed_instruction: "Which one?", provider: "p", model: "m" });
		expect(recap.workspace).toEqual({ cwd: "/code/app" });
	});
});

describe("what a cut would turn round", () => {
	const long = "The old columns of the invoices table can be dropped right away in production";
	it.each([
		`${long}, unless the nightly export of the partner still reads them`,
		`${long}, but only after the partner has confirmed it in writing`,
		`${long}, excepto las que lee el socio cada noche`,
		"发票表里的旧列可以马上从生产环境的数据库里删除，但是要先等合作伙伴每天夜里的导出任务全部迁移到新的接口并且确认无误之后才行",
		`${long} (not those of the partner, which the nightly export still reads)`,
	])("%s", (text) => {
		expect(wholeThought(text, 100)).toBeUndefined();
	});

	it("is left out of the card, and a list keeps the heading that reverses it", () => {
		const { bullets } = recapOf(ASK, EDIT, {
			says: "The importer takes a `delimiter` option.\n\n**Not supported:**\n- Quoted newlines in `src/parser.ts`",
		});
		expect(bullets.join("\n")).toContain("Not supported: Quoted newlines in src/parser.ts");
	});
});

describe("wholeThought", () => {
	it.each([
		["short enough stays", "A short line.", 40, "A short line."],
		[
			"parentheses go first",
			"Adds a watcher (with a debounce of 100 ms) to themes",
			40,
			"Adds a watcher to themes",
		],
		[
			"then what stands behind the last boundary",
			"Reads the head and the tail, caches both, and paints the first rows",
			46,
			"Reads the head and the tail, caches both",
		],
		[
			"a path is never cut",
			"Moved packages/coding-agent/src/modes/interactive/interactive-mode.ts",
			30,
			undefined,
		],
		[
			"a bracket is never left open",
			"Uses [head, tail, and the middle of the file as well] as its cache",
			24,
			undefined,
		],
	])("%s", (_, text, columns, expected) => {
		expect(wholeThought(text, columns)).toBe(expected);
	});

	it("keeps the end of a question", () => {
		expect(closingThought("Given all that has been said so far, should I go on with the parser?", 44)).toBe(
			"should I go on with the parser?",
		);
	});
});
