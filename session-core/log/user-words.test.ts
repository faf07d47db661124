import { describe, expect, it } from "vitest";
import { countWords } from "../text/words.ts";
import { isRequest, isSlashCommand, ownLine, quoteRequest, userWords, writtenLines } from "./user-words.ts";

const SENDER = 'Sender (untrusted metadata):\n```json\n{\n  "label": "Ann (cli)",\n  "id": "cli"\n}\n```\n\n';

describe("ownWords", () => {
	it.each([
		["<skill a>\n<file b>x</file>\nfix it", "<skill a>\n\nfix it"],
		["<skill <file a>x</file> fix it", "<skill  fix it"],
		["<file>a</file>fix <file>b</file>it</file>", "fix it</file>"],
	])("takes wrappers out of %j", (raw, words) => expect(userWords(raw).text).toBe(words));

	it.each(["<context>", '<skill name="a">', "<file a <skill ", "<a-b>"])("reads a megabyte of %s", (unit) => {
		const before = process.cpuUsage();
		userWords(unit.repeat(1_000_000 / unit.length));
		const { user, system } = process.cpuUsage(before);
		// If each opening tag searched for its own end, this would take ten seconds or more.
		expect((user + system) / 1_000).toBeLessThan(2_000);
	});

	it.each([
		["a system reminder", "<system-reminder>\nsecret tree\n</system-reminder>\nfix it", "fix it"],
		["a reminder that never closes", "fix it\n<system-reminder>\ntree", "fix it"],
		["a dropped screenshot", "'/var/tmp/Screenshot 1.png'\n\nwhy does it flicker?", "why does it flicker?"],
		["nothing but an address", "https://example.com/page", "https://example.com/page"],
		["a generic in the user's own words", "make it Map<string, number>", "make it Map<string, number>"],
		["brackets that are no date", "[wip] rename the flag", "[wip] rename the flag"],
	])("keeps the user's words of %s", (_, raw, words) => {
		expect(userWords(raw)).toEqual({ text: words, expansion: undefined });
	});

	it.each([
		['<skill name="review" location="/s">\nDo this.\n</skill>\n\nthe parser', "the parser", "review"],
		['<skill name="review" location="/s">\nDo this.\n</skill>', "", "review"],
		["build it\n---\nname: build\ndescription: >\n  Builds.\n---\nStep 1", "build it", "build"],
		['---\nname: "ship"\ndescription: Ships.\n---\n# Ship\nStep 1', "", "ship"],
	])("names an expansion by its name: %j", (raw, text, expansion) => {
		expect(userWords(raw)).toEqual({ text, expansion });
	});

	it.each([
		[`${SENDER}Rename the bot to Otto`, "Rename the bot to Otto"],
		["[Mon 2026-04-13 20:42 GMT+8] Rename the bot", "Rename the bot"],
		[`${SENDER}[Mon 2026-04-13 20:42 GMT+8] Rename the bot`, "Rename the bot"],
		["[Discord ann user id:77 +23s Fri 2026-03-06 06:00 UTC] post the poll again", "post the poll again"],
		[`[Queued messages while agent was busy]\n\n---\nQueued #1\nou_${"b31d".repeat(8)}: post it`, "post it"],
		[`Conversation info (untrusted metadata):\n\`\`\`json\n{"id":7}\n\`\`\`\n\n${SENDER}post it`, "post it"],
		["post it\nCurrent time: Friday, 6 March 2026", "post it"],
		["Task: You are a delegated subagent.\nReport briefly.\n\nTask: list the routes", "list the routes"],
		["Task: list the routes\n---\nOutput: a table", "list the routes"],
		["[User sent a photo]\nwhat is this?", "what is this?"],
		["System: [2026-03-06 06:00] Node connected\npost it", "post it"],
		["post it\nReturn your summary as plain text.", "post it"],
		["Task: fix the parser", "Task: fix the parser"],
		["Explain why HEARTBEAT.md is read twice an hour", "Explain why HEARTBEAT.md is read twice an hour"],
	])("leaves out what a channel or a program puts around the words: %j", (raw, words) => {
		expect(userWords(raw).text).toBe(words);
	});

	it.each([
		"[cron:77 nightly] Check the backups and report.",
		"[Subagent Context] You are helping another agent.",
		"OpenClaw runtime context (internal):\nThis context is runtime-generated, not user-authored.",
		"A new session was started via /new or /reset. Greet the user in your persona and ask what to do.",
		`${SENDER}[Mon 2026-04-13 20:42 GMT+8] Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.`,
	])("finds no user's words in messages of a host: %s", (raw) => {
		expect(userWords(raw)).toEqual({ text: "", expansion: undefined });
	});
});

