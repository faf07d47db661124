import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultsIn } from "../../test/support/faulty-forms.ts";
import { cwd, type Happening, timelineOf } from "../log/timeline/log.test-support.ts";
import { offlineRecap, openActions, wholeRequest } from "./heuristic.ts";
import type { SessionRecord } from "./record.ts";
import { recapText } from "./text.ts";

const recapOf = (...happenings: Happening[]): SessionRecord => offlineRecap(timelineOf(happenings, { cwd }));
const textOf = (...happenings: Happening[]): string[] => recapText(recapOf(...happenings)).split("\n");

const TASK = "Port the scheduler to the new clock and drop the old timers";
const PORT = `> ${TASK}`;
const PASS = "$ pnpm test → 43 passed";
const REPORT = "< The scheduler reads the new clock.\n\nShould I commit it?";
const CHANGELOG = "> Write a changelog entry for the release with every visible change";

describe("the slots", () => {
	it("are headline, state, what was done, said and open, and the artifacts", () =>
		expect(textOf(PORT, "edit src/clock.ts", PASS, REPORT)).toEqual([
			"Port the scheduler to the new clock and drop the old timers",
			"Waiting for your answer",
			"- Did: edited clock.ts · pnpm test → 43 passed",
			"- Said: The scheduler reads the new clock.",
			"Open: Should I commit it?",
			"src/clock.ts",
		]));

	it.each([" ", "\n\n"])(
		"quote whole sentences of a reply that is too long to be read whole, joined by %j",
		(between) => {
			const sentence = "Every configuration entry goes through validation and is stored.";
			const recap = recapOf(PORT, { says: Array(2_000).fill(sentence).join(between) });
			expect(recap.bullets).toEqual([expect.stringMatching(/^Said: Every configuration entry/)]);
		},
	);

	it("name the call during which a run was interrupted, even if the request was a mere `ok`", () => {
		const cut = "$ git diff HEAD";
		const stopped = "aborted";
		const log = [PORT, "edit src/clock.ts", REPORT, "> ok", cut, stopped];
		expect(recapOf(...log).bullets).toContain("Last step: git diff HEAD");
		expect(recapOf(PORT, cut, REPORT).bullets.join("\n")).not.toContain("Last step");
		const rebase = "$ git rebase --continue → Successfully rebased and updated refs/heads/clock.";
		expect(recapOf(PORT, rebase, stopped).bullets).toContain(
			"Last step: git rebase --continue → Successfully rebased and updated refs/heads/clock.",
		);
		expect(recapOf(PORT, "$ npm ci\nnpm test", stopped).bullets).toContain("Last step: npm ci npm test");
	});

	it("begin with the request that was interrupted, and name the work before it", () => {
		const nap = "> just sleep 5 seconds via bash";
		const log = [PORT, "edit src/clock.ts", "< The scheduler reads the new clock.", nap];
		expect(textOf(...log, "$ sleep 5", "aborted")).toEqual([
			"just sleep 5 seconds via bash",
			"Aborted",
			"- You asked earlier: Port the scheduler to the new clock and drop the old timers → The scheduler reads the new clock.",
			"- Did: earlier: edited clock.ts",
			"- Last step: sleep 5",
			"src/clock.ts",
		]);
	});

	const EDIT = "edit src/clock.ts";
	const PORTED = [PORT, EDIT, "< Ported."];
	const FOUND =
		"The scheduler reads the new clock.\n\nAll 43 tests pass, and none of the old timers is left.";
	const COSTS = "The check costs about ten microseconds of each update.\n\nNobody will notice that. ".repeat(
		4,
	);
	const SHALL = `Shall I add the check to every update of the book, ${"or to that of its other side, ".repeat(5)}or is this enough?`;
	const READ = `I read ${"my notes about you and about the project, ".repeat(4)}and all of them are up to date.`;
	const CHOICE = "< Which clock shall the scheduler read?\n\n- The own clock\n- The clock of the host";
	it.each<[string, Happening[], (string | RegExp)[]]>([
		[
			"name the short request that was interrupted, and not as the one that was asked last",
			[...PORTED, "> ls", "aborted"],
			["Interrupted request: ls", /^(?!- You asked last)/],
		],
		[
			"name the work before a short request, which is the headline",
			[...PORTED, "> how does the clock tick?", "< It ticks once a second."],
			[/^how does the clock tick\?$/, `- You asked earlier: ${TASK}`, "- Said: It ticks once a second."],
		],
		[
			"name a slash command that was followed by steps",
			[...PORTED, "> /commit", PASS, "< Committed it."],
			["- You asked last: /commit"],
		],
		[
			"show why a run failed",
			[...PORTED, CHANGELOG, { says: "", stop: "error", error: '529 {"error":{"message":"Overloaded."}}' }],
			["Failed", "- Error: 529 Overloaded"],
		],
		[
			"quote what the agent found, not the call that it announced, if the run was interrupted",
			[PORT, "< The timers are shared.\n\nLet me look at the clock:", EDIT, "aborted"],
			["- Said: The timers are shared."],
		],
		[
			"quote the report before a reply that only closes it",
			[PORT, { says: FOUND }, EDIT, "< Pushed. Shall I go on?"],
			[/^- Said: The scheduler reads the new clock\./, "Open: Shall I go on?"],
		],
		[
			"quote the report before a long question that follows it in the same turn",
			[PORT, { says: COSTS }, EDIT, { says: SHALL }],
			[/^- Said: The check costs about ten microseconds of each update\./, /^Open: Shall I add the check/],
		],
		[
			"quote the reply about the work, marked as earlier, behind the reply to later small talk",
			[PORT, EDIT, REPORT, "> nice", "< Glad that you like it."],
			[
				"- You asked last: nice ← Should I commit it?",
				"- Said: Glad that you like it.",
				"- Said earlier: The scheduler reads the new clock.",
			],
		],
		[
			"quote the reply about the work, too, if one word led to a long reply about something else",
			[PORT, EDIT, REPORT, "> R", { says: READ }],
			[/^- Said: I read my notes/, /^- Said earlier: The scheduler reads the new clock\./],
		],
		[
			"quote the question beside a choice after which the run was interrupted",
			[PORT, CHOICE, "> The own clock // edit src/clock.ts // aborted"],
			[/You asked last: The own clock ← Which clock shall the scheduler read\?/],
		],
		[
			"mark a report as earlier if a request without a reply follows it",
			[PORT, EDIT, REPORT, "> Now port the printer to it, too // aborted"],
			["- Said earlier: The scheduler reads the new clock."],
		],
	])("%s", (_, happenings, lines) => {
		const wanted = lines.map((line) => (typeof line === "string" ? line : expect.stringMatching(line)));
		expect(textOf(...happenings)).toEqual(expect.arrayContaining(wanted));
	});

	it("quote only the newest of many remarks if the run was interrupted", () => {
		const remarks = Array.from({ length: 7 }, (_, index): Happening[] => [
			`< I looked at timer ${index}.`,
			`edit src/timer-${index}.ts`,
		]).flat();
		const text = textOf(PORT, ...remarks, "aborted").join("\n");
		expect(text.match(/timer \d\./g)).toEqual(["timer 4.", "timer 5.", "timer 6."]);
	});

	it("leave out the end of an earlier report if the work after it may have changed the state that it describes", () => {
		const report = "< The scheduler reads the new clock.\n\nNothing is committed on main so far.";
		const text = (...did: Happening[]) =>
			textOf(PORT, "edit src/clock.ts", report, "> commit", ...did, "< Here you are.").join("\n");
		expect(text()).toContain("Nothing is committed");
		const commit = "$ git commit -am x → [main 1a2b3c4] Port the clock";
		expect(text(commit)).toContain("Said earlier: The scheduler reads the new clock.");
		expect(text(commit)).not.toContain("Nothing is committed");
	});

	it("quote the requests in between that were followed by the most work, if there is room", () => {
		const work = (user: string, calls: number): Happening[] => [
			{ user },
			...Array.from({ length: calls }, (_, index) => `edit src/part-${index}.ts`),
			"< Done.",
		];
		const between = [
			...work("Load the pictures of the page lazily", 4),
			...work("thanks", 0),
			...work("Sort the events by their date", 5),
			...work("Add tickets with a code to the events", 6),
		];
		const last = work("Write down how the tickets are checked at the door", 1);
		const lineOf = (says: string) => textOf(PORT, ...between, ...last.slice(0, -1), { says }).join("\n");
		const [pictures, dates] = ["Load the pictures of the page lazily", "Sort the events by their date"];
		expect(lineOf("It is written down.")).toMatch(new RegExp(`${TASK}.* · ${pictures} · ${dates} · Add`));
		expect(lineOf("It is written down.")).not.toContain("thanks");
	});

	it("quote an interrupted reply up to its last whole sentence; a period in a name does not end a sentence", () => {
		const stopped = (says: string) => textOf(PORT, { says, stop: "aborted" }).join("\n");
		expect(stopped("So this.ui.invalidate() is called, which should call invali")).not.toContain("Said");
		const text = stopped("The scheduler still reads the old clock. So this.ui.invalidate() is called, wh");
		expect(text).toContain("- Said: The scheduler still reads the old clock.");
		expect(text).not.toContain("this.ui");
	});

	it("are left out if they would be empty", () => {
		expect(textOf(PORT, "< ok")).toEqual([
			"Port the scheduler to the new clock and drop the old timers",
			"- Said: ok",
		]);
		expect(recapText(recapOf())).toBe("");
	});
});

