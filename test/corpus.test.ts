import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestBranch } from "../session-core/digest/digest.ts";
import { RENDER_BOUND, renderDigest } from "../session-core/digest/render.ts";
import type { Digest } from "../session-core/digest/types.ts";
import { heuristicRecap } from "../session-core/recap/heuristic.ts";
import { recapText } from "../session-core/recap/text.ts";
import { walkBranch } from "../session-core/session/branch.ts";
import { hostSource } from "../session-core/session/host-source.ts";
import { displayWidth } from "../session-core/text/clip.ts";

const corpus = fileURLToPath(new URL("../../shared/sessions", import.meta.url));
const files = existsSync(corpus)
	? readdirSync(corpus, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"))
	: [];

/** What a few notable points must come to. */
interface Notable {
	file: string;
	line: number;
	why: string;
	expected: Partial<Pick<Digest, "outcome" | "checks" | "endReason" | "uncommitted" | "messages">>;
	task: string;
	headline?: string;
	commit?: string;
	links?: string[];
	files?: string[];
}

const NOTABLE: Notable[] = [
	{
		file: "badlogic-pi-mono/before-compaction.jsonl",
		line: 293,
		why: "version 1; the last edit ticked a box, and the commit's hook checked it",
		expected: { outcome: "waiting", checks: "passed" },
		task: "alright, read @packages/coding-agent/src/main.ts",
		headline: "code sharing between the different run modes (print/json, rpc, interactive)",
		commit: "7890fb8",
		files: ["packages/coding-agent/docs/refactor.md", "packages/coding-agent/src/modes/index.ts"],
	},
	{
		file: "badlogic-pi-mono/before-compaction.jsonl",
		line: 459,
		why: "aborted behind an edit that followed a failed check",
		expected: { outcome: "aborted", checks: "not_run", endReason: "Request was aborted." },
		task: "alright, read @packages/coding-agent/src/main.ts",
		headline: "Refactor coding-agent to eliminate code duplication between three run modes",
	},
	{
		file: "badlogic-pi-mono/before-compaction.jsonl",
		line: 848,
		why: "a provider's error behind a greeting",
		expected: { outcome: "error", checks: "passed" },
		task: "alright, let's tackle main-new.ts.",
		commit: "0c1a9c3",
	},
	{
		file: "badlogic-pi-mono/before-compaction.jsonl",
		line: 1001,
		why: "side questions behind finished work",
		expected: { outcome: "done", checks: "passed" },
		task: "continue investigate give me a root cause analysis",
		headline: "Show pending bash executions in pending area, move to chat on user submit",
		commit: "803d4b6",
	},
	{
		file: "badlogic-pi-mono/large-session.jsonl",
		line: 33,
		why: "a stream that broke before any edit of it was applied",
		expected: { outcome: "error", endReason: "terminated", checks: "none" },
		task: "alright, i think there's only one file left to fix up, tui-renderer.ts",
		headline: "only one file left to fix up, tui-renderer.ts",
	},
	{
		file: "badlogic-pi-mono/large-session.jsonl",
		line: 1019,
		why: "committed and pushed, but the build and the publishing failed",
		expected: { outcome: "done", checks: "failed" },
		task: "ok, i believe we are ready to release",
		commit: "45ffe0a",
	},
	{
		file: "badlogic-pi-mono/session.jsonl",
		line: 459,
		why: "line 440 holds two objects; git status shows one file that is not committed",
		expected: { outcome: "aborted", uncommitted: ["packages/coding-agent/src/core/agent-session.ts"] },
		task: "we should probably reference existing skill",
	},
	{
		file: "ingo-eichhorst-Irrlicht/01-example-session.jsonl",
		line: 285,
		why: "some checks passed, one failed, then aborted without a word",
		expected: { outcome: "aborted", checks: "failed" },
		task: "analyse codebase for issues",
		headline: "analyse codebase for issues",
	},
	{
		file: "ingo-eichhorst-Irrlicht/01-example-session.jsonl",
		line: 614,
		why: "the abandoned branch, on which issues were created, is not this one",
		expected: { outcome: "aborted", checks: "none" },
		task: "create a github issue to update the images",
	},
	{
		file: "ingo-eichhorst-Irrlicht/2-14_turn-aborted-by-error.jsonl",
		line: 5,
		why: "an error in JSON",
		expected: {
			outcome: "error",
			endReason:
				"The 'irrlicht-turn-abort-unsupported-model' model is not supported when using Codex with a ChatGPT account.",
		},
		task: "Reply with exactly the word: ok",
	},
	{
		file: "ingo-eichhorst-Irrlicht/1-6_checkpoint-rewind.jsonl",
		line: 9,
		why: "rewound: four of six messages are on the branch",
		expected: { outcome: "done", messages: 4 },
		task: "Reply with exactly the word: one",
	},
	{
		file: "ingo-eichhorst-Irrlicht/4-1_multiple-sessions-same-cwd.jsonl",
		line: 16,
		why: "a second header: what stands above it is another session's",
		expected: { outcome: "done", messages: 4 },
		task: "Reply with exactly the word: bravo",
	},
	{
		file: "letta-ai-trajectory/cleanup.jsonl",
		line: 9,
		why: "a torn line, and a last entry without an id",
		expected: { outcome: "waiting", messages: 5 },
		task: "Summarize the screenshot I attached.",
	},
	{
		file: "pinion05-agent-complex-task/03-raddit.jsonl",
		line: 365,
		why: "Korean; the issue's number was closed by hand after the merge",
		expected: { outcome: "done", checks: "passed" },
		task: "이슈등록 : 차트 봉 단위를",
		headline: "봉 간격 전환 시 오버레이로 인한 가격 스케일 찌그러짐 수정",
		links: [
			"https://github.com/qkrehgus714/raddit/pull/50",
			"https://github.com/qkrehgus714/raddit/issues/49",
		],
	},
	{
		file: "pinion05-agent-complex-task/04-awesome.jsonl",
		line: 146,
		why: "an orphan cuts the chain of parents: the whole log counts",
		expected: { outcome: "done" },
		task: "서브에이전트로 팩트체크돌리고 반영까지",
		commit: "6a29cd9",
	},
];

describe.skipIf(files.length === 0)("real sessions", () => {
	let folder = "";
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), "corpus-"));
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	/** The digest of a copy cut at a line; the host rewrites old versions when it opens them. */
	function digestAt(file: string, line = Number.MAX_SAFE_INTEGER): Digest {
		const lines = readFileSync(join(corpus, file), "utf8").split("\n").slice(0, line);
		const copy = join(folder, `${line}-${basename(file)}`);
		writeFileSync(copy, `${lines.join("\n")}\n`);
		const manager = SessionManager.open(copy);
		return digestBranch(walkBranch(hostSource(manager)), { cwd: manager.getCwd() });
	}

	it.each(files)("%s has a bounded digest and a card of the promised shape", (file) => {
		const digest = digestAt(file);
		expect(renderDigest(digest).length).toBeLessThanOrEqual(RENDER_BOUND);
		const recap = heuristicRecap(digest, { id: "1", subjectId: "2", createdAt: 3 });
		const text = recapText(recap);
		expect(text.length).toBeLessThanOrEqual(700);
		expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
		expect(displayWidth(recap.headline)).toBeLessThanOrEqual(80);
		expect(recap.headline).not.toMatch(/[.,;:!?。？]$/);
		for (const line of [...recap.bullets, ...recap.next_actions])
			expect(displayWidth(line)).toBeLessThanOrEqual(100);
	});

	it.each(NOTABLE)("$file:$line: $why", ({ file, line, ...notable }) => {
		const { expected, task, headline, commit, links, files: changed } = notable;
		const digest = digestAt(file, line);
		expect(digest).toMatchObject(expected);
		if (headline) {
			expect(heuristicRecap(digest, { id: "1", subjectId: "2", createdAt: 3 }).headline).toBe(headline);
		}
		expect(digest.task).toSatisfy((text: string) => text.startsWith(task));
		if (commit) expect(digest.links.map((link) => link.locator)).toContain(commit);
		for (const link of links ?? []) expect(digest.links.map(({ locator }) => locator)).toContain(link);
		for (const path of changed ?? []) expect(digest.files.map((change) => change.path)).toContain(path);
	});

	it("is nothing where the file is no session", () => {
		const digest = digestAt("mattpocock-sandcastle/stream-stdout.jsonl");
		expect(digest).toMatchObject({ task: undefined, messages: 0, outcome: "done", checks: "none" });
	});
});
