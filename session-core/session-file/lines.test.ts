import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { checkSession } from "./check-session.ts";
import { copySession } from "./copy-session.ts";
import { linesOfChunks } from "./lines.test-support.ts";
import { linesFromEnd, linesOf, wholeLines } from "./lines.ts";
import { put, SessionText, useTemporaryFolder } from "./session.test-support.ts";
import { readWholeSession } from "./session-file.ts";

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

describe("lines", () => {
	it("end at newlines and nowhere else", () => {
		fc.assert(
			fc.property(text, (source) => {
				expect([...linesOf(Buffer.from(source))].map(show)).toEqual(expected(source));
			}),
		);
	});

	it("are the same from the end", () => {
		fc.assert(
			fc.property(text, (source) => {
				expect([...linesFromEnd(Buffer.from(source))].map(show).reverse()).toEqual(expected(source));
			}),
		);
	});

	it("are the same however the file was cut into chunks", () => {
		fc.assert(
			fc.property(text, fc.integer({ min: 1, max: 5 }), (source, size) => {
				const bytes = Buffer.from(source);
				const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
					bytes.subarray(index * size, (index + 1) * size),
				);
				const lines = [...linesOfChunks(chunks, 1_000)].map((line) =>
					"tooLong" in line ? line : show(line),
				);
				expect(lines).toEqual(expected(source));
			}),
		);
	});

	it("above the cap are passed over, and those behind them are not", () => {
		const chunks = ["short\nlo", "ng long long", " long\nnext"].map((chunk) => Buffer.from(chunk));
		const lines = [...linesOfChunks(chunks, 6)].map((line) => ("tooLong" in line ? line : show(line)));
		expect(lines).toEqual([[0, "short"], { tooLong: true, offset: 6 }, [26, "next"]]);
	});
});

const folder = useTemporaryFolder();

/** A session of some 20 MB: many turns with tool output of 20 KB. */
function largeSession(): string {
	const text = new SessionText().user("Fix it");
	for (let count = 0; count < 1_000; count++) text.padding(20_000).assistant("Done");
	return put(join(folder(), "large.jsonl"), text.toString());
}

/** How often everything else on the event loop got its turn while this ran. */
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

describe("reading a file whole", () => {
	test("gives every line, and stops when it is enough", async () => {
		const path = put(join(folder(), "a"), "one\n\ntwo\nthree");
		const seen: string[] = [];
		const read = (until = "") =>
			wholeLines(path, (line) => {
				seen.push("bytes" in line ? line.bytes.toString() : "long");
				return seen.at(-1) === until ? "enough" : undefined;
			});
		expect(await read()).toMatchObject({ ok: true, stamp: { size: 14 } });
		expect(seen.splice(0)).toEqual(["one", "two", "three"]);
		await read("two");
		expect(seen).toEqual(["one", "two"]);
	});

	test("a failure is a value", async () => {
		expect(await wholeLines(folder(), () => undefined)).toMatchObject({ ok: false, reason: "not_regular" });
		expect(await wholeLines(join(folder(), "gone"), () => undefined)).toMatchObject({ reason: "missing" });
	});

	test("a session of 20 MB does not hold the event loop, whatever is done with it", async () => {
		const path = largeSession();
		const copy = { path, cwd: "/x", folder: join(folder(), "forks"), now: new Date() };
		for (const work of [() => checkSession(path), () => readWholeSession(path), () => copySession(copy)]) {
			expect(await turnsDuring(work)).toBeGreaterThan(10);
		}
	});
});
