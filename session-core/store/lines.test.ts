import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linesOfChunks } from "./lines.test-support.ts";
import { linesFromEnd, linesOf } from "./lines.ts";

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
