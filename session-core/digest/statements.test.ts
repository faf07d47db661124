import { describe, expect, it } from "vitest";
import { claimsIn, isUnsupported } from "./claims.ts";
import { readBlocks, sentencesOf, stripMarks } from "./prose.ts";
import { bareStep, readStatements } from "./statements.ts";

describe("readBlocks", () => {
	it("reads headings, sentences, nested items, open boxes and rows; a table's head says nothing", () => {
		const blocks = readBlocks(
			"## Result\nIt **works** now.\n\n- [ ] `a.ts`\n  - deeper\n\n| # | tool | state |\n|---|---|---|\n| 1 | Orca | ✅ done |\n\n```sh\nnpm test\n```",
		);
		expect(blocks.map(({ kind, text, depth, open }) => ({ kind, text, depth, open }))).toEqual([
			{ kind: "heading", text: "Result", depth: 0, open: false },
			{ kind: "text", text: "It works now.", depth: 0, open: false },
			{ kind: "item", text: "a.ts", depth: 0, open: true },
			{ kind: "item", text: "deeper", depth: 1, open: false },
			{ kind: "row", text: "Orca: ✓ done", depth: 0, open: false },
			{ kind: "code", text: "npm test", depth: 0, open: false },
		]);
	});

	it("leaves out a medal, and no sign that may say how something stands", () => {
		const rows = readBlocks("| 🥇 | **Orca** | 8.6 |\n| timeout | 300 | ❓ |");
		expect(rows.map(({ text }) => text)).toEqual(["Orca: 8.6", "timeout: 300, ❓"]);
	});

	it("knows the part that a heading calls the conclusion, and what stands below it", () => {
		const reply = "# Report\nA.\n\n## 4. 결론\n\n### Context\nB.\n\n## Sources\nC.";
		const concluding = readBlocks(reply).filter(({ concludes }) => concludes);
		expect(concluding.map(({ text }) => text)).toEqual(["4. 결론", "Context", "B."]);
	});

	it("keeps underscores that belong to a name", () => {
		expect(stripMarks("see `__init__.py`, __init__ and _this_ **one**")).toBe(
			"see __init__.py, __init__ and this one",
		);
	});

	it("splits sentences, but not at abbreviations or file names", () => {
		expect(sentencesOf("Use a.ts, e.g. here. Done! 끝났다。다음")).toEqual([
			"Use a.ts, e.g. here.",
			"Done!",
			"끝났다。",
			"다음",
		]);
	});
});

