import { describe, expect, it, test } from "vitest";
import { asksOfUser, isOffer, isQuestion, readReply } from "./reply.ts";

describe("the questions with which a reply ends", () => {
	it.each([
		["I found two ways.\n\nShould I take the first one?", ["Should I take the first one?"]],
		["Two ways. Which one?", ["Which one?"]],
		["Should it move, too? I would leave it.", ["Should it move, too?"]],
		["PR을 열었습니다.\n\n머지할까요?", ["머지할까요?"]],
		["계속 진행할까요.", ["계속 진행할까요."]],
		["已经改好了。要不要提交？", ["要不要提交？"]],
		["続けますか。", ["続けますか。"]],
		["Está listo. ¿Lo publico?", ["¿Lo publico?"]],
		["هل أكمل؟", ["هل أكمل؟"]],
		["Να συνεχίσω;", ["Να συνεχίσω;"]],
		[
			"Should I add it, or did you mean something else?",
			["Should I add it, or did you mean something else?"],
		],
		[
			"Soll ich es einbauen, oder meinst du etwas anderes?",
			["Soll ich es einbauen, oder meinst du etwas anderes?"],
		],
		["Pick one:\n\n- Keep the old name?\n- Take the new one?", ["Keep the old name?", "Take the new one?"]],
		["Minh muốn A hay là B? Cả hai đều được. Chọn đi! 😏", ["Minh muốn A hay là B?"]],
		[
			"The two tests contradict each other, so only one of them can stay.\n\n**What would you like to do?**\n1. Remove the test\n2. Keep it",
			["What would you like to do? Remove the test; Keep it"],
		],
		["It works. Would you like me to adjust the timeout?", ["Would you like me to adjust the timeout?"]],
		["- Which mode?\n- Which tone?\n\nShall we start?", ["Which mode?", "Which tone?", "Shall we start?"]],
		[
			"Should we go with:\n- **Simple**: one lock\n- **Fair**: a queue",
			["Should we go with: Simple: one lock; Fair: a queue"],
		],
		[
			"Soll ich es so aufteilen:\n\n- erst lesen\n- dann schreiben\n\nBeides ist getestet.",
			["Soll ich es so aufteilen: erst lesen; dann schreiben"],
		],
		[`\`\`\`ts\n${"let a = 1;\n".repeat(900)}\`\`\`\n\nShall I merge it?`, ["Shall I merge it?"]],
		[
			"Want to test more (compaction, models, etc.) or move on?",
			["Want to test more (compaction, models, etc.) or move on?"],
		],
	])("%j", (reply, questions) => {
		expect(readReply(reply).questions).toEqual(questions);
		expect(asksOfUser(reply)).toBe(true);
	});

	it.each([
		"It is done.",
		"이미 병합했으니까요.",
		"The pattern is showSelector(component, target?)",
		"The dialog says “Delete this file?”.",
		"Hello! How can I help you today?",
		"Is there anything else you need, or are we done?",
		"안녕하세요! 뭘 도와드릴까요?",
		"她说：\n\n「你来吗？我在等你。」",
		"## What to do?\n\nThe lock is taken twice.",
		"## Why did it fail?\n\n- The lock is taken twice.\n- The test is slow.",
		"文案是“确定要删除吗？”",
		"Is the cache shared? Yes. All workers use one.",
		"What is it?\n\nIt is a bug.\n\nA.\n\nB.\n\nC.",
		"Done.\n\n```js\nok ? 1 : 2 ?\n```",
	])("not %j", (reply) => {
		expect(readReply(reply).questions).toEqual([]);
		expect(asksOfUser(reply)).toBe(false);
	});

	it("before a list has its items as choices, as a request has", () => {
		const { requests } = readReply("Please choose:\n\n1. Rewrite the parser\n2. Patch the lexer");
		expect(requests).toEqual(["Please choose: Rewrite the parser; Patch the lexer"]);
	});

	it("are at most three", () => {
		expect(readReply("- a b c?\n- d e f?\n- g h i?\n- j k l?").questions).toHaveLength(3);
	});
});

describe("an offer", () => {
	it.each([
		"If you want, I can patch it.",
		"개별 파일로도 필요하면 말씀해요!",
		"如果你需要，我可以提交。",
		"Wenn du willst, baue ich das ein.",
		"Si quieres, lo publico.",
	])("in the last paragraph is open: %s", (sentence) => {
		expect(isOffer(sentence)).toBe(true);
		expect(readReply(`It is analysed.\n\n${sentence}`).offers).toEqual([sentence]);
	});

	it.each([
		"It works if you restart.",
		"If you want the details:",
		"The build is green.",
		"Let me know if you have any questions.",
		"Let me know if you need anything else!",
		"Let me know if you want me to tweak the script (e.g., change the branch).",
		"특정 파일 내용을 보거나 뭔가 작업하고 싶으면 말씀해요!",
		"뭘 더 보거나 작업할 거 있으면 말씀해요!",
		"그럼 뭐 하실 건지 말씀해주면 바로 도와드릴게요!",
	])("is not: %s", (sentence) => {
		expect(isOffer(sentence)).toBe(false);
	});

	it("that something else follows is none any more", () => {
		expect(readReply("If you want, I can patch it.\n\nThe lock is taken twice.").offers).toEqual([]);
		const listed = "If you want, I can:\n\n1. patch it\n2. or wait if you prefer";
		expect(readReply(listed).offers).toEqual(["If you want, I can: patch it; or wait if you prefer"]);
	});

	it("that asks is a question, not both", () => {
		const { questions, offers } = readReply("Done. Want me to commit it?");
		expect([questions, offers]).toEqual([["Want me to commit it?"], []]);
	});
});

