import { describe, expect, it } from "vitest";
import { type Happening, timelineOf } from "../log/timeline/log.test-support.ts";
import { type EarlierRequest, outcomeOf, quoteRequests, requestLine } from "./requests.ts";

const lineOf = (user: string, columns = 80): string => {
	const [turn] = timelineOf([{ user }]).turns;
	return turn ? requestLine(turn, columns) : "";
};
const quoted = (...happenings: Happening[]) => {
	const { earlier, ...rest } = quoteRequests(timelineOf(happenings));
	const lineOf = ({ request, answered }: EarlierRequest) => {
		const outcome = outcomeOf(answered, 125);
		return outcome === "" ? request : `${request} → ${outcome}`;
	};
	return { ...rest, earlier: earlier.map(lineOf).join(" · ") };
};

describe("a request in one line", () => {
	it.each([
		["its lines apart", "sort tools\na -> core\nb -> modes", "Sort tools; a -> core; b -> modes"],
		["its list behind what leads to it", "I want to\n- copy it\n- test it", "I want to: copy it; test it"],
		["a wrapped line whole", `${"word ".repeat(13)}that\ngoes on`, `${"word ".repeat(13)}that goes on`],
		["no frame of a table", "│ a tool for the model │ a custom tool │", "A tool for the model a custom tool"],
	])("has %s", (_, request, line) => expect(lineOf(request, 100).toLowerCase()).toBe(line.toLowerCase()));

	it.each([
		[
			"Following the guidelines in https://github.com/o/r/blob/main/docs/architecture/agent-protocol.md#transcript, add support for compact transcripts",
			"Following the guidelines in https://github.com/…/agent-protocol.md, add support for compact…",
		],
		["Read docs/a/plan.md and https://a.dev/x, then go", "Read plan.md and https://a.dev/x, then go"],
		[
			"Is the name of the new clock in the module of the scheduler right? av-99.1: can you look at all the others",
			"Is the name of the new clock in the module of the scheduler right? …",
		],
	])("is cut behind its verb and keeps the host of a URL: %s", (request, line) => {
		expect(lineOf(request, 96)).toBe(line);
	});

	it.each([
		["its last sentence", "", / … .*Please port it to the new clock$/],
		["not the end of a document", "# Plan\n\n", /…$/],
	])("is quoted with %s", (_, begin, end) => {
		const user = `${begin}${"The queue drops jobs. ".repeat(9)}Please port it to the new clock.`;
		const [turn] = timelineOf([{ user }]).turns;
		expect(turn && requestLine(turn, 80, [], 60)).toMatch(end);
	});

	it.each(["uv run pytest hangs on main", "make the parser strict", "Make it strict"])(
		"keeps the user's case: %s",
		(user) => expect(lineOf(user)).toBe(user),
	);

	it("is the error in terminal output that was pasted without a comment", () => {
		const pasted =
			"~/code (main)\n➜ code npx tsx cli.ts\nnode:fs:443\n  at x\nError: ENOENT: no such file\n\nNode.js v23";
		expect(lineOf(pasted)).toBe("Error: ENOENT: no such file");
		expect(lineOf(`${pasted}\n\nWhat does this mean for us?`)).not.toMatch(/^Error/);
	});

	it("leaves out what was pasted from the log", () => {
		const doc = "`hookTimeout`: Timeout in ms for hooks that do not ask";
		const read: Happening = { tool: "read", args: { path: "hooks.md" }, out: `# Hooks\n${doc}\n` };
		const user = `${doc}\n\nhooks\n\nso what is this good for?`;
		const { headline } = quoted("> read the docs", read, "< Read.", { user }, "< Waiting.");
		expect(headline).toBe("so what is this good for?");
	});
});

it.each([
	["Fix the login, please!", "Fix the login, please"],
	["修复登录重定向的问题！", "修复登录重定向的问题"],
	["Is the login fixed?", "Is the login fixed?"],
])("a headline has no final mark, as a request and as a name: %s", (text, headline) => {
	expect(quoted({ user: text }).headline).toBe(headline);
	expect(quoted("> port it to the new clock", `name: ${text}`).headline).toBe(headline);
});

