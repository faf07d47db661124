import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readRegular } from "../text/files/regular-file.ts";
import { checkSession } from "./check-session.ts";
import { copySession } from "./copy-session.ts";
import { linesFromEnd, linesOf, piecesOf, readLongLine, wholeLines } from "./lines.ts";
import { put, SessionText, useTemporaryFolder } from "./session.test-support.ts";
import { readWholeSession } from "./session-file.ts";

const folder = useTemporaryFolder();
const text = fc.string({ unit: fc.constantFrom("a", "é", "語", "\n", "\r", "\u2028") });
const show = (line: { bytes: Buffer; offset: number }) => [line.offset, line.bytes.toString()];

function expected(source: string): [number, string][] {
	let offset = 0;
	const lines: [number, string][] = [];
	for (const line of source.split("\n")) {
		if (line !== "") lines.push([offset, line]);
		offset += Buffer.byteLength(line) + 1;
	}
	return lines;
}

/** The lines of a file that is read `size` bytes at a time. */
function piecewise(source: string, longest: number, size: number) {
	const lines: unknown[] = [];
	readRegular(put(join(folder(), "pieces"), source), (file) => {
		for (const { bytes, start } of piecesOf(file, { longest, scratch: Buffer.alloc(size) }))
			lines.push(...[...linesOf(bytes, start)].map(show));
		return { ok: true };
	});
	return lines;
}

describe("lines", () => {
	it("end only at newlines, whether they are read forward, backward or piece by piece", () => {
		fc.assert(
			fc.property(text, fc.integer({ min: 1, max: 5 }), (source, size) => {
				const bytes = Buffer.from(source);
				const read = [[...linesOf(bytes)], [...linesFromEnd(bytes)].reverse()];
				for (const lines of [...read.map((one) => one.map(show)), piecewise(source, 1_000, size)])
					expect(lines).toEqual(expected(source));
			}),
		);
	});

	it("that are too long are skipped, but the lines after them are not", () => {
		for (const size of [2, 4, 5, 6])
			expect(piecewise("short\nlong long long long\nnext", 6, size)).toEqual([
				[0, "short"],
				[26, "next"],
			]);
	});
});

/** Reads a line as `readLongLine` does. Counts the steps in which the line is read. */
function readInSteps(line: string): { text: string; steps: number } {
	const read = readRegular(put(join(folder(), "long"), `before\n${line}\nafter`), (file) => {
		const reading = readLongLine(file, 7, Buffer.byteLength(line) + 1);
		let steps = 0;
		for (;;) {
			const next = reading.next();
			if (next.done) return { ok: true, text: next.value.toString().trim(), steps };
			steps++;
		}
	});
	if (!read.ok) throw new Error(read.detail);
	return { text: read.text, steps: read.steps };
}

describe("a line with megabytes of text", () => {
	const kept = 24_000;
	const long = (unit: string) => `Start ${unit.repeat(2_000_000 / unit.length)} end`;

	it.each([
		"\u202e\u0301",
		"\u0001",
		'say "yes" ',
		"C:\\\\",
		'a\\"',
		"語",
		"😀",
		'{"token":"',
		"\n\r\t",
		"word ",
	])("is read in short steps and without the middle of its text: %j", (unit) => {
		const { text, steps } = readInSteps(JSON.stringify({ a: [1, "{"], text: long(unit), last: "\\" }));
		const read = JSON.parse(text);
		expect(read).toMatchObject({ a: [1, "{"], last: "\\" });
		expect(read.text.slice(0, kept)).toBe(long(unit).slice(0, kept));
		expect(read.text.slice(-kept)).toBe(long(unit).slice(-kept));
		expect(text.length).toBeLessThan(400_000);
		expect(steps).toBeGreaterThan(5);
	});

	it("loses its images, but no text between them", () => {
		const image = "A".repeat(1_500_000);
		const line = { content: [{ data: image }, { text: "first" }, { data: image }, { text: long("x y ") }] };
		expect(JSON.parse(readInSteps(JSON.stringify(line)).text)).toMatchObject({
			content: [{ data: "" }, { text: "first" }, { data: "" }, { text: expect.stringMatching(/^Start x y/) }],
		});
	});
});

/** A session of some 20 MB: many turns with tool output of 20 KB. */
function largeSession(): string {
	const text = new SessionText().user("Fix it");
	for (let count = 0; count < 1_000; count++) text.padding(20_000).assistant("Done");
	return put(join(folder(), "large.jsonl"), text.toString());
}

/** Counts the turns of the event loop while `work` runs. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
	let turns = 0;
	let running = true;
	const tick = () => {
		turns++;
		if (running) setImmediate(tick);
	};
	setImmediate(tick);
	await work();
	running = false;
	return turns;
}

describe("reading a whole file", () => {
	test("returns every line until it has enough, or says why it cannot", async () => {
		const path = put(join(folder(), "a"), "one\n\ntwo\nthree");
		const seen: string[] = [];
		const read = (until = "") =>
			wholeLines(path, (line) => {
				seen.push(line.bytes.toString());
				return seen.at(-1) === until ? "enough" : undefined;
			});
		expect(await read()).toMatchObject({ ok: true, stamp: { size: 14 } });
		expect(seen.splice(0)).toEqual(["one", "two", "three"]);
		await read("two");
		expect(seen).toEqual(["one", "two"]);
		expect(await wholeLines(folder(), () => undefined)).toMatchObject({ ok: false, reason: "not_regular" });
		expect(await wholeLines(join(folder(), "gone"), () => undefined)).toMatchObject({ reason: "missing" });
	});

	test("does not block the event loop, even if a session of 20 MB is checked, read or copied", async () => {
		const path = largeSession();
		const copy = { path, cwd: "/x", folder: join(folder(), "forks"), now: new Date() };
		for (const work of [() => checkSession(path), () => readWholeSession(path), () => copySession(copy)]) {
			expect(await turnsDuring(work)).toBeGreaterThan(2);
		}
	});
});