const said = (index: number): string =>
	`Module ${index} ${"reads the shared clock and ".repeat(4)}drops its timer.`;
const lines = (count: number, line: (index: number) => string): Happening => ({
	says: Array.from({ length: count }, (_, index) => line(index)).join("\n\n"),
});

it("a recap of a long session fills the rows of a card with the reply, and no more", () => {
	const text = recapText(recapOf(PORT, "edit src/clock.ts", lines(12, said)));
	expect(text.length).toBeLessThanOrEqual(11 * 105);
	expect(text.length).toBeGreaterThan(600);
});

/**
 * Pieces of the text that people and models write: marks that come in pairs, many of them without their
 * counterpart.
 */
const PIECES = [
	'the parser¦takes (every comma¦of a list)¦「설정¦파일」을¦“quoted¦words”¦"open¦`a.ts`¦`b',
	"**bold**¦- item¦\n\n¦\n- ¦## Head\n¦| a | b |\n|---|---|\n| c | d |\n¦- [ ] a box¦Commit it?¦ok.",
	"and then,¦src/a.ts¦[link](https://a.dev)¦[x¦{ y¦</b>¦머지할까요?¦。¦→¦ — ¦…¦🎉¦كود",
];
const piece = fc.constantFrom(...PIECES.flatMap((line) => line.split("¦")));
const prose = fc.array(piece, { minLength: 1, maxLength: 60 }).map((pieces) => pieces.join(" "));
const happening: fc.Arbitrary<Happening> = fc.oneof(
	fc.record({ user: prose }),
	fc.record({ says: prose, stop: fc.constantFrom("stop", "stop", "aborted", "error"), error: prose }),
	fc.record({ bash: prose, out: prose, fails: fc.boolean() }),
	fc.record({
		tool: fc.constantFrom("edit", "write", "read", "x"),
		args: fc.record({ path: fc.constantFrom("src/a.ts", "b.md"), title: prose }),
		out: prose,
	}),
	prose.map((name): Happening => ({ entry: { type: "session_info", name } })),
	prose.map((summary): Happening => ({ entry: { type: "compaction", summary } })),
);

