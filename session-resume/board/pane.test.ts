import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { readTranscript } from "./pane.ts";

const folder = useTemporaryFolder();

async function read(text: string) {
	const path = join(folder(), "one.jsonl");
	writeFileSync(path, text);
	const transcript = await readTranscript(path);
	if (!transcript.ok) throw new Error(transcript.detail);
	return transcript;
}

describe("a transcript", () => {
	test("shows messages and tool calls on the branch of the last entry, in order", async () => {
		const text = new SessionText().user("Fix it").assistant("Looking.", {
			content: [
				{ type: "text", text: "Looking." },
				{ type: "toolCall", id: "c", name: "bash", arguments: { command: "npm test" } },
			],
		});
		const [, second = ""] = text.ids;
		const abandoned = JSON.stringify({
			type: "message",
			id: "x",
			parentId: second,
			message: { role: "user", content: "left behind" },
		});
		text.lines.push(abandoned);
		text.assistant("", { stopReason: "error", errorMessage: "overloaded" });
		expect((await read(`${text}`)).items).toEqual([
			{ by: "user", text: "Fix it" },
			{ by: "assistant", text: "Looking." },
			{ by: "tool", text: "bash npm test" },
			{ by: "assistant", text: "overloaded" },
		]);
	});

	test("contains no control characters, no secrets and no very long words", async () => {
		const hostile = "\x1b]52;c;aGk=\x07\x1b[2Jhello\u202e sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx1234567890";
		const { items } = await read(`${new SessionText().user(hostile).assistant("x".repeat(400_000))}`);
		expect(items[0]?.text).toMatch(/^hello/);
		expect(JSON.stringify(items)).not.toMatch(/\\u001b|\u202e|AbCdEf/);
		expect(items[1]?.text.length).toBeLessThan(7_000);
		expect(Math.max(...(items[1]?.text.split(" ").map((word) => word.length) ?? []))).toBeLessThanOrEqual(
			200,
		);
	});

	test("reads only the end of a long session, and marks the cut", async () => {
		const text = new SessionText().user("The very first");
		for (let turn = 0; turn < 200; turn++) text.user(`Turn ${turn}`).padding(10_000);
		const { items, cut } = await read(`${text}`);
		expect(cut).toBe(true);
		expect(items.at(-1)?.text).toBe("Turn 199");
		expect(JSON.stringify(items)).not.toContain("The very first");
	});

	test("is unavailable for a missing file", async () => {
		expect(await readTranscript("/nowhere/at/all.jsonl")).toMatchObject({ ok: false });
	});
});
