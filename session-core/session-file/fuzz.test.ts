import { truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { summarize } from "../catalog/summary.ts";
import { parseEntries } from "./entries.test-support.ts";
import { type ParsedEntries, UNREADABLE } from "./entries.ts";
import type { Entry } from "./entry.ts";
import { intactLines, mutate, seeded, traced } from "./fuzz.test-support.ts";
import { parseLine } from "./parse-line.ts";
import { put, SessionText, useTemporaryFolder } from "./session.test-support.ts";
import { openSessionFile } from "./session-file.ts";

/** How many mutations are tried, in all. */
const MUTATIONS = Number(process.env["SESSION_FUZZ"] ?? 2_000);
const SEED = Number(process.env["SESSION_FUZZ_SEED"] ?? 1);

const folder = useTemporaryFolder();
const file = () => join(folder(), "s.jsonl");

const OWN = new SessionText()
	.user('Ünïcode 語 🎉 and "quotes" \\ and }{ and \u2028')
	.assistant("Done.", {
		content: [{ type: "toolCall", id: "c", name: "bash", arguments: { type: "message" } }],
	})
	.padding(500)
	.title("語 title", "auto")
	.name("語 title")
	.toString();

const SAMPLES: Record<string, string> = {
	"with all kinds of characters": OWN,
	"with glued lines": OWN.replace('}\n{"type":"custom"', '}{"type":"custom"'),
	"of version 1": [
		'{"type":"session","id":"s-1","timestamp":"2025-11-01T10:00:00Z","cwd":"/code"}',
		...["one", "two", "three"].map(
			(text) =>
				`{"type":"message","timestamp":"2025-11-01T10:00:01Z","message":{"role":"user","content":"${text}"}}`,
		),
		"",
	].join("\n"),
};

function lastLines(bytes: Buffer, length: number): Buffer {
	if (bytes.length <= length) return bytes;
	const start = bytes.indexOf(0x0a, bytes.length - length) + 1;
	return Buffer.concat([bytes.subarray(0, bytes.indexOf(0x0a) + 1), bytes.subarray(start)]);
}

/** An entry without what a reader adds to version 1, as comparable text. */
function key(entry: Pick<Entry, "type"> & Record<string, unknown>): string {
	const { id, parentId, ...rest } = entry;
	return JSON.stringify(typeof id === "string" && !id.startsWith("@") ? [id, parentId, rest] : [rest]);
}

function keysOf({ headers, entries }: ParsedEntries): Set<string> {
	const keys = entries.filter((entry) => entry.type !== UNREADABLE).map(key);
	return new Set([...keys, ...headers.map((header) => `session ${header.id}`)]);
}

/** What must be found for a line that is intact. */
function expectedOf(line: string): string[] {
	return parseLine(line).objects.map((object) =>
		object["type"] === "session" ? `session ${object["id"]}` : key({ type: "", ...object }),
	);
}

describe.each(Object.entries(SAMPLES))("fuzzing a session %s", (_, text) => {
	const original = Buffer.from(text);

	it("loses nothing but the torn line, cut at any byte of its last 4 KB", () => {
		const bytes = lastLines(original, 6_144);
		const ends = lineEnds(bytes);
		for (let length = bytes.length; length >= Math.max(1, bytes.length - 4_096); length--) {
			const keys = keysOf(parseEntries(bytes.subarray(0, length)));
			const intact = ends.filter((end) => end.at <= length).flatMap((end) => end.expected);
			expect(intact.filter((one) => !keys.has(one))).toEqual([]);
		}
	});

	it("opens and summarizes a file cut at any of these", () => {
		const path = put(file(), original);
		const step = MUTATIONS >= 100_000 ? 1 : 61;
		for (let length = original.length; length >= Math.max(1, original.length - 4_096); length -= step) {
			truncateSync(path, length);
			openSessionFile(path, { wholeBytes: 0, headBytes: 512, tailBytes: 1_024 });
			const outcome = summarize(path);
			expect(outcome.ok || outcome.reason === "not_session").toBe(true);
		}
	});

	it("loses no intact entry under random changes", () => {
		const random = seeded(SEED);
		const whole = traced(original);
		for (let count = Math.ceil(MUTATIONS / Object.keys(SAMPLES).length); count > 0; count--) {
			const changed = mutate(whole, random);
			const keys = keysOf(parseEntries(changed.bytes));
			const lost = intactLines(original, changed)
				.flatMap(expectedOf)
				.filter((one) => !keys.has(one));
			expect(lost).toEqual([]);
			if (count % 20 !== 0) continue;
			const path = put(file(), changed.bytes);
			openSessionFile(path, { wholeBytes: 0, headBytes: 512, tailBytes: 1_024 });
			summarize(path);
		}
	});
});

function lineEnds(bytes: Buffer): { at: number; expected: string[] }[] {
	const ends: { at: number; expected: string[] }[] = [];
	for (let start = 0; start < bytes.length; ) {
		const newline = bytes.indexOf(0x0a, start);
		const at = newline < 0 ? bytes.length : newline;
		ends.push({ at, expected: expectedOf(bytes.toString("utf8", start, at)) });
		start = at + 1;
	}
	return ends;
}
