import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { hostReading, isReplaced } from "./host-reading.ts";
import { put, SessionText, useTemporaryFolder } from "./store.test-support.ts";

const folder = useTemporaryFolder();
const placed = (content: string) => put(join(folder(), "s.jsonl"), content);
const SOUND = new SessionText().user("Fix it").assistant("Done").toString();

test("a file is read whole, whatever its lines are long", async () => {
	const long = new SessionText().user("Fix it").padding(9_000_000).assistant("Done").toString();
	expect(await hostReading(placed(long))).toEqual({ ok: true, reads: true });
	expect(await hostReading(placed(`${long}null\n`))).toEqual({ ok: true, reads: false, why: "breaks" });
	expect(await hostReading(placed(""))).toMatchObject({ ok: false, reason: "empty" });
	expect(await hostReading(join(folder(), "gone.jsonl"))).toMatchObject({ ok: false, reason: "missing" });
});

describe("a look at the beginning", () => {
	it.each([
		["a sound file", SOUND, false],
		["an empty one, which the host begins", "", false],
		["damage behind the header, which replaces nothing", `${SOUND}null\n`, false],
		[
			"a header longer than the look",
			`{"type":"session","id":"s","cwd":"/${"x".repeat(2_000_000)}"}\n`,
			false,
		],
		["a header whose id is no text", SOUND.replace('"s-1"', "5"), true],
		["NUL bytes", `\0\0${SOUND}`, true],
		["a long file with a first line 0", `0\n${SOUND.repeat(9_000)}`, true],
	])("at %s", (_, content, expected) => {
		expect(isReplaced(placed(content))).toBe(expected);
	});
});