it.each([
	[true, ["fix the parser", "리드미 다국어 만들어줘", "把配置文件移到根目录", "añade pruebas al parser"]],
	[false, ["ok", "ls", "고고", "好", "/model", "/the", "https://example.com/page", "'/tmp/a.png'", ""]],
])("is a request: %s for %j", (isOne, texts) => {
	expect(texts.filter((text) => isRequest(text) !== isOne)).toEqual([]);
});

it.each([
	["/model", true],
	[" /skill:x ", true],
	["/usr/bin is missing", false],
	["/fix the parser", false],
])("%j is a slash command: %j", (text, isOne) => expect(isSlashCommand(text)).toBe(isOne));

it("substance counts two characters of a dense script as a word", () => {
	expect(countWords("fix the parser")).toBe(3);
	expect(countWords("봉 간격 전환")).toBe(2.5);
	expect(countWords("…!?")).toBe(0);
});

it.each([
	"[PROJ-142] Retry queue drops jobs on restart",
	"# Retry queue",
	"Error: rows is undefined",
	"TypeError: rows is undefined",
	"$ npm test",
	"| queue | drops |",
	"> said Ann",
	"// TODO in queue.ts",
	"  indented",
])("keeps a first line that looks like a machine's: %s", (first) => {
	expect(writtenLines(`${first}\nPlease fix this and add a test.`)).toEqual([
		first,
		"Please fix this and add a test.",
	]);
	expect(writtenLines(`Please fix this:\n${first}\nand add a test.`)).toHaveLength(3);
});

const LONG = "port the queue ".repeat(8);
it.each([
	["a quotation as a whole", "> Port the queue,\n  > run the tests,\n  > then commit", 3],
	["a request that a terminal wrapped", `${LONG}to the\n  clock.\n\n  Now:\n  1. it drops jobs`, 4],
	["no code below a long line", `${LONG}of:\n  const a = 1;\n  const b = 2;\n  const c = 3;`, 1],
	["no list in pasted output", "Still wrong:\n\n  Reading: 9\n  Unit: CPS\n  Sensors:\n\n  1. a\n  2. b", 1],
])("a request has %s", (_, request, lines) => expect(writtenLines(request)).toHaveLength(lines));

describe("a pasted log inside a request", () => {
	const log = Array.from({ length: 60 }, (_, index) => `    at step${index} (/srv/app/step.js:${index}:7)`);
	const request = [
		"The nightly import crashes since Monday:",
		"```",
		"TypeError: rows is undefined",
		"```",
		"Traceback (most recent call last)",
		...log,
		"│ panel │",
		"Find out why, and keep the old rows.",
	].join("\n");

	it("is removed unless the request contains nothing else, and the user's own words are kept", () => {
		const own = ["The nightly import crashes since Monday:", "Find out why, and keep the old rows."];
		expect(writtenLines(request)).toEqual(own);
		expect(quoteRequest(request, 200)).toBe(own.join(" "));
		expect(quoteRequest("Error: rows is undefined", 200)).toBe("Error: rows is undefined");
	});

	it("is removed, and only the start and the end remain if the user's own words are too long, too", () => {
		const long = `Begin with the importer. ${"Then look at every table in turn and note its rows. ".repeat(20)}Ship it on Friday.`;
		const quoted = quoteRequest(long, 160);
		expect(quoted.length).toBeLessThanOrEqual(160);
		expect(quoted).toMatch(/^Begin with the importer\./);
		expect(quoted).toMatch(/… .*Ship it on Friday\.$/);
	});
});

it("a heading that only labels a long text is left out, and any other first line is kept", () => {
	const own = (request: string) => ownLine(request, () => []);
	expect(own("## Research Plan\n\nFind out why the nightly import of the registers takes four hours")).toBe(
		"Find out why the nightly import of the registers takes four hours",
	);
	expect(own("# Retry queue\nPlease fix this and add a test.")).toMatch(/Retry queue.*Please fix this/);
});

it("short lines beside pasted lines are left out, but not the first line or lines beside a code block", () => {
	const own = (...lines: string[]) => ownLine(lines.join("\n"), () => []);
	const json = ["{", '  "id": 1', "}"];
	const question = "Why can't I see the new states?";
	expect(own("Save fails", ...json, "Execute", "Clear", "Request URL", question)).toBe(
		`Save fails; ${question}`,
	);
	expect(own("Use a queue:", "- Redis", "```", ...json, "```", question)).toBe(
		`Use a queue: Redis; ${question}`,
	);
});