describe("the requests of a recap", () => {
	const TASK = "Port the scheduler to the new clock and drop the old timers";
	const PORT = `> ${TASK}`;
	const DONE: Happening[] = ["edit a.ts", "< Done."];
	const EDIT = DONE.slice(0, 1);

	const during: Happening = { says: "The clock is next.", stop: "toolUse" };
	const commit = "$ git commit -am port → [main 1a2b3c4] port";
	const plan = "<proposed_plan>\n# One clock for every module\n\n## Summary\nPort it.\n</proposed_plan>";
	const full = "I gave you the full path of that folder";
	const long = "Rebuild the start page with larger cards and a menu that closes by itself on phones";
	const left: Happening = { entry: { type: "suite:left_out", steps: 30, requests: false } };
	const began: Happening[] = ["> /write-plan", ...EDIT, "< The plan is written."];
	const section = "< Here is the next section. Which site shall the colors be taken from?";
	const answered = ["> no, none of them, let it be a surprise", "< I chose blue."];
	const which = "Which clock do you mean, and should I port it?";
	const clocks = { says: `- A) The own clock\n- B) The clock of the host\n\n${which}` };
	const fix = (choices: string) => [
		"> /review",
		...EDIT,
		`< How shall I do it?\n\n${choices}`,
		"> 0",
		...DONE,
	];
	const fixed = { headline: "/review", asked: "0: Fix all: every patch ← How shall I do it?" };
	const store =
		"Which store?\n\n- Redis\n- SQLite\n\nHow many retries?\n\n- Five with a growing pause\n- None";
	const webp = "convert all of the images to webp and update the references";
	const url = "https://example.com/team/settings.git";
	const urlWanted = "I will install the tool by hand. Please give me the URL of your repository";
	it.each<[string, Happening[], Partial<ReturnType<typeof quoted>>]>([
		[
			"have the goal of a summary as the larger work",
			["summary: ## Goal⏎One clock for every module", PORT, ...DONE],
			{ larger: "One clock for every module" },
		],
		[
			"name the slash command that began the work if every request is short",
			[
				"> /plan-chapters // read a.md",
				...DONE,
				"> that looks right",
				...DONE,
				"> yes",
				...DONE,
				"> go on",
				...DONE,
			],
			{ headline: "/plan-chapters", asked: "go on" },
		],
		[
			"begin with the request of a run, not with the few words that the user sent during it",
			[PORT, ...DONE, "> Now port the printer to it", ...EDIT, during, "> format it first, maybe?", ...DONE],
			{ headline: "Now port the printer to it", asked: "format it first, maybe?" },
		],
		[
			"begin with the work that a short request commits",
			[PORT, ...DONE, "> go ahead and commit", commit, "< Committed."],
			{ headline: TASK, asked: "go ahead and commit" },
		],
		[
			"name the plan to which a short request refers",
			[PORT, { says: plan }, "> Implement the plan.", ...EDIT],
			{ headline: "Implement the plan: One clock for every module" },
		],
		[
			"name an interrupted request beside the one that corrects it",
			[PORT, "aborted", { user: full }, ...DONE],
			{ headline: full, earlier: TASK },
		],
		[
			"name the long request that was interrupted for a few words",
			[{ user: long }, "aborted", "> use the old palette", ...DONE],
			{ headline: long, asked: "use the old palette" },
		],
		[
			"do not name a short request that was interrupted for a few words",
			["> open the page", "aborted", "> use the old palette", ...DONE],
			{ headline: "use the old palette" },
		],
		[
			"do not quote the reply to another request next to a request whose own reply was not read",
			[
				...["> Review each of the open changes for mistakes", left, "> merge 38-40", ...EDIT],
				...[
					"< All three are merged into the main branch now.",
					"> and now fix the first of the findings in clock.ts",
				],
				...DONE,
			],
			{ earlier: expect.not.stringContaining("→") },
		],
		[
			"name the request before a short one if no larger one is known",
			["> rename the test file // < Done. // > and the folder, too // < Done."],
			{ headline: "and the folder, too", earlier: "rename the test file" },
		],
		[
			"name the command that answers of several words belong to, even if another command was done before",
			[...began, "> /draw-pages", ...EDIT, section, ...answered],
			{ headline: "/draw-pages", asked: expect.stringContaining("let it be a surprise") },
		],
		[
			"name the work after a command",
			[...began, "> now make the buttons of all pages blue", ...EDIT, ...EDIT, ...EDIT, "< They are blue."],
			{ headline: expect.stringMatching(/^now make the buttons/) },
		],
		[
			"quote the question that is answered",
			[PORT, clocks, "> yes", ...DONE],
			{ headline: TASK, asked: `yes ← ${which}` },
		],
		[
			"quote the choice that is named by a letter",
			[PORT, clocks, "> b", ...DONE],
			{ headline: TASK, asked: `b: The clock of the host ← ${which}` },
		],
		[
			"quote the choice that is made in words",
			[PORT, clocks, "> The own clock", ...DONE],
			{ headline: TASK, asked: `The own clock ← ${which}` },
		],
		[
			"quote only the choice that was made, below the command that led to it",
			fix("> 0. **Fix all**: every patch\n> 1. **Fix some**"),
			fixed,
		],
		[
			"recognize a choice whose number is bold",
			fix("> **0. Fix all**: every patch\n> **1. Fix some**"),
			fixed,
		],
		[
			"include the first one beside a short name of the session",
			[
				"> Issue #16: port the retry queue to the new clock // < Ported.",
				"> Now merge it into the main branch // < Merged. // name: Issue #16",
			],
			{ earlier: expect.stringContaining("Issue #16: port the retry queue to the new clock") },
		],
		[
			"quote answers to several questions together, without one of the questions",
			[
				"> set up the retry queue of the service",
				{ says: store },
				"> Redis⏎Five with a growing pause",
				"< It is set up.",
			],
			{ asked: "Redis; Five with a growing pause" },
		],
		[
			"quote the request of a run that is still open below the session's name",
			[`> port it to the new clock // < Ported. // name: Clock port // > ${webp}`],
			{ headline: "Clock port", asked: expect.stringContaining(webp) },
		],
		[
			"quote a URL that answers the agent with the agent's message, even if the message asks no question",
			[`> install the sync tool // < ${urlWanted}. // > ${url} // $ git init // < Installed.`],
			{ headline: `${url} ← ${urlWanted}` },
		],
	])("%s", (_, happenings, expected) => expect(quoted(...happenings)).toMatchObject(expected));

	it("credit the work to the run that did it, even if the user sent a message during that run", () => {
		const remark = "> you can skip the check in the browser, it is not necessary at all here";
		expect(quoted(PORT, ...DONE.slice(0, 1), remark, "< Done.").from).toBe(0);
		expect(quoted(PORT, ...DONE, remark, "< Done.").from).toBe(1);
	});

	it("quote the longest reply to an earlier request, even if a one-word message followed it, but none from an aborted run", () => {
		const report = "The scheduler reads the new clock. ".repeat(6).trim();
		const outcome = (...replies: Happening[]) => quoted(PORT, ...EDIT, ...replies, ...LATER).earlier;
		expect(outcome({ says: report }, "> commit", "< Committed as 1a2b3c4, all tests pass.")).toContain(
			"→ The scheduler reads",
		);
		expect(outcome({ says: report, stop: "toolUse" }, ...EDIT, "aborted")).not.toContain("→");
	});

	it("name the largest request and, unless the headline is long and that request had an outcome, the nearest one", () => {
		const small: Happening[] = ["> rename the test file", ...DONE];
		const docs = "> Describe how the new clock works in the readme";
		const earlier = (user: string, ...done: Happening[]) =>
			quoted(PORT, ...done, docs, ...DONE, ...small, { user }, ...DONE).earlier;
		const both = `${TASK} · ${docs.slice(2)}`;
		const chapter = "Add a chapter about time zones and leap seconds to the end of it";
		expect(earlier("rename clock.ts to time.ts", ...DONE)).toBe(both);
		expect(earlier(chapter, ...DONE)).toBe(both);
		const said = "The scheduler reads the new clock.";
		expect(earlier(chapter, ...EDIT, { says: said })).toBe(`${TASK} → ${said}`);
	});

	const LATER: Happening[] = ["> how does it tick?", "< Once a second."];
	it.each<[string, Happening[], string]>([
		[
			"the first sentence that says something",
			["< All done now.\n\nThe scheduler reads the new clock. No timer is left.\n\nShall I commit it?"],
			"The scheduler reads the new clock. No timer is left.",
		],
		["the title", ["< I have all that I need.\n\n# A plan\n\nIt has three steps."], "A plan"],
		["the list", ["< Summary:\n\n1. Ported it\n2. Tested it"], "Summary: 1. Ported it; 2. Tested it"],
		[
			"a reply to an answer",
			["< Which clock?", "> the own", "< Ported to the own clock."],
			"Ported to the own clock.",
		],
	])("quote beside an earlier request what came of it: %s", (_, replies, outcome) => {
		expect(quoted(PORT, ...EDIT, ...replies, ...LATER).earlier).toBe(`${TASK} → ${outcome}`);
	});
});
