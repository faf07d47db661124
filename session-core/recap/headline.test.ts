import { describe, expect, it } from "vitest";
import { digestOf, type Happening } from "../digest/log.test-support.ts";
import { displayWidth } from "../text/clip.ts";
import { heuristicRecap } from "./heuristic.ts";
import { withoutExclamation, withoutLead } from "./leads.ts";
import { wholePhrase } from "./phrase.ts";

function headlineOf(...happenings: Happening[]): string {
	return heuristicRecap(digestOf(happenings), { id: "", subjectId: "", createdAt: 0 }).headline;
}

const EDIT: Happening = { tool: "edit", args: { path: "src/lexer.ts" }, diff: "+ 1 a" };
const commit = (subject: string): Happening => ({
	bash: "git commit -am x",
	out: `[main 1a2b3c4] ${subject}`,
});

describe("a headline", () => {
	it("is the request, not the question on the way", () => {
		expect(
			headlineOf(
				{ user: "make the lexer accept trailing commas in arrays" },
				EDIT,
				{ says: "The lexer accepts trailing commas in arrays." },
				{ user: "how does the lexer know that a comma is trailing in arrays?" },
				{ says: "The lexer looks one token ahead." },
			),
		).toBe("make the lexer accept trailing commas in arrays");
	});

	it("is the commit's subject where the prompts only point at something", () => {
		expect(
			headlineOf(
				{ user: "this is broken, why?" },
				{ says: "The lexer drops the last token." },
				{ user: "ok, fix it" },
				EDIT,
				commit("fix(lexer): keep the last token of a line"),
				{ says: "Fixed and committed." },
			),
		).toBe("keep the last token of a line");
	});

	it("is what was made, not how it was to be handed over", () => {
		expect(
			headlineOf(
				{ user: "commit and push everything to the branch" },
				commit("Map the codex model to its context window"),
				{ says: "Committed and pushed everything to the branch." },
			),
		).toBe("Map the codex model to its context window");
	});

	it("is not a step when there were many commits", () => {
		const steps = [1, 2, 3, 4, 5, 6].map((step) => commit(`Step ${step}: port the next screen`));
		expect(
			headlineOf({ user: "port the settings screens to the theme system" }, EDIT, ...steps, {
				says: "The settings screens use the theme system.",
			}),
		).toBe("port the settings screens to the theme system");
	});

	it("is the comment, not the page that it quotes", () => {
		expect(
			headlineOf(
				{
					user: "## Skill structure\nA skill is a folder.\nIt has scripts.\nshorten the skill section to two lines",
				},
				EDIT,
				{
					says: "The skill section has two lines now: a skill is a folder, and it has scripts.",
				},
			),
		).toBe("shorten the skill section to two lines");
	});

	it("has no end of a longer sentence", () => {
		const long =
			"단일 종목을 자세히 보는 화면 말고 테이블이 보이는 대시보드 화면에서 각 종목의 호가 잔량 비율이 보이게 해줘";
		const headline = headlineOf({ user: long }, EDIT, { says: "대시보드에 호가 잔량 비율을 추가했습니다." });
		expect(displayWidth(headline)).toBeLessThanOrEqual(80);
		expect(headline).not.toMatch(/…|[.,;:!?]$/);
		expect(headline).toBe("테이블이 보이는 대시보드 화면에서 각 종목의 호가 잔량 비율이 보이게 해줘");
	});
});

describe("what a speaker puts around a request", () => {
	it.each([
		["alright, let's tackle the parser", "tackle the parser"],
		["sooo can you please fix the login page?", "fix the login page?"],
		["ok, i think we need to split the big module", "split the big module"],
		["we are ready to release, aren't we?", "we are ready to release"],
		["port the last screen, read it in full", "port the last screen"],
		["after you are done, remove the old files", "remove the old files"],
		["can we?", "can we?"],
		["can't we move this to the settings?", "can't we move this to the settings?"],
		["note the parser's limits", "note the parser's limits"],
		["파서를 고쳐줘", "파서를 고쳐줘"],
	])("%s → %s", (said, wanted) => {
		expect(withoutLead(said)).toBe(wanted);
	});

	it.each([
		["gosh, the terminal shows the same grays", "the terminal shows the same grays"],
		["muted and dim are the same in the terminal, huh", "muted and dim are the same in the terminal"],
		["parser, lexer, printer and the rest need tests", "parser, lexer, printer and the rest need tests"],
		["in pi, compact is not shown as work", "in pi, compact is not shown as work"],
	])("%s → %s", (said, wanted) => {
		expect(withoutExclamation(said, () => false)).toBe(wanted);
	});
});

describe("wholePhrase", () => {
	it.each([
		[
			"ends before the next phrase",
			"the queued messages component doesn't adhere to the invariant that every line fits into the width",
			"the queued messages component doesn't adhere to the invariant",
		],
		["has no place to cut in a single word", "x".repeat(200), undefined],
	])("%s", (_, text, expected) => {
		expect(wholePhrase(text, 80)).toBe(expected);
	});
});
