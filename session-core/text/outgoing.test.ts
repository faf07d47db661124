import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostileText } from "../../test/support/hostile-text.ts";
import { outgoing } from "./safe.ts";

/** A fake secret, put together here so that no scanner finds one in this file. */
const SECRET = ["gh", "p_", "k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7"].join("");

describe("what leaves", () => {
	test("is not changed if it is clean", () => {
		const value = {
			a: ["one", 2, null, true],
			b: { c: "0195a1b2-c3d4-7000-8000-000000000001" },
			d: undefined,
		};
		expect(outgoing(value)).toEqual(value);
	});

	test("contains no secret in texts or keys, even if a control sequence splits it", () => {
		const cut = `${SECRET.slice(0, 12)}\x1b[31m${SECRET.slice(12)}`;
		const sent = JSON.stringify(outgoing({ id: SECRET, of: [{ [SECRET]: `x ${cut}` }], fine: "yes" }));
		expect(sent).not.toContain(SECRET);
		expect(sent).not.toContain("\x1b");
		expect(sent).toContain('"fine":"yes"');
	});

	test("keeps only the secrets that its receiver sent", () => {
		const own = `use ${SECRET}`;
		const value = { command: ["pi", "--model", SECRET, own], line: `pi '${own}'` };
		expect(outgoing(value, [own])).toEqual({
			command: ["pi", "--model", "[redacted]", own],
			line: `pi '${own}'`,
		});
		expect(outgoing({ model: SECRET }, ["k", "9"])).toEqual({ model: "[redacted]" });
	});

	test("is clean, keeps its shape, and is not changed by a second pass", () => {
		fc.assert(
			fc.property(fc.array(fc.record({ text: hostileText, other: fc.jsonValue() })), (value) => {
				const once = outgoing(value);
				expect(once).toHaveLength(value.length);
				expect(outgoing(once)).toEqual(once);
			}),
			{ numRuns: 100 },
		);
	});
});
