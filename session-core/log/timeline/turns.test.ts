import { describe, expect, it } from "vitest";
import { ASK, cwd, DONE, EDIT, type Happening, PASS, timelineOf } from "./log.test-support.ts";
import { isStep, type Step, type Turn } from "./turn.ts";

const turnsOf = (...happenings: Happening[]): Turn[] => timelineOf(happenings, { cwd }).turns;
const stepsIn = (turn: Turn | undefined): Step[] => (turn?.steps ?? []).filter(isStep);
const runsIn = (turn: Turn | undefined): string[] =>
	stepsIn(turn).map((step) => `${step.argument}: ${step.outcome}`);

describe("turns", () => {
	it("begin at each request, and contain its steps and its reply", () => {
		const turns = turnsOf(ASK, EDIT, PASS, DONE, "> now write the changelog", "< Written.");
		expect(turns.map(({ number, request, reply, end }) => ({ number, request, reply, end }))).toEqual([
			{
				number: 1,
				request: "Make the parser in src accept trailing commas please",
				reply: "The parser takes trailing commas now.",
				end: "stop",
			},
			{ number: 2, request: "now write the changelog", reply: "Written.", end: "stop" },
		]);
		expect(runsIn(turns[0])).toEqual(["src/parser.ts: ok", "npm test: ok"]);
	});

	it("have a reply without a leading thought, but with tags that the reply mentions", () => {
		const replyTo = (says: string) => turnsOf(ASK, { says })[0]?.reply;
		expect(replyTo("<think>Should I ask?</think>I saved the file.")).toBe("I saved the file.");
		expect(replyTo("The tag <think> is parsed now.")).toBe("The tag <think> is parsed now.");
	});

	it.each([
		["Shall I `throw` here, or return?", "> Shall I throw here, or return?\n\nthrow", "throw"],
		["Done.", "> Shall I throw here?\n\nthrow", "> Shall I throw here?\n\nthrow"],
		["Shall I throw here?", "> Shall I throw here?\n\n", "> Shall I throw here?"],
	])("after %j, the question that an answer quotes is not the user's: %j", (says, user, request) => {
		expect(turnsOf(ASK, { says }, { user })[1]).toMatchObject({ request });
	});

	it("do not begin at a slash command", () => expect(turnsOf(ASK, DONE, "> /model")).toHaveLength(1));

	it("have no request if the host sent the message", () => {
		const user = "A new session was started via /new. Greet the user.";
		const [, second] = turnsOf(ASK, DONE, { user }, "< Hi.");
		expect(second).toMatchObject({ request: undefined, number: 1, reply: "Hi." });
	});

	it("count an image alone as a request without words", () => {
		const image = { type: "image", data: "", mimeType: "image/png" };
		const [turn] = turnsOf({ entry: { message: { role: "user", content: [image, image] } } });
		expect(turn).toMatchObject({ request: undefined, images: 2, number: 0 });
	});

	it.each([
		[
			"ask",
			{ questions: [{ question: "Where", options: [{ label: "EU" }, { label: "US" }] }] },
			"(EU / US) Where",
		],
		["ask_user", { question: "Where?", options: ["EU", "US"] }, "(EU / US) Where?"],
		["questionnaire", { questions: [{ prompt: "Where?" }, { prompt: "What?" }] }, "Where?\nWhat?"],
	])("end with a question asked through %s that has no answer yet", (name, args, reply) => {
		const content = [{ type: "toolCall", id: "q", name, arguments: args }];
		const asked = { entry: { message: { role: "assistant", content, stopReason: "toolUse" } } };
		const answer = { role: "toolResult", toolCallId: "q", content: [{ type: "text", text: "EU" }] };
		expect(timelineOf([ASK, asked])).toMatchObject({ outcome: "waiting", turns: [{ reply, asks: true }] });
		const answered = timelineOf([ASK, asked, { entry: { message: answer } }, DONE]);
		expect(answered.outcome).toBe("done");
		expect(answered.turns[0]).not.toHaveProperty("asks");
	});

	it("count text between calls as remarks, and only the last text as the reply", () => {
		const [turn] = turnsOf(ASK, "< I read the grammar first.", EDIT, DONE);
		expect(turn?.steps[0]).toEqual({ kind: "remark", text: "I read the grammar first." });
		expect(turn?.reply).toBe("The parser takes trailing commas now.");
	});

	it("end as the log says, and are open if it says nothing or no answer came", () => {
		const ends = ["stop", "length", "error", "aborted", "something new"].map(
			(stop) => turnsOf(ASK, { says: "…", stop })[0]?.end,
		);
		expect(ends).toEqual(["stop", "length", "error", "aborted", "open"]);
		expect(turnsOf(ASK)[0]).toMatchObject({ end: "open", reply: undefined });
	});
});

