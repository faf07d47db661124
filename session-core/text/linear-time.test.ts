import { describe, expect, it } from "vitest";
import { much } from "../../test/support/hostile-text.ts";
import { clipColumns, clipSentence, headUnits } from "./clip.ts";
import { fitsLanguage, languageOf, latinName } from "./language.ts";
import { redact, secretsIn } from "./redact.ts";
import { cleanLine, cleanText } from "./sanitize.ts";

const known = new Set(["hunter2x9", "k3J9xQ2mZ7pL5w"]);
const FUNCTIONS: Record<string, (text: string) => unknown> = {
	cleanText,
	cleanLine,
	"redact, with known values": (text) => redact(text, known),
	secretsIn: (text) => secretsIn([text]),
	clipColumns: (text) => clipColumns(text, 80),
	clipSentence: (text) => clipSentence(text, 400),
	languageOf,
	latinName,
	fitsLanguage: (text) => fitsLanguage(text, { script: "Latin", name: "English" }),
	headUnits: (text) => headUnits(text, 400),
};

/** What patterns of each function begin with, or go on with. */
const UNITS = [
	"a",
	" ",
	"\n",
	"<",
	"< ",
	"«",
	"&lt;",
	"\\",
	"\x1b",
	"\x1b]",
	"\u200d",
	"😀",
	"\u0301",
	". ",
	"`",
	"-",
	"x9 ",
	"hunter2x",
];

describe("much of anything is read within the deadline of a test, so time grows no faster than the text", () => {
	it.each(Object.entries(FUNCTIONS))("%s", (_name, read) => {
		for (const unit of UNITS) expect(() => read(much(unit))).not.toThrow();
	});
});
