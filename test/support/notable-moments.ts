/** Moments of the corpus that are notable for one reason each, and the facts that must come of them. */
import type { Timeline } from "../../session-core/timeline/types.ts";

export interface NotableMoment {
	file: string;
	line: number;
	why: string;
	expected: Partial<Pick<Timeline, "outcome" | "endReason" | "uncommitted" | "messages">>;
	/** How the newest request begins. */
	request: string;
	headline?: string;
	/** Locators of commits and pages. */
	links?: string[];
	/** No locator is like this. */
	absent?: RegExp;
	files?: string[];
}

export const NOTABLE: NotableMoment[] = [
	{
		file: "badlogic-pi-mono/before-compaction.jsonl",
		line: 293,
		why: "version 1; the last edit ticked a box of the plan",
		expected: { outcome: "waiting" },
		request: "slight steering: why does unsubscribe",
		links: ["7890fb8"],
		files: ["packages/coding-agent/docs/refactor.md", "packages/coding-agent/src/modes/index.ts"],
	},
	{
		file: "badlogic-pi-mono/before-compaction.jsonl",
		line: 459,
		why: "aborted behind an edit; that it was aborted is no reason",
		expected: { outcome: "aborted", endReason: undefined },
		request: "same for queued messages?",
	},
	{
		file: "badlogic-pi-mono/before-compaction.jsonl",
		line: 848,
		why: "a provider's error behind a greeting",
		expected: { outcome: "error" },
		request: "yo",
		links: ["0c1a9c3"],
	},
	{
		file: "badlogic-pi-mono/before-compaction.jsonl",
		line: 1001,
		why: "side questions behind finished work",
		expected: { outcome: "done" },
		request: "ok",
		links: ["803d4b6"],
	},
	{
		file: "badlogic-pi-mono/large-session.jsonl",
		line: 33,
		why: "a stream that broke before any edit of it was applied",
		expected: { outcome: "error", endReason: "terminated" },
		request: "alright, i think there's only one file left to fix up",
		headline: "I think there's only one file left to fix up, tui-renderer.ts, read it in full",
	},
	{
		file: "badlogic-pi-mono/large-session.jsonl",
		line: 1019,
		why: "committed and pushed, but the build and the publishing failed",
		expected: { outcome: "done" },
		request: "yeah, do it all",
		headline: "yeah, do it all (replying to “Should I proceed with committing and tagging?”)",
		links: ["45ffe0a"],
	},
	{
		file: "badlogic-pi-mono/session.jsonl",
		line: 459,
		why: "line 440 holds two objects; git status shows one file that is not committed",
		expected: { outcome: "aborted", uncommitted: ["packages/coding-agent/src/core/agent-session.ts"] },
		request: "ok",
	},
	{
		file: "ingo-eichhorst-Irrlicht/01-example-session.jsonl",
		line: 285,
		why: "aborted without a word",
		expected: { outcome: "aborted" },
		request: "analyse codebase for issues",
		headline: "Analyse codebase for issues",
	},
	{
		file: "ingo-eichhorst-Irrlicht/01-example-session.jsonl",
		line: 614,
		why: "the abandoned branch, on which issues were created, is not this one",
		expected: { outcome: "aborted" },
		request: "create a github issue to update the images",
		headline: "Create a github issue to update the images on the readme page",
		absent: /\/issues\//,
	},
	{
		file: "ingo-eichhorst-Irrlicht/2-14_turn-aborted-by-error.jsonl",
		line: 5,
		why: "an error in JSON",
		expected: {
			outcome: "error",
			endReason:
				"The 'irrlicht-turn-abort-unsupported-model' model is not supported when using Codex with a ChatGPT account",
		},
		request: "Reply with exactly the word: ok",
	},
	{
		file: "ingo-eichhorst-Irrlicht/1-6_checkpoint-rewind.jsonl",
		line: 9,
		why: "rewound: four of six messages are on the branch",
		expected: { outcome: "done", messages: 4 },
		request: "Reply with exactly the word: three",
		headline: "Reply with exactly the word: three",
	},
	{
		file: "ingo-eichhorst-Irrlicht/4-1_multiple-sessions-same-cwd.jsonl",
		line: 16,
		why: "a second header: what stands above it is another session's",
		expected: { outcome: "done", messages: 4 },
		request: "Reply with exactly the word: bravo2",
	},
	{
		file: "letta-ai-trajectory/cleanup.jsonl",
		line: 9,
		why: "a torn line, and a last entry without an id",
		expected: { messages: 5 },
		request: "Summarize the screenshot I attached.",
		headline: "cleanup session",
	},
	{
		file: "pinion05-agent-complex-task/03-raddit.jsonl",
		line: 365,
		why: "Korean; a pull request and the issue that it closes",
		expected: { outcome: "done" },
		request: "응 해줘",
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
		request: "서브에이전트로 팩트체크돌리고 반영까지",
		headline: "서브에이전트로 팩트체크돌리고 반영까지",
		links: ["6a29cd9"],
	},
];
