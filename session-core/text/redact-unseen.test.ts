import { expect, it } from "vitest";
import { leftIn, readPhrasings } from "./phrasings.test-support.ts";
import { UNSEEN } from "./phrasings-unseen.test-support.ts";
import { redact } from "./redact.ts";

/** Share of the phrasings that is caught. */
const WANTED = 0.97;

const phrasings = readPhrasings(UNSEEN);

it.skipIf(phrasings.length === 0)(
	"nearly all phrasings are caught that the redaction was not written with",
	() => {
		const missed = phrasings.filter((phrasing) => leftIn(redact(phrasing.text), phrasing).length > 0);
		const share = 1 - missed.length / phrasings.length;
		expect(share, missed.map(({ text }) => text).join("\n")).toBeGreaterThanOrEqual(WANTED);
	},
);
