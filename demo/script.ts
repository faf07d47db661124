import { setTimeout as pause } from "node:timers/promises";
import { type Answer, say, useTool } from "../test/host/answer.ts";
import type { ModelRequest } from "../test/host/model-request.ts";

const SOURCE = "src/parse-date.js";
const TESTS = "test/parse-date.test.js";

/** Delays in milliseconds for an agent reply and for a note. They let the user see what is shown before the model has answered. */
const AGENT_MS = 400;
const RECAP_MS = 1500;

/** A task that the demo's model can do in the sample project. */
interface Task {
	/** Matches prompts that ask for this task. */
	words: RegExp;
	/** The tool calls in order, before the final reply. */
	steps: Answer[];
	/** The first sentence of the reply. The result of the test run follows it. */
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

/** Returns the agent's next step: either a tool call, which the host runs in the sample project, or the reply. */
export async function demoAgent(request: ModelRequest): Promise<Answer> {
	await pause(AGENT_MS);
	const task = TASKS.find(({ words }) => words.test(request.user));
	if (!task) return say(OUT_OF_SCRIPT);
	return task.steps[request.step] ?? say(`${task.done} ${verdict(request.transcript)}`);
}

/** Returns the note that the model writes. The recap in the note is derived from the timeline in the request. */
export async function demoRecap(request: ModelRequest): Promise<Answer> {
	await pause(RECAP_MS);
	return say(`<recap>${recapOf(request.transcript)}</recap><topic>Reject dates that do not exist</topic>`);
}

/** Returns the newest result of `node --test`, whose output differs between Node 20 (`# pass 3`) and later versions (`ℹ pass 3`). */
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