describe("whatever is said and done", () => {
	const FORMS = /^(?:an unbalanced bracket|an open quotation)/;
	it("no line has an open bracket or quotation, and the headline, the bullets and the open items fit on a card", () => {
		fc.assert(
			fc.property(fc.array(happening, { maxLength: 10 }), (happenings) => {
				const recap = recapOf(...happenings);
				// Locators are quoted unchanged, so that they can be opened. An interrupted request is also
				// quoted unchanged, because it is put back into the editor.
				const own = recap.next_kinds?.[0] === "cut_short" ? { next_actions: [], next_kinds: [] } : {};
				const lines = recapText({ ...recap, ...own, artifacts: [] });
				expect(lines.length).toBeLessThanOrEqual(8 * 105);
				expect(recap.bullets.length).toBeLessThanOrEqual(5);
				expect(faultsIn(lines).filter((fault) => FORMS.test(fault))).toEqual([]);
			}),
			{ numRuns: 400 },
		);
	});
});

const open = (...happenings: Happening[]) => openActions(timelineOf(happenings, { cwd }));
const step = (text: string) => ({ kind: "step", text });

describe("what is open without a model", () => {
	it.each([
		["the closing question", "Should I commit it?", [{ kind: "question", text: "Should I commit it?" }]],
		[
			"at most three unticked boxes",
			"- [x] a b\n- [ ] c d\n- [ ] e f\n- [ ] g h\n- [ ] i j",
			["c d", "e f", "g h"].map(step),
		],
		["nothing where no question mark asks", "If you want, I can add a changelog entry.", []],
		["nothing where a label stands before a list", "Next steps:\n- Port the printer", []],
	])("is %s", (_, end, actions) => {
		expect(open(PORT, "edit src/clock.ts", `< The parser takes commas.\n\n${end}`)).toEqual(actions);
	});

	it.each<[string, Happening[]]>([
		["an abort", ["aborted"]],
		["an error", [{ says: "", stop: "error", error: "fetch failed" }]],
		["a call without a result", [{ bash: "npm test", pending: true }]],
	])("after %s is the request that was cut short", (_, end) => {
		expect(open(PORT, "edit src/clock.ts", ...end)).toEqual([{ kind: "cut_short", text: TASK }]);
	});

	it("is the whole request that was cut short, as the user wrote it", () => {
		const user = `make the parser in /code/app/src accept commas:\n${"- and the printer write them back\n".repeat(20)}please`;
		expect(open({ user }, "edit src/clock.ts", "aborted")).toEqual([
			{ kind: "cut_short", text: user.replaceAll("\n", " ") },
		]);
		const timeline = timelineOf([{ user: user.repeat(9) }, "edit src/clock.ts", "aborted"]);
		const [point] = openActions(timeline);
		expect(point?.text).toMatch(/^make the parser .{1900,}…$/);
		expect(point && wholeRequest(timeline, point)).toBe(user.repeat(9));
	});

	it("is cut at a clause after 320 columns if the agent said it", () => {
		const [asked] = open(PORT, `< Should I commit it, ${"or wait for the review, ".repeat(20)}or not?`);
		expect(asked?.text).toMatch(/^Should I commit it, .{200,300} …$/);
	});

	it.each(["no", "ok", "2", "lieber nicht"])("is settled by the user's next message: %s", (user) => {
		const asked: Happening[] = ["> port it to the clock", "< Shall I delete the old fake?"];
		expect(open(...asked, { user }, "< OK, I keep the fake.")).toEqual([]);
	});

	it("is nothing in an empty session", () => expect(open()).toEqual([]));
});