it.each([
	["Ready?", true],
	["Ready? (yes or no)", false],
	["Is it “done”?", true],
	["done", false],
])("%j is a question: %j", (sentence, isOne) => {
	expect(isQuestion(sentence)).toBe(isOne);
});

it("an item that wonders among items that state asks nothing", () => {
	expect(readReply("I see:\n\n- a scraper\n- a page, perhaps?\n- some notes").questions).toEqual([]);
});

it("a list of which half the items are questions asks them", () => {
	const reply =
		"Still open:\n\n1. The limit\n   - Is 500 final?\n2. The timeout\n   - How long is it?\n\nThen I write it down.";
	expect(readReply(reply).questions).toEqual(["Is 500 final?", "How long is it?"]);
});

describe("what asks the user", () => {
	test.each([
		"The copy needs root.\n\nPlease run this and paste the output here:\n\n```sh\nsudo make install\n```\n\nOnce I see it, I can finish the rule.",
		"I could not reproduce the crash. To get further, I need to know which system you saw it on.",
		"Eine Anmeldung ist nötig.\n\n1. Melde dich an.\n2. Kopiere den Code.\n3. Schick mir den Code.\n\nDanach starte ich die Tests.",
		"Il me faut votre choix pour les doublons :\n\n- A : garder le plus récent ;\n- B : fusionner.\n\nRien n'a été modifié.",
		"В проекте не указан часовой пояс. Напишите, пожалуйста, какой он.",
		"Sollen Beträge mit Komma ausgegeben werden? Das Schema erlaubt beides. Bis dahin steht dort ein TODO.",
		"Soll die alte Anmeldung bleiben oder entfernt werden? Davon hängt die Migration ab. Wenn du willst, kann ich dir vorher die Konten auflisten.",
		"Merci d'exécuter `journalctl -u api` sur le serveur et de coller ici le résultat.",
		"Les journaux locaux ne montrent rien. J'ai besoin des dernières lignes du journal.",
		"The copy needs root. Run `sudo make install` and paste what it prints.",
		"I stop here until you have approved the migration.",
		"Should I push now? I kept the old branch.",
		"Done. What should we name the flag?",
		'I can\'t reach the build server. Please connect to the VPN, then say "go".',
		"Please pick one:\n\n- Postgres\n- SQLite",
		"请选择一个：\n\n1. 重写解析器\n2. 修补词法分析器",
		'This deletes the branch on origin. Reply "yes" to continue.',
		"The API refuses the request. I'll need an API key before I can continue.",
		"npm verlangt ein Einmalpasswort. Zum Veröffentlichen brauche ich deinen OTP-Code.",
		"sudo가 비밀번호를 요구합니다. 계속하려면 비밀번호가 필요합니다.",
		'Responda "sim" para continuar.',
		"Which one should I take? No rush.",
		"The migration would delete data. I won't continue until you say so.",
		"The suite needs Docker. Install it, then I can continue.",
		"Das Zertifikat ist abgelaufen. Erneuere es, dann kann ich weitermachen.",
		"Il manque la clé. Ajoutez-la, ensuite je pourrai continuer.",
		"缺少密钥。请把它加入仓库，然后我就可以继续。",
		"Docker が必要です。インストールしてください。そうすれば続けられます。",
		"Both variants work, and the tests of each are green now. What would you like to do?",
	])("%s", (reply) => expect(asksOfUser(reply)).toBe(true));

	test.each([
		"I added the section:\n\n> Please tell us which version you use.\n> Have you searched the issues?\n\nThe link check passes.",
		"Et les anciens navigateurs ? Ils ne posent pas de problème, je l'ai vérifié.",
		"The script is ready. To use it, you need to run:\n\n```sh\nmake report\n```",
		'The error now reads "Please run `npm install` first and try again." It is covered by a test.',
		'The delete command now prints "Are you sure you want to delete this?" before it proceeds.',
		'It now prints: "Are you sure you want to delete this?',
		"So why only on Mondays? Because the rotation runs on Sunday. The script now has its own folder.",
		"Should I use a Map or an object? I decided on a Map.",
		"Is it fast enough? Yes, it takes 12 ms.",
		"Does it work on Windows? It does: CI is green there, too.",
		"I finished the list. What is left? Nothing.",
		"速いですか？はい、12 ms です。",
		"Type checks pass.",
		'The form now says "Reply yes to continue".',
		"Pick any file in the list, and the preview shows it.",
		"Soll ich eine Map nehmen? Ich habe mich für eine Map entschieden.",
		"Hello! What would you like to work on today?",
		"Bonjour ! Sur quoi souhaitez-vous travailler ?",
		"你好！想让我做什么？",
		"The parser is done, and I'll continue with the printer.",
		"The button stays disabled until you confirm the address.",
		"Everything is green. I ran the suite before you asked.",
	])("not %s", (reply) => expect(asksOfUser(reply)).toBe(false));
});