describe("readStatements", () => {
	it.each([
		[
			"a question at the end",
			"I found two ways.\n\nShould I take the first one?",
			"questions",
			["Should I take the first one?"],
		],
		["a Korean question", "PR을 열었습니다.\n\n머지할까?", "questions", ["머지할까?"]],
		["a Chinese question", "已经改好了。要不要提交？", "questions", ["要不要提交？"]],
		["a Spanish question", "Está listo. ¿Lo publico?", "questions", ["¿Lo publico?"]],
		[
			"a question inside a list",
			"Check:\n- What is it set to? Try 1\n- Toggle it\n\nIt is a bug.\n\nA.\n\nB.\n\nC.\n\nD.",
			"questions",
			["What is it set to? Try 1"],
		],
		[
			"steps under a heading",
			"Done.\n\n**Next steps:**\n- Test it\n- Replace the old code",
			"nextSteps",
			["Test it", "Replace the old code"],
		],
		[
			"steps under a Korean heading",
			"끝.\n\n## 다음 단계\n1. 문서 정리\n2. 배포",
			"nextSteps",
			["문서 정리", "배포"],
		],
		["open boxes", "- [x] parser\n- [ ] printer", "nextSteps", ["printer"]],
		[
			"a sentence that says so",
			"All set. Next is WP14: create main.ts.",
			"nextSteps",
			["Next is WP14: create main.ts."],
		],
		[
			"an offer",
			"It is the timer.\n\nIf you want, I can patch it.",
			"offers",
			["If you want, I can patch it."],
		],
		["a courtesy, which offers nothing", "보냈습니다.\n\n개별 파일로도 필요하면 말씀해요!", "offers", []],
		["the same in English", "Sent.\n\nLet me know if you need anything else.", "offers", []],
		[
			"a courtesy that names a deed",
			"It is the timer.\n\nLet me know if you agree and I'll patch it.",
			"offers",
			["Let me know if you agree and I'll patch it."],
		],
		[
			"a question above the list that explains it",
			"Better.\n\nWant me to do this? The changes would be:\n1. a\n2. b\n3. c\n4. d\n\nOr we keep it.",
			"questions",
			["Want me to do this?"],
		],
		[
			"none that its speaker answers",
			"Why do programmers like dark mode? Light attracts bugs.",
			"questions",
			[],
		],
		[
			"one with a recommendation behind it",
			"Should it move, too? I would leave it.",
			"questions",
			["Should it move, too?"],
		],
		[
			"no question in a signature",
			"The pattern is:\n- showSelector(component, focusTarget?)",
			"questions",
			[],
		],
		[
			"a condition before the work",
			"설계 끝.\n\n빠진 거 없으면 코드를 쓰겠습니다.",
			"offers",
			["빠진 거 없으면 코드를 쓰겠습니다."],
		],
	] as const)("%s", (_, reply, kind, expected) => {
		expect(readStatements(reply)[kind]).toEqual(expected);
	});

	it("takes a heading over what the page contains for no step", () => {
		expect(readStatements("웹사이트는 다음 섹션을 포함:\n- 개요\n- 순위").nextSteps).toEqual([]);
	});

	it("takes no step from a list that says there is none, nor from a heading that only sounds so", () => {
		expect(readStatements("Done.\n\n**What's left:**\n- Nothing").nextSteps).toEqual([]);
		expect(readStatements("### Next.js\n- App router\n\n### Left\n- Navigation").nextSteps).toEqual([
			"Navigation",
		]);
		expect(readStatements("### Todo features\n- Labels").nextSteps).toEqual([]);
	});

	it("hears no question in a heading that its section answers", () => {
		expect(readStatements("Done.\n\n## What changed?\nThe parser.\n\n## Why?\nCommas.").questions).toEqual(
			[],
		);
	});

	it.each([
		"The branch is ready for the release.",
		"It is happy to reuse sockets.",
		"I can reproduce it with curl.",
	])("takes %j for no offer", (reply) => {
		expect(readStatements(reply).offers).toEqual([]);
	});

	it("says a step without the words that only say that it is one", () => {
		expect(bareStep("Next is WP14: create main.ts")).toBe("WP14: create main.ts");
	});
});

describe("claims", () => {
	const nothing = { checks: false, committed: false, pushed: false, merged: false, published: false };
	it.each([
		["All tests pass now.", ["checks"]],
		["cd core && go test ./pkg -count=1 passed", ["checks"]],
		["`astro build` 그린, 정리 완료", ["checks"]],
		["测试全部通过", ["checks"]],
		["I committed and pushed it.", ["committed", "pushed"]],
		["PR #50을 dev에 머지했습니다", ["merged"]],
		["Published to npm.", ["published"]],
		["The tests do not pass yet.", []],
		["If the tests pass, we can merge.", []],
		["All tests pass, so you can merge this.", ["checks"]],
		["214 tests passed with 0 failures.", ["checks"]],
		["The tests fail, but the build is green.", ["checks"]],
		["CI is green.", ["checks"]],
		["The suite is at 214/214.", ["checks"]],
		["Alle Tests laufen durch.", ["checks"]],
		["Tous les tests passent.", ["checks"]],
		["Все тесты проходят.", ["checks"]],
		["すべてのテストがパスしました", ["checks"]],
		["Os testes passam.", ["checks"]],
		["已提交并推送到远端", ["committed", "pushed"]],
		["La branche est poussée.", ["pushed"]],
		["Ветка запушена.", ["pushed"]],
		["Der PR ist gemergt.", ["merged"]],
		["Shipped to production, users will see it once the cache is cold.", ["published"]],
		["It's live.", ["published"]],
		["Se ha desplegado en producción.", ["published"]],
		["Se ha publicado la versión 1.2.", ["published"]],
		["Merged.", ["merged"]],
		["I merged formatShort() and formatLong() into formatDate(style).", []],
		["The lock is released in a finally block.", []],
		["An invoice.paid event is now published to the orders topic.", []],
		["The permission check now works for nested groups.", []],
		["Added a test that works offline.", []],
		["Created notes.txt with a list.", []],
	])("%s → %j", (sentence, claims) => {
		expect(claimsIn(sentence)).toEqual(claims);
		expect(isUnsupported(sentence, nothing)).toBe(claims.length > 0);
	});
});
