import { describe, expect, it } from "vitest";
import { cwd, type Happening, timelineOf } from "../timeline/log.test-support.ts";
import { ENGLISH } from "../words/card-words.ts";
import { nextSteps, openActions, wholeRequest } from "./open.ts";
import { nextLines, nextOf } from "./text.ts";

const open = (...happenings: Happening[]): string[] =>
	nextLines(nextOf(openActions(timelineOf(happenings, { cwd }))), ENGLISH);
const ASK: Happening = { user: "Make the parser in src accept trailing commas please" };
const EDIT: Happening = { tool: "edit", args: { path: "src/parser.ts" }, diff: "+ 1 a" };
const asks = (question: string): Happening => ({ says: `The parser takes commas.\n\n${question}` });

describe("what is open", () => {
	it.each<[string, string, string[]]>([
		["the closing question", "Should I commit it?", ["Should I commit it?"]],
		["an offer", "If you want, I can add a changelog entry.", ["If you want, I can add a changelog entry."]],
		[
			"the unticked boxes, at most three",
			"- [x] a b c\n- [ ] the docs\n- [ ] the tests\n- [ ] the demo\n- [ ] the site",
			["the docs", "the tests", "the demo"],
		],
		[
			"a question about the next step, once",
			"Next, should I also drop the old lexer?",
			["Next, should I also drop the old lexer?"],
		],
		["nothing where nothing is asked", "All is green.", []],
	])("is %s", (_, end, actions) => {
		expect(open(ASK, EDIT, asks(end))).toEqual(actions);
	});

	it.each<[string, Happening[]]>([
		["an abort", [{ says: "", stop: "aborted" }]],
		["an error", [{ says: "", stop: "error", error: "fetch failed" }]],
		["a call without a result", [{ bash: "npm test", pending: true }]],
	])("after %s is the request that was cut short", (_, end) => {
		expect(open(ASK, EDIT, ...end)).toEqual([
			"Interrupted request: Make the parser in src accept trailing commas please",
		]);
	});

	it("is the whole request that was cut short, as the user wrote it", () => {
		const user = `make the parser in /code/app/src accept commas:\n${"- and the printer write them back\n".repeat(20)}please`;
		expect(open({ user }, EDIT, { says: "", stop: "aborted" })).toEqual([
			`Interrupted request: ${user.replaceAll("\n", " ")}`,
		]);
		const timeline = timelineOf([{ user: user.repeat(9) }, EDIT, { says: "", stop: "aborted" }]);
		const [point] = openActions(timeline);
		expect(point?.text).toMatch(/^make the parser .{1900,}…$/);
		expect(point && wholeRequest(timeline, point)).toBe(user.repeat(9));
	});

	it("is quoted whole, or cut at a clause", () => {
		const long = (times: number) =>
			`Should I commit it, ${"or wait for the review of the other team, ".repeat(times)}or drop it?`;
		expect(open(ASK, EDIT, asks(long(6)))).toEqual([long(6)]);
		const [action = ""] = open(ASK, EDIT, asks(long(9)));
		expect(action.length).toBeLessThanOrEqual(320);
		expect(action).toMatch(/^Should I commit it, .* …$/);
	});

	it("is nothing in an empty session", () => {
		expect(open()).toEqual([]);
	});
});

