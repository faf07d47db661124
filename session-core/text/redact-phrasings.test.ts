import { describe, expect, it } from "vitest";
import { leftIn, readPhrasings } from "./phrasings.test-support.ts";
import { SEEN } from "./phrasings-seen.test-support.ts";
import { redact } from "./redact.ts";

describe("phrasings of a secret", () => {
	it.each(readPhrasings(SEEN))("$text", (phrasing) => {
		expect(leftIn(redact(phrasing.text), phrasing)).toEqual([]);
	});
});
