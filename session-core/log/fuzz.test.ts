import { truncateSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { summarize } from "../sessions/summary.ts";
import { parseEntries } from "./entries.test-support.ts";
import { put, SessionText, useTemporaryFolder, VERSION_1 } from "./session.test-support.ts";
import { openSessionFile } from "./session-file.ts";

const folder = useTemporaryFolder();

const SESSION = new SessionText()
	.user('Ünïcode 語 🎉 and "quotes" \\ and }{ and \u2028')
	.assistant("Done.", {
		content: [{ type: "toolCall", id: "c", name: "bash", arguments: { type: "message" } }],
	})
	.padding(500)
	.title("語 title", "auto")
	.name("語 title");

/** The content of all entries, without the ids that a reader adds to version 1. */
function contents(text: string | Buffer): Set<string> {
	const { headers, entries } = parseEntries(text);
	const ids = new Set(headers.map(({ id }) => id));
	return new Set([
		...ids,
		...entries.map(({ id, parentId, ...rest }) => JSON.stringify(id.startsWith("@") ? rest : [id, rest])),
	]);
}

/**
 * Damages a line: its newline may be lost, its end may be torn off, or something may be written before
 * it.
 */
const damage = fc.record({
	newline: fc.constantFrom("\n", "\n", "\r\n", "", "\0\0"),
	keep: fc.option(fc.integer({ min: 0, max: 200 })),
	before: fc.constantFrom("", "", "", "}{", "[", '"text":"', "garbage\n", "\ufeff"),
});

describe.each([
	["a session", SESSION.lines],
	["a session of version 1", VERSION_1],
])("damage to %s", (_, lines) => {
	it("loses no intact line", () => {
		fc.assert(
			fc.property(fc.array(damage, { minLength: lines.length, maxLength: lines.length }), (damages) => {
				const changed = lines.map((line, index) => {
					const { newline = "\n", keep = null, before = "" } = damages[index] ?? {};
					return { text: before + (keep === null ? line : line.slice(0, keep)) + newline, keep };
				});
				const found = contents(changed.map(({ text }) => text).join(""));
				const intact = lines.filter((_, index) => changed[index]?.keep === null);
				const lost = [...contents(intact.join("\n"))].filter((one) => !found.has(one));
				expect(lost).toEqual([]);
			}),
			{ numRuns: Number(process.env["SESSION_FUZZ"] ?? 300) },
		);
	});

	it("does not prevent a file that is cut anywhere from being opened and summarized", async () => {
		const bytes = Buffer.from(lines.join("\n"));
		const path = put(join(folder(), "s.jsonl"), bytes);
		for (let length = bytes.length; length >= 1; length -= 61) {
			truncateSync(path, length);
			await openSessionFile(path);
			const outcome = summarize(path);
			expect(outcome.ok || outcome.reason === "not_session").toBe(true);
		}
	});
});
