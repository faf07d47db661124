import { describe, expect, it, test } from "vitest";
import { asksOfUser, isQuestion, isVerbatim, quotedFrom, readReply } from "./reply.ts";

describe("the questions at the end of a reply", () => {
	it.each([
		["I found two ways.\n\nShould I take the first one?", ["Should I take the first one?"]],
		["Two things. Which mode? Which tone?", ["Which mode?", "Which tone?"]],
		["PR을 열었습니다.\n\n머지할까요?", ["머지할까요?"]],
		["已经改好了。要不要提交？", ["要不要提交？"]],
		["Está listo. ¿Lo publico?", ["¿Lo publico?"]],
		["تم.\n\nهل أكمل؟", ["هل أكمل؟"]],
		["Να συνεχίσω;", ["Να συνεχίσω;"]],
		["Պատրաստ է։\n\nՇարունակե՞մ։", ["Շարունակե՞մ։"]],
		["ልቀጥል፧", ["ልቀጥል፧"]],
		["It works. **Shall I merge it?** 🚀", ["Shall I merge it? 🚀"]],
		["Continue? (y/n)", ["Continue? (y/n)"]],
		["Pick one:\n\n- Keep the old name?\n- Take the new one?", ["Keep the old name?", "Take the new one?"]],
		["Tell me:\n1. Which log?\n2. Which host?\n\nThe notes may help.", ["Which log?", "Which host?"]],
		["Both fail.\n\n**What now?**\n1. Remove the test\n2. Keep it", ["What now? Remove the test; Keep it"]],
		["Which store?\n\n- Postgres\n- SQLite", ["Which store? Postgres; SQLite"]],
		["- a b c?\n- d e f?\n- g h i?\n- j k l?", ["a b c?", "d e f?", "g h i?"]],
		["Run it?\n\n```sh\nmake install\n```", ["Run it?"]],
		[`\`\`\`ts\n${"let a = 1;\n".repeat(900)}\`\`\`\n\nShall I merge it?`, ["Shall I merge it?"]],
	])("%j", (reply, questions) => {
		expect(readReply(reply).questions).toEqual(questions);
		expect(asksOfUser(reply)).toBe(true);
	});

	it.each([
		"Let me know which one you prefer.",
		"Should it move, too? I would leave it.",
		"Is it fast enough?\n\nYes, it takes 12 ms.",
		"The pattern is showSelector(component, target?)",
		"The dialog says “Delete this file?”.",
		"文案是“确定要删除吗？”",
		"## Why did it fail?\n\n- The lock is taken twice.\n- The test is slow.",
		"> Have you searched the issues?\n\nThe link check passes.",
		"Done.\n\n```js\nok ? 1 : 2 ?\n```",
		"I see:\n\n- a scraper\n- a page, perhaps?\n- some notes",
	])("not %j", (reply) => {
		expect(readReply(reply).questions).toEqual([]);
		expect(asksOfUser(reply)).toBe(false);
	});
});

test.each([
	["Ready?", true],
	["(Ready?)", true],
	["Is it “done”?", true],
	["It asks “Ready?", false],
	["done", false],
])("%j is a question: %j", (sentence, isOne) => expect(isQuestion(sentence)).toBe(isOne));

test("unticked boxes are found, and ticked ones are not", () =>
	expect(readReply("- [x] the parser\n- [ ] the docs").unticked).toEqual(["the docs"]));

const REPLY = "I kept **both**. Shall I [merge](https://a.dev) it?\n\nYour call:\n\n- now\n- later";
test.each([
	["Shall I merge it?", "Shall I merge it?"],
	["shall i MERGE it", "shall i MERGE it"],
	["Shall I merge it? It is urgent.", "Shall I merge it?"],
	["Your call:", "Your call: now; later"],
	["Shall I delete it?", undefined],
	["…", undefined],
])("the words %j, as the reply says them, are %j", (words, quoted) =>
	expect(quotedFrom(REPLY, words)).toBe(quoted),
);

test.each([
	["rm -rf ./build and push", true],
	["Push src/a.ts with [git](https://git.dev)", true],
	["push src/a.ts with git", true],
	["push src/a.ts, with Git.", true],
	["rm -rf /build and push", false],
	["rm -rf . / build", false],
	["push src/b.ts with git", false],
])("%j stands in the reply with its symbols: %j", (words, isSaid) => {
	const reply = "Next: `rm -rf ./build` and push.\n\n- [ ] Push **src/a.ts** with [git](https://git.dev)";
	expect(isVerbatim(reply, words)).toBe(isSaid);
});
