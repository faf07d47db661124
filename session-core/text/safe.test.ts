import { expect, test } from "vitest";
import { bytesOf, seeded } from "../../test/support/random.ts";
import { inSlices } from "./files/pace.ts";
import { safeSteps, safeText } from "./safe.ts";

const random = seeded(1);
const token = `tv${"ly-"}${bytesOf(random, 18).toString("hex")}`;

test.each(["\0", "\u200b", "\u2060", "\x1b[0m", "\x07"])(
	"a secret is found although %j, which is removed, joins it to a word",
	(glue) => expect(safeText(`new${glue}${token}`)).toBe("new[redacted]"),
);

test("both ends of a long text remain, and no part of a secret at a cut is shown", () => {
	const long = bytesOf(random, 100_000).toString("hex");
	for (const at of [900, 1_000, 33_000, 150_000]) {
		const text = `${"a b ".repeat(at / 4)}tv${"ly-"}${long}${" c d".repeat(60_000 - at / 4)}`;
		const shown = safeText(text, undefined, 1_000);
		expect(shown.length).toBeGreaterThan(1_800);
		expect(shown).not.toMatch(/[0-9a-f]{12}/);
		expect([shown.startsWith("a b a b"), shown.endsWith(" c d c d")]).toEqual([true, true]);
	}
});

test.each(["key=", "token=", "pwd=\n", "key=x1\n", "a b "])(
	"a text of many %j is made safe in many short steps, with the same result",
	async (piece) => {
		const text = piece.repeat(200_000 / piece.length);
		let steps = 0;
		const slowly = await inSlices(safeSteps(text), async () => void steps++);
		expect(slowly).toBe(safeText(text));
		// The text is read in steps of 8 KB, and no part of a word that is cut remains.
		expect(steps).toBeGreaterThanOrEqual(10);
	},
);
