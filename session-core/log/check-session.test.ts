import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { beginsAsSession, checkSession, tooLargeText } from "./check-session.ts";
import { linesOf } from "./lines.ts";
import { put, SessionText, useTemporaryFolder } from "./session.test-support.ts";

const folder = useTemporaryFolder();
const SOUND = new SessionText().user("Fix it").assistant("Done").toString();
const HEADER = SOUND.slice(0, SOUND.indexOf("\n") + 1);

const check = (text: string) => checkSession(put(join(folder(), "s.jsonl"), text));

/** An entry `id` with the parent `parentId`. */
const entry = (id: unknown, parentId: unknown, type = "custom") =>
	`${JSON.stringify({ type, id, parentId })}\n`;

/** A message below the last one. */
const said = (message: unknown) =>
	`${JSON.stringify({ type: "message", id: "m", parentId: "e0000001", message })}\n`;
const USAGE = { input: 1, output: 1, cost: { total: 0 } };

describe("a session file", () => {
	it.each([
		["a whole session", SOUND],
		["a header alone", HEADER],
		["Windows line endings and blank lines", SOUND.replaceAll("\n", "\r\n\r\n")],
		["version 2", SOUND.replace('"version":3', '"version":2')],
		[
			"version 1, without ids",
			'{"type":"session","id":"s"}\n{"type":"message","message":{"role":"user","content":""}}\n',
		],
		["an entry of an unknown type", SOUND + entry("x", "e0000001", "wizardry")],
		["an earlier branch", SOUND + entry("x", "e0000000")],
		["content that is plain text", SOUND + said({ role: "user", content: "plain" })],
		["long lines", new SessionText().user("Fix it").padding(9_000_000).assistant("Done").toString()],
	])("is sound with %s", async (_, text) => {
		expect(await check(text)).toEqual({ ok: true, sound: true });
	});

	it.each([
		["NUL bytes before the header", `\0\0${SOUND}`],
		["NUL bytes after the header", SOUND.replace("\n", "\0\n")],
		["a first line []", `[]\n${SOUND}`],
		["a lost header", SOUND.slice(HEADER.length)],
		["an id that is not text", SOUND.replace('"s-1"', "7")],
		["a folder that is not text", SOUND.replace('"/code/app"', "7")],
		["nothing but blank lines", "\n\n"],
	])("is damaged from the start with %s", async (_, text) => {
		expect(await check(text)).toEqual({ ok: true, sound: false });
		expect(beginsAsSession([...linesOf(Buffer.from(text))])).toBe(false);
	});

	it.each([
		["a torn last line", SOUND.slice(0, -20)],
		["no newline at its end", SOUND.slice(0, -1)],
		["a torn line", SOUND.replace('"Fix it"', '"Fix')],
		["NUL bytes", `${SOUND}\0\0\0\n`],
		["a second header", SOUND + HEADER],
		["a lost parent", SOUND.replace(/\n.*"Fix it".*\n/, "\n")],
		["a parent that comes later", `${SOUND}${entry("a", "b")}${entry("b", null)}`],
		["an entry below itself", `${SOUND}${entry("a", "a")}`],
		["an id used twice", `${SOUND}${entry("e0000000", null)}`],
		["an entry without an id", `${SOUND}${entry(undefined, "e0000001")}`],
		["a tree of version 1: its header is damaged", SOUND.replace('"version":3,', "")],
		["a message without a message", SOUND + entry("m", "e0000001", "message")],
		["a reply without content", SOUND + said({ role: "assistant", usage: USAGE })],
		["a reply with a part null", SOUND + said({ role: "assistant", content: [null], usage: USAGE })],
		["text without text", SOUND + said({ role: "assistant", content: [{ type: "text" }], usage: USAGE })],
		["a reply without usage", SOUND + said({ role: "assistant", content: [] })],
		["usage without cost", SOUND + said({ role: "assistant", content: [], usage: { input: 1 } })],
		["a prompt without content", SOUND + said({ role: "user" })],
		["a result whose content is no list", SOUND + said({ role: "toolResult", content: "x" })],
		["a shell command without the command", SOUND + said({ role: "bashExecution" })],
		["injected text without content", SOUND + entry("c", "e0000001", "custom_message")],
		["a compaction without its figure", SOUND + entry("c", "e0000001", "compaction")],
		["a name that is not text", `${SOUND}{"type":"session_info","id":"n","parentId":null,"name":5}\n`],
	])("is damaged with %s", async (_, text) => {
		expect(await check(text)).toEqual({ ok: true, sound: false });
		expect(beginsAsSession([...linesOf(Buffer.from(text))])).toBe(true);
	});

	test("that is empty or missing is neither sound nor damaged", async () => {
		expect(await check("")).toMatchObject({ ok: false, reason: "empty" });
		expect(await checkSession(join(folder(), "gone.jsonl"))).toMatchObject({ ok: false, reason: "missing" });
	});
});

test.each([
	["0.73.1", true],
	["0.78.0", true],
	["0.78.1", false],
	["0.87.1", false],
	["1.6.0", false],
])("a file over 512 MB is too large for pi %s: %s", (version, isTooLarge) => {
	expect(
		tooLargeText(520 * 1024 * 1024, version)?.includes(`too large for pi ${version}: 520 MB`) ?? false,
	).toBe(isTooLarge);
});
