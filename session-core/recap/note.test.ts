import { describe, expect, test } from "vitest";
import { type Happening, timelineOf } from "../log/timeline/log.test-support.ts";
import { displayWidth } from "../text/clip.ts";
import { languageNamed } from "../text/index.ts";
import { noteIn, readNote } from "./check-note.ts";

const WHOLE = [
	"<recap>Fixing the parser. Next: add a test.</recap>",
	"<topic>Fix the date parser</topic>",
	"<done>edited parse.ts\n43 passed</done>",
	'<next kind="question">Shall I commit it?</next>',
];
const READ = {
	recap: "Fixing the parser. Next: add a test.",
	topic: "Fix the date parser",
	done: "edited parse.ts\n43 passed",
	next: { kind: "question", text: "Shall I commit it?" },
};

describe("the parts of an answer", () => {
	test.each([
		["in order", WHOLE.join("\n")],
		["in another order, on one line", WHOLE.toReversed().join("")],
		["with other text around them", `Let me think… ${WHOLE.join(" Hm. ")} Done.`],
		["in capitals", WHOLE.join("\n").replace(/<\/?[a-z]+/g, (tag) => tag.toUpperCase())],
		["without closing tags", WHOLE.join("\n").replace(/<\/[a-z]+>/g, "")],
		["after a thought with drafts", `<think>So <recap>Draft.</recap> Hm.</think>${WHOLE.join("")}`],
		["after a thought that mentions a tag", `The <next> tag. Good.</think>\n${WHOLE.join("\n")}`],
		["as JSON", JSON.stringify({ ...READ, done: READ.done.split("\n") })],
		["as JSON with a flat next", JSON.stringify({ ...READ, next: READ.next.text, next_kind: "question" })],
	])("are read %s", (_, answer) => {
		const { done = "", ...rest } = readNote(answer);
		expect({ ...rest, done: done.trim() }).toEqual(READ);
	});

	test.each<[string, string, string | undefined]>([
		["only the recap", "<recap>Fixing it.</recap>", "Fixing it."],
		["letters with a longer lowercase form", "<RECAP>İstanbul, İzmir.</Recap>", "İstanbul, İzmir."],
		["a thought inside", "<recap>Fixing it. <think>Is that so? Yes.</think></recap>", "Fixing it. "],
		["a session about thoughts", "<recap>It strips <think> tags.</recap>", "It strips <think> tags."],
		["no tag, which may be reasoning", "The user wants a recap. Fixing the parser.", undefined],
		["a recap that was cut off", "<recap>Fixing the par", undefined],
		["a mention that was cut off", "I write it inside <recap> tags. I will mention the login.", undefined],
		["a draft in an open thought", "<thinking>So: <recap>Draft of it.</recap> Hm, is", undefined],
		["reasoning below it", "<recap>Fixing it.\n\nNow the topic.\n<topic>Login</topic>", "Fixing it."],
	])("%s", (_, answer, recap) => expect(readNote(answer).recap?.trim()).toBe(recap?.trim()));

	test("may be only a topic, which is empty if the session has none yet", () => {
		const thought = "<think>Maybe <topic>X</topic>, or no: </think>";
		expect(readNote(`${thought}<topic>Fix the login</topic>`)).toEqual({ topic: "Fix the login" });
		expect(readNote('{"topic": "Fix the login"}')).toEqual({ topic: "Fix the login" });
		expect(readNote("<topic></topic>")).toEqual({ topic: "" });
		expect(readNote("Fix the login redirect")).toEqual({});
	});

	test("lose their incomplete end if the answer was cut off", () => {
		expect(readNote("<done>edited a.ts\n43 pas").done?.trim()).toBe("edited a.ts");
		expect(readNote("<topic>Fix the da").topic).toBeUndefined();
		expect(readNote('<next kind="question">Shall I com').next).toBeUndefined();
	});

	test.each(["<next kind='none'></next>", '<next kind="none"/>', "<next kind=NONE>"])("%s is none", (tag) =>
		expect(readNote(`<recap>Fixing it.</recap>${tag}\n`).next?.kind ?? "none").toBe("none"),
	);
});

const ASKED: Happening[] = [
	"> fix the date parser in parse.ts",
	"edit parse.ts",
	"$ npm test → Tests  43 passed (43)",
	"< The parser **rejects** day 31, and 43 tests pass.\n\nNext I would add a test. Laat me weten welke je wilt:\n\n- nu\n- later",
];
const noteOf = (answer: string, happenings = ASKED, language?: string) => {
	const timeline = timelineOf(happenings);
	const input = timeline.turns
		.map(({ request, reply }) => `${request} ${reply} parse.ts 43 passed`)
		.join("\n");
	return noteIn(answer, {
		timeline,
		input,
		language: language === undefined ? undefined : languageNamed(language),
	});
};
const nextOf = (kind: string, text: string, happenings = ASKED) =>
	noteOf(`<recap>The parser rejects day 31.</recap><next kind="${kind}">${text}</next>`, happenings)?.next;

