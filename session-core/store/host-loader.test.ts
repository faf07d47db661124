import { describe, expect, it, test } from "vitest";
import { beginsAsSession, HostLoader } from "./host-loader.ts";
import { linesOf } from "./lines.ts";
import { SessionText } from "./store.test-support.ts";

const SOUND = new SessionText().user("Fix it").assistant("Done").toString();
const HEADER = SOUND.slice(0, SOUND.indexOf("\n") + 1);

function verdict(text: string): string {
	const loader = new HostLoader();
	for (const line of linesOf(Buffer.from(text))) loader.add(line.bytes.toString("utf8"));
	const answer = loader.verdict();
	return answer.reads ? "reads" : answer.why;
}

/** `id`, hung below `parentId`. */
const entry = (id: unknown, parentId: unknown, type = "custom") =>
	`${JSON.stringify({ type, id, parentId })}\n`;

/** A message below the last one. */
const said = (message: unknown) =>
	`${JSON.stringify({ type: "message", id: "m", parentId: "e0000001", message })}\n`;
const USAGE = { input: 1, output: 1, cost: { total: 0 } };

describe("what the host makes of a file", () => {
	it.each([
		["a sound session", SOUND],
		["a header alone", HEADER],
		["a torn last line", SOUND.slice(0, -20)],
		["junk before the header", `{"torn\n\n${SOUND}`],
		["NUL bytes on a line of their own", `${SOUND}\0\0\0\n`],
		["a second header", SOUND + HEADER],
		["a parent that is lost", SOUND.replace(/\n.*"Fix it".*\n/, "\n")],
		["blanks around lines", SOUND.replaceAll("\n", " \r\n\n")],
		[
			"version 1",
			'{"type":"session","id":"s"}\n{"type":"message","message":{"role":"user","content":"Fix it"}}\n',
		],
		["an entry of a type that it does not know", SOUND + entry("x", "e0000001", "wizardry")],
		["content that is plain text", SOUND + said({ role: "user", content: "plain" })],
	])("reads %s", (_, text) => {
		expect(verdict(text)).toBe("reads");
		expect(beginsAsSession(Buffer.from(text))).toBe(true);
	});

	it.each([
		["NUL bytes before the header", `\0\0${SOUND}`],
		["NUL bytes behind the header", SOUND.replace("\n", "\0\n")],
		...["[]", "0", '"x"', "true", "12", "null", "false", "{}"].map((line): [string, string] => [
			`a first line ${line}`,
			`${line}\n${SOUND}`,
		]),
		["junk, a byte order mark and the header", `junk\ufeff${SOUND}`],
		["junk on a line, then a byte order mark and the header", `junk\n\ufeff${SOUND}`],
		["a byte order mark, which newer hosts stumble over", `\ufeff${SOUND}`],
		["a byte order mark that hides what older hosts see", `\ufeff[]\n${SOUND}`],
		["a header with something glued to it", SOUND.replace("\n", "")],
		["an id that is no text", SOUND.replace('"s-1"', "7")],
		["a folder that is no text", SOUND.replace('"/code/app"', "7")],
		["a lost header", SOUND.slice(HEADER.length)],
		["nothing", "\n\n"],
	])("replaces %s", (_, text) => {
		expect(verdict(text)).toBe("replaced");
		expect(beginsAsSession(Buffer.from(text))).toBe(false);
	});

	it.each([
		["a line null", `${SOUND}null\n`],
		["a line null that only older hosts see", `${SOUND}null\u00a0`],
		["a line that is a number", SOUND.replace("\n", "\n5\n")],
		["a message without a message", `${SOUND}${entry("m", "e0000001", "message")}`],
		["a reply without content", SOUND + said({ role: "assistant", usage: USAGE })],
		["a reply whose content is no list", SOUND + said({ role: "assistant", content: "x", usage: USAGE })],
		["a reply with a part null", SOUND + said({ role: "assistant", content: [null], usage: USAGE })],
		["text without text", SOUND + said({ role: "assistant", content: [{ type: "text" }], usage: USAGE })],
		["a reply without usage", SOUND + said({ role: "assistant", content: [] })],
		["usage without cost", SOUND + said({ role: "assistant", content: [], usage: { input: 1 } })],
		["a prompt without content", SOUND + said({ role: "user" })],
		["a result whose content is no list", SOUND + said({ role: "toolResult", content: "x" })],
		["a shell command without the command", SOUND + said({ role: "bashExecution" })],
		["injected text without content", SOUND + entry("c", "e0000001", "custom_message")],
		["a compaction without its figure", SOUND + entry("c", "e0000001", "compaction")],
		["a name that is no text", SOUND.replace(/\n$/, '\n{"type":"session_info","id":"n","name":5}\n')],
		["a circle of parents", `${SOUND}${entry("a", "b")}${entry("b", "a")}`],
		["an entry below itself", `${SOUND}${entry("a", "a")}`],
		[
			"an id used twice, below its own child",
			`${SOUND}${entry("a", null)}${entry("b", "a")}${entry("a", "b")}`,
		],
		["a last entry without an id", `${SOUND}${entry(undefined, "e0000001")}`],
	])("breaks on %s", (_, text) => {
		expect(verdict(text)).toBe("breaks");
	});

	test("rewrites old formats: what it passes over there is lost", () => {
		const old = SOUND.replace('"version":3', '"version":2');
		expect(verdict(old)).toBe("reads");
		expect(verdict(`${old}{"torn`)).toBe("loses_lines");
		// Ids came with version 2: this header is damaged, and the host would make one line of the tree.
		expect(verdict(SOUND.replace('"version":3,', ""))).toBe("loses_lines");
	});
});
