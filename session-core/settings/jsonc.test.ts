import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { parseJsonc } from "./jsonc.ts";
import { withValueAt } from "./jsonc-edit.ts";

const blank = fc.constantFrom("", "", " ", "\n\t", "// a, b: {\n", '/* ] " */', "\r\n");

/** A JSON value as text, with comments and trailing commas wherever they may stand. */
const jsonc = fc
	.tuple(fc.jsonValue({ maxDepth: 4 }), fc.array(blank, { minLength: 40, maxLength: 40 }), fc.boolean())
	.map(([value, blanks, hasTrailing]) => {
		let turn = 0;
		const gap = () => blanks[turn++ % blanks.length] ?? "";
		const write = (part: unknown): string => {
			const list = (items: string[]) =>
				items.join(`${gap()},${gap()}`) + (hasTrailing && items.length > 0 ? `${gap()},${gap()}` : gap());
			if (Array.isArray(part)) return `[${gap()}${list(part.map(write))}]`;
			if (typeof part !== "object" || part === null) return JSON.stringify(part);
			const members = Object.entries(part).map(
				([name, member]) => `${JSON.stringify(name)}${gap()}:${gap()}${write(member)}`,
			);
			return `{${gap()}${list(members)}}`;
		};
		return `${gap()}${write(value)}${gap()}`;
	});

/** What the field's usual parser reads; undefined where it finds a fault. */
function known(text: string): { value: unknown } | undefined {
	const errors: { error: number; offset: number; length: number }[] = [];
	const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
	return errors.length === 0 ? { value } : undefined;
}

describe("JSON with comments", () => {
	it("is read as jsonc-parser reads it", () => {
		fc.assert(
			fc.property(jsonc, (text) => {
				const parsed = parseJsonc(text);
				expect(parsed.ok && parsed.root && JSON.stringify(parsed.root.value)).toBe(
					JSON.stringify(known(text)?.value),
				);
			}),
			{ numRuns: 500 },
		);
	});

	it("is refused, damaged, where jsonc-parser refuses it, and its value is the same where not", () => {
		const damage = fc.constantFrom("", "{", "}", "]", ",", ":", '"', "\\", "/", "x", "0", "-", "\u0000");
		const damaged = fc.tuple(jsonc, fc.nat(), fc.nat({ max: 3 }), damage).map(([text, at, cut, by]) => {
			const place = at % (text.length + 1);
			return text.slice(0, place) + by + text.slice(place + cut);
		});
		fc.assert(
			fc.property(damaged, (text) => {
				const parsed = parseJsonc(text);
				const theirs = known(text);
				if (parsed.ok) expect(JSON.stringify(parsed.root?.value)).toBe(JSON.stringify(theirs?.value));
				else expect(parsed.offset).toBeLessThanOrEqual(text.length);
			}),
			{ numRuns: 2000 },
		);
	});

	it.each([
		["{", 1, "property name expected"],
		['{"a" 1}', 5, "colon expected"],
		['{"a":1 "b":2}', 7, "comma expected"],
		['{"a":1', 6, "close brace expected"],
		["[1", 2, "close bracket expected"],
		["[,]", 1, "value expected"],
		["{} x", 3, "end of file expected"],
		["truer", 0, "invalid symbol"],
		['"open', 0, "invalid symbol"],
		["/* open", 0, "invalid symbol"],
	])("names the place of a fault: %s", (text, offset, problem) => {
		expect(parseJsonc(text)).toEqual({ ok: false, offset, problem });
	});

	it("takes a name such as __proto__ for a name", () => {
		const parsed = parseJsonc('{"__proto__": {"debug": true}}');
		expect(parsed.ok && Object.keys(Object(parsed.root?.value))).toEqual(["__proto__"]);
		expect(Object.getPrototypeOf(Object(parsed.ok && parsed.root?.value))).toBe(Object.prototype);
	});

	it("does not choke on a megabyte without an end", () => {
		for (const text of [`"${"a".repeat(1e6)}`, " ".repeat(1e6), `/*${"*".repeat(1e6)}`, "[".repeat(1e6)])
			expect(parseJsonc(text).ok).toBe(text.trim() === "");
	});
});

describe("a value that is put into it", () => {
	const path = fc.constantFrom(["debug"], ["recap", "enabled"], ["a", "b", "c"]);
	const settings = fc
		.tuple(jsonc, blank, fc.boolean())
		.map(([text, gap, hasComma]) => `${gap}{${gap}"other": ${text}${hasComma ? "," : ""}${gap}}${gap}`);

	it("is there, and all else says what it said", () => {
		fc.assert(
			fc.property(settings, path, fc.oneof(fc.boolean(), fc.integer(), fc.string()), (text, at, value) => {
				const after = withValueAt(text, at, value);
				const nested = at.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
				expect(JSON.stringify(known(after)?.value)).toBe(
					JSON.stringify({ ...Object(known(text)?.value), ...Object(nested) }),
				);
				expect(withValueAt(after, at, value)).toBe(after);
				for (const comment of text.match(/\/\* \] " \*\/|\/\/ a, b: \{\n/g) ?? [])
					expect(after).toContain(comment.trim());
			}),
			{ numRuns: 500 },
		);
	});

	it.each([
		["{}", '{\n  "debug": true\n}'],
		['{"a": 1}', '{"a": 1,\n  "debug": true\n}'],
		['{\n\t"a": 1, // one\n}\n', '{\n\t"a": 1, // one\n\t"debug": true\n}\n'],
		['{\n\t"a": 1 // one\n}\n', '{\n\t"a": 1, // one\n\t"debug": true\n}\n'],
		['{"debug": /* on */ false}', '{"debug": /* on */ true}'],
		["// mine\n", '// mine\n{\n  "debug": true\n}\n'],
	])("%j becomes %j", (text, after) => {
		expect(withValueAt(text, ["debug"], true)).toBe(after);
	});
});