describe("the used parts of a note", () => {
	test("are checked one by one", () => {
		expect(noteOf("<recap>Edited lexer.ts, 99 passed.</recap><topic>Fix the date parser</topic>")).toEqual({
			text: undefined,
			headline: "Fix the date parser",
			bullets: [],
			next: undefined,
		});
		expect(noteOf("<recap>What is the task?</recap><done>43 passed\nwrote lexer.ts</done>")).toMatchObject({
			text: undefined,
			bullets: ["43 passed"],
		});
		expect(noteOf("<recap>I am sorry.</recap><topic>Untitled</topic>")).toBeUndefined();
		expect(noteOf("")).toBeUndefined();
	});

	test("do not include facts in another script than that of the language setting", () => {
		const answer =
			"<recap>解析器已修复，43 个测试通过。</recap><topic>修复日期解析器</topic><done>the parser is repaired\n修改了 parse.ts</done>";
		expect(noteOf(answer, ASKED, "zh")?.bullets).toEqual(["修改了 parse.ts"]);
	});

	test("may name what the session created, and keep the asterisks of a glob", () => {
		const log: Happening[] = [
			"> lint the docs",
			"$ gh pr create --fill → https://github.com/a/b/pull/1592",
			"< The draft PR #1592 is open; it lints **/*.mdx.",
		];
		const note = noteOf(
			"<recap>The docs in **/*.mdx are linted.</recap><topic>Lint the docs, PR #1592</topic>",
			log,
		);
		expect(note).toMatchObject({
			text: "The docs in **/*.mdx are linted.",
			headline: "Lint the docs, PR #1592",
		});
	});

	test("have at most 400 columns of sentences, without markup and control sequences", () => {
		const long = noteOf(`<recap>${"Fixing the parser of dates. ".repeat(200)}</recap>`)?.text ?? "";
		expect(displayWidth(long)).toBeLessThanOrEqual(400);
		expect(long).toMatch(/dates\. …$/);
		const marked = noteOf("<recap>- **The** `parser` \x1b]52;c;aGk=\x07rejects \u202eday 31 now.</recap>");
		expect(marked?.text).toBe("The parser rejects day 31 now.");
	});

	test("have at most three facts of 140 columns", () => {
		const { bullets = [] } =
			noteOf(`<done>${"- 43 tests of the parser pass, ".repeat(9)}\n43 a\n43 b\n43 c</done>`) ?? {};
		expect(bullets).toHaveLength(3);
		expect(bullets.every((line) => displayWidth(line) <= 140)).toBe(true);
	});
});

describe("the open items of a note", () => {
	const open = (kind: string, text: string) => [{ kind, text }];
	test.each<[string, string, { kind: string; text: string }[] | undefined]>([
		["request", "Laat me weten welke je wilt:", open("request", "Laat me weten welke je wilt: nu; later")],
		["request", "laat me weten welke je wilt\nnu", open("request", "laat me weten welke je wilt nu")],
		["question", "Welke wil je?", undefined],
		["step", "Next I would add a test.", open("step", "Next I would add a test.")],
		["step", "Next I would add a ~ test.", open("suggestion", "Next I would add a ~ test.")],
		["step", "Add a regression test", open("suggestion", "Add a regression test")],
		["step", "The parser rejects day 31", open("step", "The parser rejects day 31")],
		["", "Next I would add a test.", open("step", "Next I would add a test.")],
		["none", "Laat me weten welke je wilt", []],
	])("%s %j is %j", (kind, text, expected) => expect(nextOf(kind, text)).toEqual(expected));

	test("never include a question as a step, and at most three steps", () => {
		const log: Happening[] = ["> fix the parser now", "< The parser rejects day 31. Commit it?"];
		expect(nextOf("step", "Commit it?", log)).toEqual([{ kind: "question", text: "Commit it?" }]);
		const steps = Array.from({ length: 10 }, (_, index) => `step ${index}`).join("\n");
		expect(nextOf("step", steps)).toHaveLength(3);
	});

	test("keep the reply's question if the step is not in the reply, but not if nothing is open", () => {
		const log: Happening[] = ["> store the sessions", "< Both work. Redis or Postgres?"];
		expect(nextOf("step", "Choose Redis or Postgres", log)).toBeUndefined();
		expect(nextOf("none", "", log)).toEqual([]);
	});

	test("after an abort are the interrupted request and the step that the model suggests", () => {
		const log: Happening[] = [...ASKED, "> go", "aborted"];
		expect(nextOf("step", "Add a test", log)).toEqual([
			{ kind: "cut_short", text: "go" },
			{ kind: "suggestion", text: "Add a test" },
		]);
		for (const kind of ["none", "question", "offer"])
			expect(nextOf(kind, "Nothing is open.", log)).toBeUndefined();
	});
});
