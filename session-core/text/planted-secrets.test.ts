import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ORDINARY, PLANTED } from "./planted-secrets.test-support.ts";
import { REDACTED, redact } from "./redact.ts";

test("all secrets in commands, files, code, headers and outputs are redacted, except for three, and nothing else is", () => {
	const wrong = PLANTED.flatMap(({ text, shown }) =>
		redact(text) === shown ? [] : [`${redact(text)} for ${shown}`],
	);
	expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(3);
});

test("nothing is taken from the code and the documents of this repository, but one word in 20,000", () => {
	const root = join(import.meta.dirname, "../..");
	const paths = ["docs", "session-core", "session-recap", "session-title", "session-resume", "bin"]
		.flatMap((folder) =>
			readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) =>
				join(root, folder, path),
			),
		)
		.filter(
			(path) =>
				/\.(?:ts|js|mjs|md|html|css)$/.test(path) && !/test|text.secrets/.test(path.slice(root.length)),
		);
	let words = 0;
	const taken: string[] = [];
	for (const path of paths) {
		const text = readFileSync(path, "utf8");
		words += text.match(/\S+/g)?.length ?? 0;
		const pieces = redact(text).split(REDACTED);
		if (pieces.length > text.split(REDACTED).length)
			taken.push(...pieces.slice(0, -1).map((piece) => piece.slice(-60)));
	}
	expect(words).toBeGreaterThan(100_000);
	expect(taken.length, taken.join("\n")).toBeLessThanOrEqual(words / 20_000);
});

test.each(ORDINARY)("stays: %s", (text) => {
	expect(redact(text)).toBe(text);
});
