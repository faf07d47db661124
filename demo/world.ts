import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Answer, say, useTool } from "../test/host/answer.ts";
import type { ModelRequest } from "../test/host/model-request.ts";
import { SAMPLE_PROJECT } from "../test/host/sample-project.ts";
import { createSandbox, type Sandbox } from "../test/host/sandbox.ts";
import { ScriptedModel } from "../test/host/scripted-model.ts";
import { yesterdaySession } from "../test/host/yesterday-session.ts";
import { AgentFolder } from "../test/serve/agent-folder.ts";
import { placeSampleBoard } from "../test/serve/sample-board.ts";

export const WELCOME = `
This demo of pi-session-suite runs the real pi 0.73.1 with a
scripted model on 127.0.0.1. The demo needs no API key, sends
no data, and removes its files when you quit.

It opens yesterday's session. The card above the editor
shows its state: at once without a model, a moment later
in the model's words. Then try:

  run the tests      Look at another window until the tests
                     are done, then return for the recap.
                     The session names itself.
  throw a RangeError instead
                     The agent edits and tests the project.
  /resume-here       Put the next step into the editor.
  /sessions          See all sessions; some are waiting.
  /recap   /recap status   /recap doctor   /rename mine
  /quit              Quit pi.

In tmux, pi needs focus reports to notice your return:
  tmux set -g focus-events on
`;

export interface DemoWorld {
	model: ScriptedModel;
	sandbox: Sandbox;
	remove(): Promise<void>;
}

export const DEMO_ARGS = [
	"-c",
	...["--recap-away-seconds", "15"],
	...["--recap-focus-min-seconds", "1"],
	...["--recap-idle-seconds", "20"],
];

export async function createDemoWorld(theme?: string): Promise<DemoWorld> {
	const model = await ScriptedModel.start();
	model.always("agent", demoAgent).always("recap", demoRecap);
	const folders = createSandbox({
		modelUrl: model.url,
		projectName: "date-parser",
		files: SAMPLE_PROJECT,
		sessions: [yesterdaySession],
		...(theme !== undefined && { settings: { theme } }),
	});
	// The sandbox is used as the home folder, so that pi abbreviates the sandbox's path to `~`.
	const sandbox = { ...folders, home: folders.root };
	placeSearchTools(sandbox.agentDir);
	placeSampleBoard(new AgentFolder(sandbox.agentDir), sandbox.cwd);
	// `pi -c` opens the most recently modified session, so the sample files are marked as just modified.
	for (const path of sandbox.placed) utimesSync(path, new Date(), new Date());
	const remove = async (): Promise<void> => {
		await model.close();
		sandbox.remove();
	};
	return { model, sandbox, remove };
}

/** pi warns if fd and rg are missing. The demo uses neither program, so dummy scripts replace them. */
function placeSearchTools(agentDir: string): void {
	if (process.platform === "win32") return;
	const folder = join(agentDir, "bin");
	mkdirSync(folder, { recursive: true });
	for (const name of ["fd", "rg"]) writeFileSync(join(folder, name), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
}

const SOURCE = "src/parse-date.js";
const TESTS = "test/parse-date.test.js";

/**
 * The delay, in milliseconds, before the scripted model answers, so that the user can see the progress
 * indicators.
 */
const AGENT_MS = 400;
const RECAP_MS = 1500;

interface Task {
	words: RegExp;
	steps: Answer[];
	done: string;
}

const THROWS = 'startsWith(text)) {\n\t\tthrow new RangeError("There is no such day: " + text);\n\t}';
const LAST_TEST = 'test("other text is not a date"';
const NEW_TEST = `test("a day that does not exist is an error", () => {
	assert.throws(() => parseDate("2026-02-30"), RangeError);
});

${LAST_TEST}`;

const RUN_TESTS = useTool("bash", { command: "node --test" });

const TASKS: readonly Task[] = [
	{
		words: /range ?error|throw|\byes\b/i,
		steps: [
			useTool(
				"edit",
				{ path: SOURCE, edits: [{ oldText: "startsWith(text)) return undefined;", newText: THROWS }] },
				"I'll make it throw, and add the missing test.",
			),
			useTool("edit", { path: TESTS, edits: [{ oldText: LAST_TEST, newText: NEW_TEST }] }),
			RUN_TESTS,
		],
		done: "parseDate now throws a RangeError for a day that does not exist, and a test says so.",
	},
	{ words: /test|check/i, steps: [RUN_TESTS], done: "I ran the tests after the last edit." },
];

const OUT_OF_SCRIPT =
	"I am the demo's scripted model, so I only know two requests: “run the tests” and “throw a RangeError instead”. Everything else here is the real pi with the real package.";

async function demoAgent(request: ModelRequest): Promise<Answer> {
	await pause(AGENT_MS);
	const task = TASKS.find(({ words }) => words.test(request.user));
	if (!task) return say(OUT_OF_SCRIPT);
	return task.steps[request.step] ?? say(`${task.done} ${verdict(request.transcript)}`);
}

export async function demoRecap(request: ModelRequest): Promise<Answer> {
	await pause(RECAP_MS);
	return say(`<recap>${recapOf(request.transcript)}</recap><topic>Reject dates that do not exist</topic>`);
}

/** Node 20 prints `# pass 3`, and later versions print `ℹ pass 3`. */
function verdict(transcript: string): string {
	const passed = [...transcript.matchAll(/[#ℹ] pass (\d+)/g)].at(-1)?.[1] ?? "0";
	const failed = [...transcript.matchAll(/[#ℹ] fail (\d+)/g)].at(-1)?.[1];
	if (failed === "0") return `All ${passed} tests pass.`;
	return failed === undefined ? "The tests did not run to their end." : `${failed} of the tests failed.`;
}

function recapOf(timeline: string): string {
	if (!timeline.includes(SOURCE)) return "This session is beyond the script of the demo's model.";
	const task = `You are making parseDate in ${SOURCE} reject days that don't exist, such as 2026-02-30.`;
	return `${task} ${stateOf(timeline)}`;
}

function stateOf(timeline: string): string {
	const thrown = timeline.includes("now throws a RangeError");
	const run = [...timeline.matchAll(/ran node --test → ([^\n]*)/g)].at(-1)?.[1];
	if (run === undefined || timeline.includes("No command ran after the last edit."))
		return "The edit is in, but no test has run since; the agent asks whether it should throw a RangeError instead.";
	if (/FAILED|fail [1-9]/.test(run)) return "The edit is in, but node --test failed after it.";
	return thrown
		? "It throws a RangeError now, and node --test passed after the last edit."
		: "The edit is in and node --test passed after it; still open is whether it should throw a RangeError instead.";
}
