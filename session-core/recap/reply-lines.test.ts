import { describe, expect, it } from "vitest";
import { displayWidth } from "../text/clip.ts";
import { replyLines } from "./reply-lines.ts";

const said = (reply: string, columns = 400): string[] => replyLines(reply, columns);

describe("the quoted reply", () => {
	it("is quoted in whole sentences, in their order, a paragraph in a line", () => {
		expect(said("The lexer takes commas. It keeps comments.\n\nThe printer is next.")).toEqual([
			"The lexer takes commas. It keeps comments.",
			"The printer is next.",
		]);
	});

	it("is quoted whole in a language without spaces", () => {
		expect(said("分かりました。古いクラスは残します。作業は完了です。")).toEqual([
			"分かりました。古いクラスは残します。作業は完了です。",
		]);
	});

	it("is first its end, then its beginning, then its lists", () => {
		const reply = "The lexer takes commas.\n\n- the docs were left alone\n\nThe printer is next.";
		expect(said(reply, 26)).toEqual(["The printer is next."]);
		expect(said(reply, 50)).toEqual(["The lexer takes commas.", "The printer is next."]);
		expect(said(reply)).toEqual([
			"The lexer takes commas.",
			"the docs were left alone",
			"The printer is next.",
		]);
	});

	it("is without a remark that only leads to the report, unless the remark is concrete", () => {
		const report = "## Result\n\nOrca is the best of the ten tools that I compared.";
		const left = "Orca is the best of the ten tools that I compared.";
		expect(said(`Now I have enough data.\n\n${report}`, 60)).toEqual([left]);
		expect(said(`Fixed in lexer.ts.\n\n${report}`, 80)).toEqual(["Fixed in lexer.ts.", left]);
	});

	const plans = [
		"1. Keep the old name\n2. Take the new one",
		"### A. Keep the old name\n\nNothing breaks, but it stays odd for everyone.\n\n### B. Take the new one",
		"Option A: keep the old name\n- Pro: nothing breaks\n\nOption B: take the new one\n- Pro: it is even",
	];
	it.each([
		[plans[0], "1. Keep the old name; 2. Take the new one"],
		[plans[1], "A. Keep the old name; B. Take the new one"],
		[plans[2], "Option A: keep the old name; Option B: take the new one"],
		[`${plans[2]}\n\nThen:\n\n1. Run it`, "Option A: keep the old name; Option B: take the new one"],
	])(
		"has the choices with their numbers before a question, and the end only if there is room: %j",
		(list, line) => {
			const reply = `There are two ways.\n\n${list}\n\nBoth were tested for a whole day on two machines. Which one?`;
			expect(said(reply, 90)).toEqual(["There are two ways.", line]);
		},
	);

	it("has all choices, shortened, rather than one of them in full, and those with letters rather than a numbered list", () => {
		const choice = (mark: string, name: string) =>
			`| ${mark}) ${name} the old clock | which takes a long time |`;
		const rows = [choice("A", "Keep"), choice("B", "Drop"), choice("C", "Wrap")];
		const table = ["| Way | Cost |", "|---|---|", ...rows].join("\n");
		const reply = `There are ways.\n\n${table}\n\nNotes:\n\n1. The clock is old\n2. It ticks\n\nA, B or C?`;
		expect(said(reply, 90)).toEqual([
			"There are ways.",
			"A) Keep the old…; B) Drop the old…; C) Wrap the old…",
		]);
	});

	it("numbers a list that code interrupts, and leaves out what is below an item", () => {
		const reply = "Changed:\n\n1. the lexer\n   - a branch of it\n\n```sh\nmake\n```\n\n2. the printer:";
		expect(said(reply)).toEqual(["Changed: 1. the lexer; 2. the printer"]);
	});

	it("shortens the items of a list so that more of them fit", () => {
		const item = (name: string) =>
			`- ${name} reads the shared clock, and no timer of its own is left in it any more`;
		const [line = ""] = said(["the lexer", "the printer", "the parser"].map(item).join("\n"), 170);
		expect(line.match(/the \w+ reads/g)).toHaveLength(3);
	});

	it.each([
		["an interjection", "Done! The lexer takes commas.", ["The lexer takes commas."]],
		["a bare path", "src/lexer.ts\n\nThe lexer takes commas.", ["The lexer takes commas."]],
		["a question", "The lexer takes commas. Commit it?", ["The lexer takes commas."]],
		[
			"a lead-in to much code",
			"The lexer works.\n\nThis is how:\n\n```sh\na\nb\nc\nd\n```",
			["The lexer works."],
		],
		["a remark in brackets", "The lexer works.\n\n(or so the tests say)", ["The lexer works."]],
		["code", "The lexer takes commas.\n\n```sh\nrm -rf all the data\n```", ["The lexer takes commas."]],
		["a courtesy", "It works now. Let me know if you want me to tweak it.", ["It works now."]],
		["a repetition", "- It works now.\n- It works now.", ["It works now."]],
		[
			"a sentence with an open bracket",
			"The lexer (see below.\n\nIt takes commas now.",
			["It takes commas now."],
		],
	])("is without %s", (_, reply, lines) => {
		expect(said(reply)).toEqual(lines);
	});

	it("is at most twelve statements, and cuts a sentence that is longer than 200 columns", () => {
		const items = Array.from({ length: 13 }, (_, index) => `- module ${index} reads the clock`);
		expect(said(items.join("\n"), 900)[0]?.match(/module \d/g)).toHaveLength(12);
		const long = `The lexer takes ${"commas and semicolons and ".repeat(9)}colons.`;
		expect(said(`The port is done.\n\n${long}\n\nThe printer is next.`, 900)).toEqual([
			"The port is done.",
			expect.stringMatching(/^The lexer takes .{150,184}…$/),
			"The printer is next.",
		]);
	});

	it("has a statement of each section rather than all statements of the first one", () => {
		const section = (name: string): string =>
			`## ${name}\n\nThe ${name} reads the clock now.\n\nThe ${name} was hard to port.`;
		const reply = `I ported it all.\n\n${["lexer", "parser", "printer"].map(section).join("\n\n")}\n\n## Docs\n\nThe docs are missing.`;
		expect(said(reply, 150)).toEqual([
			"I ported it all.",
			"The lexer reads the clock now.",
			"The parser reads the clock now.",
			"The printer reads the clock now.",
			"The docs are missing.",
		]);
	});

	it("names numbered sections rather than what explains them", () => {
		const reply = `I see two ways.\n\n## A. Keep the timers\n\nThey are old but they work.\n\n## B. Drop the timers\n\nThey are gone then.\n\n## My view\n\nB costs less in the end.\n\nWhich one?`;
		expect(said(reply, 100)).toEqual([
			"I see two ways.",
			"A. Keep the timers; B. Drop the timers",
			"My view: B costs less in the end.",
		]);
	});

	it("is the line that introduces code if there is nothing else", () => {
		expect(
			said("Added to CHANGELOG.md:\n\n```\n- faster\n- smaller\n- safer\n- nicer\n```\n\nShall I commit it?"),
		).toEqual(["Added to CHANGELOG.md"]);
	});

	it("prefers the list at the end to one in the middle", () => {
		const reply = `Ported it.\n\nFiles:\n\n- \`a.ts\` has the lexer\n\nChecks:\n\n- 12 tests pass\n- the linter is silent now`;
		expect(said(reply, 70)).toEqual(["Checks: 12 tests pass; the linter is silent now"]);
	});

	it("prefers a list with numbers to another one before it", () => {
		const reply = `Both of them work.\n\n- \`a.ts\` has the lexer\n\nChoices:\n\n1. Drop the lexer\n2. Keep it\n\nI prefer the first one.`;
		expect(said(reply, 92)).toEqual([
			"Both of them work.",
			"Choices: 1. Drop the lexer; 2. Keep it",
			"I prefer the first one.",
		]);
	});

	it("begins with the heading of the whole reply", () => {
		expect(said("## Done: the port is merged as #12\n\nAll tests pass on the new clock.")).toEqual([
			"Done: the port is merged as #12",
			"All tests pass on the new clock.",
		]);
	});

	it("skips no item of a list", () => {
		const wide = `- The parser ${"reads the new clock and ".repeat(3)}drops its timer`;
		const reply = `Ported:\n\n- The lexer reads a.ts\n${wide}\n- The printer reads b.ts\n\nAll of it works now.`;
		expect(said(reply, 90)).toEqual(["Ported: The lexer reads a.ts …", "All of it works now."]);
	});

	it.each([
		[
			"It works now.\n\n- limits per adapter\n- 12 limits per adapter",
			["It works now.", "12 limits per adapter"],
		],
		["These files changed:\n\n- the lexer and its tests", ["These files changed: the lexer and its tests"]],
		["## Fixes\n\n- the lexer and its tests", ["Fixes: the lexer and its tests"]],
		[
			"It has two parts.\n\n### Machine\n\n(Do it once.)\n\n- the lexer and its tests\n\n### Project\n\nDo it for each one.",
			["It has two parts.", "Machine: the lexer and its tests", "Project: Do it for each one."],
		],
		["The prompt says:\n\n> Use tools sparingly.", ["The prompt says: Use tools sparingly."]],
		[
			"Done: it works now.\n\n- a first change of the lexer.\n- a second one in the printer",
			["Done: it works now.", "a first change of the lexer; a second one in the printer"],
		],
		["It is there:\n\n- Host path: `/srv/db`\n- `/app/db`", ["It is there: Host path: /srv/db; /app/db"]],
		["Fetch it:\n\n```sh\nscp host:/srv/db .\n```", ["Fetch it: scp host:/srv/db ."]],
		["1. Reload, type:\n   ```\n   /reload\n   ```\n2. Ask it", ["1. Reload, type: /reload; 2. Ask it"]],
	])("is a list, a quotation or short code with what leads to it: %j", (reply, lines) => {
		expect(said(reply)).toEqual(lines);
	});

	it("shows where the rest of a list is left out", () => {
		const reply = `These changed:\n\n- the lexer and its tests\n- ${"the printer, ".repeat(9)}too`;
		expect(said(reply, 80)).toEqual(["These changed: the lexer and its tests …"]);
	});

	it("is a list of short items as it was written, below a bold line that is a statement of its own", () => {
		expect(said("**Total: 135 files in core**\n\n**By folder:**\n- adapters: 72\n- pkg: 13")).toEqual([
			"Total: 135 files in core",
			"By folder: adapters: 72; pkg: 13",
		]);
		expect(said("- adapters: 72\n- pkg: 13")).toEqual(["adapters: 72; pkg: 13"]);
	});

	it("is a reply of a single word, if it says nothing else", () => {
		expect(said("Done!")).toEqual(["Done!"]);
		expect(said("Done!\n\nThe lexer takes commas.")).toEqual(["The lexer takes commas."]);
	});

	it("is the beginning of a sentence that does not fit, up to a clause", () => {
		const long =
			"The lexer takes commas in every list, and the printer writes them back in the very same way that it found them there.";
		expect(said(long, 60)).toEqual(["The lexer takes commas in every list …"]);
	});

	it("is nothing where nothing was said or no room is left", () => {
		expect(said("")).toEqual([]);
		expect(said("The lexer takes commas in every list that there is.", 20)).toEqual([]);
	});

	it("never takes more than the room that it has", () => {
		const reply = Array.from(
			{ length: 60 },
			(_, index) => `Module ${index} ${"now reads the clock ".repeat(index % 7)}.`,
		).join("\n\n");
		for (let columns = 0; columns < 700; columns += 37) {
			const width = said(reply, columns).reduce((sum, line) => sum + displayWidth(line) + 3, 0);
			expect(width).toBeLessThanOrEqual(columns + 3);
		}
	});
});
