import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { secretsIn } from "./known-secrets.ts";
import { redact } from "./redact.ts";
import { REDACTED } from "./redacted.ts";

const SESSIONS = join(import.meta.dirname, "../../../shared/sessions");
/** One word in so many may be taken; those that are secrets count as well, for nobody has marked them. */
const WORDS = 5_000;

/** Every text in the entries of a session file. What is no JSON is left out. */
function textsOf(path: string): string[] {
	const texts: string[] = [];
	const collect = (value: unknown): void => {
		if (typeof value === "string") texts.push(value);
		else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
	};
	for (const line of readFileSync(path, "utf8").split("\n")) {
		try {
			collect(JSON.parse(line));
		} catch {
			// Torn lines are a part of the corpus.
		}
	}
	return texts.filter((text) => /\s/.test(text));
}

const count = (text: string, part: string) => text.split(part).length - 1;

describe.skipIf(!existsSync(SESSIONS))("real sessions", () => {
	it(`keep their words: no more than one in ${WORDS} is taken, values known from elsewhere in the session included`, () => {
		let words = 0;
		let taken = 0;
		const examples: string[] = [];
		const paths = readdirSync(SESSIONS, { recursive: true, encoding: "utf8" }).filter((path) =>
			path.endsWith(".jsonl"),
		);
		for (const path of paths) {
			const texts = textsOf(join(SESSIONS, path));
			const known = secretsIn(texts);
			for (const text of texts) {
				words += text.match(/\S+/g)?.length ?? 0;
				const redacted = redact(text, known);
				taken += count(redacted, REDACTED) - count(text, REDACTED);
				if (redacted !== text)
					examples.push(redacted.slice(Math.max(0, redacted.indexOf(REDACTED) - 60)).slice(0, 90));
			}
		}
		expect(words).toBeGreaterThan(100_000);
		expect(taken, examples.join("\n")).toBeLessThanOrEqual(words / WORDS);
	});
});
