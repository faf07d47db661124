import { describe, expect, it } from "vitest";
import { ASK, cwd, DONE, EDIT, type Happening, PASS, timelineOf } from "./log.test-support.ts";
import { RENDER_BOUND, renderTimeline } from "./render.ts";

const rendered = (...happenings: Happening[]): string => renderTimeline(timelineOf(happenings, { cwd }));
const lineOf = (text: string, start: string): string | undefined =>
	text.split("\n").find((line) => line.startsWith(start));
const edit = (path: string, diff: string): Happening => ({ tool: "edit", args: { path }, diff });

describe("the shape", () => {
	it("is the larger work, the turns, the last event, the last reply, files and commits", () => {
		const text = rendered(
			"> move the retry queue to SQLite, with a migration for the rows that are still waiting",
			edit("src/queue.ts", "+ 1 a\n- 1 b"),
			"edit src/db.ts",
			"< The queue now lives in SQLite; 3 tests still use the old fake.",
			'> <skill name="review" location="/s">\nLook.\n</skill>\n\ncheck the locking in src/queue.ts too',
			"$ pnpm --filter worker test | tail -5 → 2 failed, 41 passed",
			edit("src/queue.ts", "+ 1 a\n+ 2 b"),
			edit("src/queue.ts", "- 1 a"),
			"$ pnpm --filter worker test | tail -5 → 43 passed",
			{ tool: "save_commit", args: { message: "fix: lock first" }, out: "Commit successful. Hash: 1a2b3c4" },
			"edit docs/queue.md",
			"< The lock is taken before reading.",
		);
		expect(text.split("\n")).toEqual([
			"Larger work: #1",
			"Timeline, oldest first (#n = a request of the user and what followed):",
			"#1 USER: move the retry queue to SQLite, with a migration for the rows that are still waiting",
			"  - edited src/queue.ts (+1 −1): b → a",
			"  - edited src/db.ts (+1 −0): a",
			"  AGENT: The queue now lives in SQLite; 3 tests still use the old fake.",
			"#2 USER: [skill review] check the locking in src/queue.ts too",
			"  - ran pnpm --filter worker test | tail -5 → 2 failed, 41 passed",
			"  - edited src/queue.ts ×2 (+2 −1): a / b; removed: a",
			"  - ran pnpm --filter worker test | tail -5 → 43 passed",
			"  - save_commit fix: lock first → Commit successful. Hash: 1a2b3c4",
			"  - edited docs/queue.md (+1 −0): a",
			"LAST EVENT: the run ended by itself with the reply below.",
			"LAST REPLY:",
			"The lock is taken before reading.",
			"Edited after the last commit: docs/queue.md",
			"No command ran after the last edit.",
		]);
	});

	it("names the session, and the goal of an earlier summary", () => {
		const text = rendered(
			"summary: ## Goal⏎Move the queue to SQLite⏎✅ schema",
			...[ASK, DONE, "name: Queue in SQLite"],
		);
		expect(text).toMatch(
			/^Session name: Queue in SQLite\nGoal of the work, by an earlier summary: Move the queue to SQLite\n/,
		);
	});

	it("summarizes read-only steps and shows failures, calls without a result, and the user's own commands", () => {
		const text = rendered(
			ASK,
			...["a", "b", "c", "d", "e"].map(
				(name): Happening => ({ tool: "read", args: { path: `/code/app/src/${name}.ts` } }),
			),
			"$ rg foo",
			"$ rg bar",
			"! make all → make: *** No rule to make target 'all'.  Stop.",
			{ ran: "git stash", out: "Saved working directory" },
			{ bash: "cd /code/app && ./deploy.sh", pending: true },
		);
		expect(lineOf(text, "  - only read")).toBe("  - only read: src/d.ts; src/e.ts; rg foo; rg bar (+3)");
		expect(lineOf(text, "  - ran make")).toMatch(/ → FAILED: .*No rule to make target/);
		expect(lineOf(text, "  - USER ran")).toMatch(/^ {2}- USER ran !git stash → Saved/);
		expect(lineOf(text, "  - ran ./deploy.sh")).toBe("  - ran ./deploy.sh → no result yet");
	});

	it.each([
		[1, "#1 USER: [image] why?"],
		[2, "#1 USER: [2 images] why?"],
	])("counts the images of a request: %i", (count, line) => {
		const images = Array.from({ length: count }, () => ({ type: "image", data: "", mimeType: "image/png" }));
		const content = [{ type: "text", text: "why?" }, ...images];
		expect(rendered({ entry: { message: { role: "user", content } } }, DONE)).toContain(line);
	});

	it("shows work without a request without a number", () =>
		expect(rendered(EDIT, DONE)).toMatch(/^\(no request\)\n {2}- edited src\/parser\.ts/m));

	it("shows the agent's interim messages, canceled and removed things, and how a turn ended", () => {
		const text = rendered(
			ASK,
			"< The grammar has 2 such lists.",
			EDIT,
			"edit src/old.ts",
			"$ git rm src/old.ts → rm 'src/old.ts'",
			{ bash: "npm test", aborted: true },
			"aborted",
			"> now the printer, in the same way",
			{ says: "", stop: "error", error: "fetch failed" },
			"> try the printer once more, please",
			DONE,
		);
		expect(lineOf(text, "  - AGENT")).toBe("  - AGENT: The grammar has 2 such lists.");
		expect(lineOf(text, "  - ran npm")).toMatch(/ → cancelled/);
		expect(lineOf(text, "  (aborted")).toBe("  (aborted)");
		expect(lineOf(text, "  (failed")).toBe("  (failed: fetch failed)");
		expect(lineOf(text, "Other files changed")).toContain("src/old.ts (removed)");
	});

	it("quotes the agent's interim messages at length if there is no reply, or the reply was stopped at once", () => {
		const onTheWay =
			"In the old renderer there are three places: 1. the constructor reads the list once, 2. the completion shows it, 3. sending expands it. They are read once and passed in, so that nothing has to be read again.";
		const stopped = rendered(ASK, { says: onTheWay }, EDIT, "aborted");
		expect(stopped).toContain(onTheWay);
		expect(rendered(ASK, { says: onTheWay }, EDIT, DONE)).not.toContain(onTheWay);
		const atOnce = rendered(ASK, DONE, "> and now the printer", "aborted", ASK, DONE);
		expect(atOnce).toMatch(/^ {2}\(aborted before any output\)$/m);
	});

	it("leaves out the bodies of here-documents", () => {
		const text = rendered(ASK, "$ python3 - <<'EOF'\nsecret_body()\nEOF\necho ok → 3 passed");
		expect(text).toMatch(/ran python3 - <<'EOF' … echo ok → 3 passed/);
		expect(text).not.toMatch(/secret_body/);
	});

	it("names the files that were read if nothing was changed", () => {
		const read: Happening = { tool: "read", args: { path: "src/a.ts" } };
		expect(rendered(ASK, read, DONE)).toMatch(/^Looked at, newest first: src\/a\.ts$/m);
		expect(rendered(ASK, read, EDIT, DONE)).not.toMatch(/^Looked at/m);
	});

	it("lists files and commits that the turns in detail do not show, newest first", () => {
		const turns = Array.from({ length: 20 }, (_, index): Happening[] => [
			`> now port module ${index} to the new clock`,
			`edit src/part-${index}.ts`,
			`$ git commit -m x → [main 1a2b3${index + 10}] Port module ${index}`,
			"< Ported.",
		]);
		const text = rendered(...turns.flat());
		expect(lineOf(text, "  - edited src/part-12.ts")).toBeDefined();
		expect(lineOf(text, "Other files changed")).toMatch(
			/: src\/part-11\.ts.*part-10.*part-9.*part-8.*part-4[^;]*; \+4 more$/,
		);
		expect(lineOf(text, "Commits")).toMatch(/: 1a2b318 .*1a2b321 Port module 11 \(#12\)$/);
	});
});

it.each<[Happening[], string]>([
	[[ASK, EDIT, { says: "" }], "the run ended by itself; its reply is not part of this excerpt."],
	[[ASK, DONE], "the run ended by itself with the reply below."],
	[[ASK, "< Which one should it be?"], "the run ended by itself; the last reply asks the user."],
	[[ASK, "aborted"], "the user aborted the run before any output."],
	[[ASK, EDIT, "aborted"], "the user aborted the run."],
	[[ASK, { says: "", stop: "error", error: "fetch failed" }], "the run failed: fetch failed."],
	[
		[ASK, { bash: "npm test", pending: true }],
		"the log stops in the middle of the run, waiting for bash npm test.",
	],
	[
		[ASK, { says: "The", stop: "length" }],
		"the log stops in the middle of the run: the reply was cut off at the model's limit.",
	],
	[[], "nothing was said yet."],
])("%j: the last event is that %s", (happenings, event) => {
	expect(lineOf(rendered(...happenings), "LAST EVENT: ")).toBe(`LAST EVENT: ${event}`);
});

const NONE = "No command ran after the last edit.";
it.each<[string, Happening[], boolean]>([
	["an edit comes last", [ASK, PASS, EDIT, DONE], true],
	["only reading follows", [ASK, EDIT, { tool: "read", args: { path: "a.ts" } }, DONE], true],
	["a check follows", [ASK, EDIT, PASS, DONE], false],
	["a command that only looks follows", [ASK, EDIT, "$ cat a.ts", DONE], false],
	["the edit was itself a command", [ASK, "$ sed -i s/a/b/ a.ts", DONE], false],
	["an unknown tool follows", [ASK, EDIT, { tool: "verify_all", args: {} }, DONE], false],
	["nothing was edited", [ASK, DONE], false],
	["it was edited in an earlier turn", [ASK, EDIT, DONE, "> thanks", "< 👍"], false],
])("what was not done is said only where no command ran after the last edit: %s", (_, happenings, isSaid) => {
	expect(rendered(...happenings).includes(NONE)).toBe(isSaid);
});

describe("a log that is too long", () => {
	const turn = (index: number): Happening[] => [
		`> Part ${index}: ${"port this module to the new clock and drop its timers ".repeat(4)}`,
		"< I read the module first.",
		...Array.from({ length: 30 }, (_, step) => `edit src/part-${index}/file-${step}.ts`),
		...Array.from(
			{ length: 30 },
			(_, step): Happening => `$ make part-${index} step=${step} → ${step} passed`,
		),
		`< Part ${index} is ported. ${"It took a while. ".repeat(40)}`,
	];
	const log = Array.from({ length: 40 }, (_, index) => turn(index)).flat();
	const text = rendered(...log);

	it("is rendered within the bound", () => expect(text.length).toBeLessThan(4_600));

	it("shows the newest in most detail, says how much is left out, and loses no part of the frame", () => {
		expect(text).toMatch(/^#40 USER: Part 39/m);
		expect(text).toMatch(/ran make part-39 step=29 → 29 passed/);
		expect(text).toMatch(/^\(\d+ older left out\)$/m);
		expect(text).toMatch(/^ {2}- \(\d+ earlier steps left out\)$/m);
		expect(text).not.toMatch(/ran make part-2 /);
		expect(text).toMatch(/^LAST EVENT: /m);
		expect(text).toMatch(/^LAST REPLY:\nPart 39 is ported\./m);
		expect(text).toMatch(/^ {2}- edited part-39\/file-26\.ts, .*, part-39\/file-29\.ts \(\+26\)$/m);
		expect(text).toMatch(/^Files changed, newest first: src\/part-39\/file-29\.ts.*; \+52 more$/m);
		const numbers = [...text.matchAll(/^#(\d+) USER/gm)].map((match) => Number(match[1]));
		expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
	});

	it("keeps the frame even if every text in it has its maximum length", () => {
		const long = (name: string): string => `${name}-${"long-name-".repeat(20)}`;
		const paths = Array.from({ length: 20 }, (_, index) => `${long("src/part")}/${index}.ts`);
		const status = paths.map((path) => ` M ${path}`).join("\n");
		const worst = rendered(
			`summary: ## Goal⏎${"Port every module. ".repeat(90)}`,
			{ user: "Port every module to the new clock. ".repeat(90) },
			...log,
			`$ git commit -m x → [main 1a2b3c4] ${"subject ".repeat(40)}`,
			{ bash: "git status -s", out: status },
			...paths.map((path) => edit(path, "+ 1 a")),
			{ says: "", stop: "error", error: "failure ".repeat(400) },
			`name: ${"name ".repeat(90)}`,
		);
		expect(worst.length).toBeLessThanOrEqual(RENDER_BOUND);
		for (const start of [
			"Session name: ",
			"Larger work",
			"Goal of",
			"#41 USER",
			"LAST EVENT: ",
			"Files changed",
			"Not",
		])
			expect(lineOf(worst, start), start).toBeDefined();
		expect(worst).toMatch(/\nNo command ran after the last edit\.$/);
	});

	it("shows an older request and its outcome on one line", () => {
		const short = rendered(
			ASK,
			EDIT,
			"$ git commit -m x → [main 1a2b3c4] Accept commas",
			DONE,
			...Array.from({ length: 9 }, (_, index): Happening[] => [
				`> now port module ${index} to the new clock`,
				`< Module ${index} is ported.`,
			]).flat(),
		);
		expect(lineOf(short, "#1 USER")).toBe(
			"#1 USER: Make the parser in src accept trailing commas please → edited src/parser.ts; 1a2b3c4 Accept commas → AGENT: The parser takes trailing commas now.",
		);
	});

	it("keeps 800 characters of the reply to the last work if small talk followed it", () => {
		const says = Array.from({ length: 90 }, (_, index) => `Module ${index} reads the clock.`).join(" ");
		const text = rendered(ASK, EDIT, { says }, "> nice", "< Thanks!");
		expect(lineOf(text, "  AGENT: ")?.length).toBeGreaterThan(700);
		expect(lineOf(text, "  AGENT: ")?.length).toBeLessThan(850);
	});
});

it("sends no secret and no control character", () => {
	const text = rendered(
		"> use AKIAIOSFODNN7EXAMPLE for \u001b[31mthe upload\u0007 of the report please",
		"< \u202eDone.",
	);
	expect(text).not.toMatch(/AKIAIOSFODNN7EXAMPLE|[\u0000-\u0009\u000b-\u001f\u202e]/);
});