describe("calls and their results", () => {
	const push = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "git push" } };
	it.each<[string, string, Happening[]]>([
		["pending", "the agent calls more", [{ bash: "git push", pending: true }, EDIT]],
		["ok", "a reply ends the run", [{ bash: "git push", pending: true }, EDIT, DONE]],
		["cancelled", "the run is aborted", [{ bash: "git push", pending: true }, "aborted"]],
		["cancelled", "the run fails", [{ bash: "git push", pending: true }, EDIT, { says: "", stop: "error" }]],
		[
			"cancelled",
			"its own message was cut off",
			[{ entry: { message: { role: "assistant", content: [push], stopReason: "aborted" } } }, DONE],
		],
	])("are %s without a result if %s", (outcome, _, happenings) => {
		expect(runsIn(turnsOf(ASK, ...happenings)[0])[0]).toBe(`git push: ${outcome}`);
	});

	it("get a result that comes later, even if the call's entry was read before", () => {
		const content = [{ type: "toolCall", id: "c1", name: "bash", arguments: { command: "make" } }];
		const ask: Happening = { entry: { message: { role: "assistant", content } } };
		const text = { role: "toolResult", toolCallId: "c1", content: [{ type: "text", text: "ok" }] };
		const result: Happening = { entry: { message: text } };
		expect(runsIn(turnsOf(ASK, ask)[0])).toEqual(["make: pending"]);
		expect(runsIn(turnsOf(ASK, ask, result)[0])).toEqual(["make: ok"]);
		expect(runsIn(turnsOf(ASK, ask)[0])).toEqual(["make: pending"]);
	});

	it("show the file that the result names if the line with the call is lost", () => {
		const text = "Successfully wrote 12 bytes to /code/app/src/a.ts";
		const result = { role: "toolResult", toolName: "write", content: [{ type: "text", text }] };
		const [turn] = turnsOf(ASK, { entry: { message: result } });
		expect(stepsIn(turn)[0]).toMatchObject({ name: "write", edits: [{ path: "src/a.ts", kind: "written" }] });
	});

	it("prove nothing if their results were evicted", () => {
		const [turn] = turnsOf(ASK, "$ npm test → [content evicted to cold storage: 7f]", "< [message evicted]");
		expect(stepsIn(turn)[0]?.output).toBe("");
		expect(turn?.reply).toBeUndefined();
	});
});

it("treats a script's calls as steps", () => {
	const calls = [
		{ id: "n1", name: "edit", arguments: { path: "/code/app/src/lexer.ts" }, status: "ok" },
		{ id: "n2", name: "bash", arguments: { command: "npm test" }, status: "error", error: "2 failed" },
		{ id: "n3", name: "bash", arguments: { command: "npm run build" }, status: "unfinished" },
		"not a call",
	];
	const { turns, files } = timelineOf(["> Make the lexer accept commas", { calls }, DONE], { cwd });
	const steps = stepsIn(turns[0]).map(({ name, outcome }) => `${name} ${outcome}`);
	expect(steps).toEqual(["codemode ok", "edit ok", "bash failed", "bash cancelled"]);
	expect(files.map(({ path }) => path)).toEqual(["src/lexer.ts"]);
});

describe("a request without the user's own words", () => {
	it("is the name of a skill if only the skill was typed", () => {
		const text = '<skill name="review" location="/s">\nDo this.\n</skill>';
		const { turns } = timelineOf([{ user: text }, "< Reviewed; two issues."]);
		expect(turns).toMatchObject([{ request: "/skill:review", expansion: "review" }]);
	});

	it("is ignored if it is a mistyped command that was stopped", () => {
		const work = ["> port the parser", "< Done.", "> /reaload"];
		for (const says of ["", "I do not know"]) {
			const { outcome, turns } = timelineOf([...work, { says, stop: "aborted" }]);
			expect([outcome, turns.length]).toEqual(["done", 1]);
		}
	});
});