describe("the kind of what a reply leaves open", () => {
	const kindOf = (says: string): string | undefined =>
		openActions(timelineOf([{ user: "port the scheduler to the new clock" }, { says }]))[0]?.kind;

	it.each([
		["question", "Two ways. Shall I also delete the old fake?"],
		[
			"question",
			`Two ways. ${"Shall I move the queue to the database and the cache to the disk, ".repeat(3)}or not?`,
		],
		["request", "Both work. Let me know which of the two you prefer."],
		["request", "部署需要密码。请先运行 sudo make install，然后告诉我结果。"],
		["request", "権限が足りません。sudo make install を実行してください。"],
		["offer", "It is ported. If you want, I can also port the popup bindings."],
		["step", "Ported.\n\nNext steps:\n- Port the printer to the clock"],
		["step", "Done.\n\n- [ ] update the docs"],
	])("%s: %s", (kind, reply) => expect(kindOf(reply)).toBe(kind));

	it.each([
		"Done. Is there anything else I can help you with?",
		"C'est fait. Puis-je vous aider avec autre chose ?",
		"Listo. ¿Hay algo más en lo que pueda ayudarte?",
		"Fertig. Kann ich dir sonst noch bei etwas helfen?",
		"完成了。还有什么需要我帮忙的吗？",
		"Done. Let me know if you have any questions.",
		"Done. Can I assist you with anything further?",
		"Done. What else can I do for you?",
		"Done. Does that answer your question?",
		"Fertig. Hast du noch Fragen?",
		"Готово. Могу ли я помочь с чем-то ещё?",
		"完成了。请问还有别的需要吗？",
		"完了しました。ほかに必要なことはありますか？",
		"끝났습니다. 추가로 궁금한 점이 있나요?",
	])("a courtesy is nothing: %s", (reply) => {
		expect(kindOf(reply)).toBeUndefined();
		expect(timelineOf([{ user: "port the scheduler now" }, { says: reply }]).outcome).toBe("done");
	});

	it.each(["no", "ok", "yes", "2", "lieber nicht"])(
		"the user's next message settles a question: %s",
		(user) => {
			const asked: Happening[] = [
				{ user: "port it to the clock" },
				{ says: "Shall I also delete the old fake?" },
			];
			const timeline = timelineOf([
				...asked,
				{ user },
				{ says: "OK, I keep the fake. The work is complete." },
			]);
			expect(openActions(timeline)).toEqual([]);
			expect(timeline.outcome).toBe("done");
		},
	);

	it("an offer is no reason to wait", () => {
		const says = "If you want, I can also port the popup bindings.";
		expect(timelineOf([{ user: "port it to the clock" }, { says }]).outcome).toBe("done");
	});
});

it.each<[string, string[]]>([
	["Fixed.\n\nNext: fix the foreign key.", ["Fix the foreign key."]],
	[
		"**Next steps:**\n1. Run the migration\n2. Deploy to staging\n\nTell me how it goes.",
		["Run the migration", "Deploy to staging"],
	],
	["## Next steps\n\nThe remaining tasks are:\n- Run the migration", ["Run the migration"]],
	["## Next steps\n\n- Run the migration\n  - with a backup\n- Deploy", ["Run the migration"]],
	[
		"**Remaining from the refactor plan:**\n- Testing the new implementation\n- Replacing old code",
		["Testing the new implementation", "Replacing old code"],
	],
	["All good.\n\nRemaining: the docs and the changelog.", ["The docs and the changelog."]],
	["TODO: update the lock file.", ["Update the lock file."]],
	["- Done: parser\n- Still open: the printer", ["The printer"]],
	["下一步：补充单元测试。", ["补充单元测试。"]],
	["完了しました。\n\n次のステップ:\n- テストを追加する", ["テストを追加する"]],
	["다음 단계:\n- 회귀 테스트 추가", ["회귀 테스트 추가"]],
	["Fertig.\n\nNächste Schritte:\n- Tests ergänzen", ["Tests ergänzen"]],
	["Prochaines étapes :\n- ajouter les tests", ["Ajouter les tests"]],
	["Próximos pasos: añadir pruebas de regresión.", ["Añadir pruebas de regresión."]],
	["Próximos passos:\n- adicionar testes", ["Adicionar testes"]],
	["Следующие шаги:\n- добавить тесты", ["Добавить тесты"]],
])("%j labels what comes next", (reply, steps) => expect(nextSteps(reply)).toEqual(steps));

it.each([
	"Next.js 15 renders the page on the server.",
	"Next, I updated the parser. Then I ran the tests.",
	"Remaining: none.",
	"The next request reads the cache.",
	"Steps to reproduce:\n1. Open the page\n2. Click",
	"There is nothing left.",
	"I fixed the pending migration: it was locked.",
])("%j labels nothing", (reply) => expect(nextSteps(reply)).toEqual([]));
