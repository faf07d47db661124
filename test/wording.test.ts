import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROJECT_ROOT } from "./host/launch.ts";

/** Words that usually mark an unclear sentence or name in this project, and what to write instead. */
const AVOID: readonly (readonly [RegExp, string])[] = [
	[/\bunasked\b/i, "automatically"],
	[/\bmended\b/i, "fixed, repaired or repeated"],
	[/\b(?:nobody|somebody|whoever)\b/i, "no user, another process, the next reader"],
	[/\bgoes with\b/i, "disappears at, belongs to"],
	[/\bwhat (?:is|was) said\b/i, "the messages, the reply"],
	[/\bstands\b/i, "is, is shown, the state"],
	[/\b(?:on the|under) way\b/i, "during the run, in flight"],
	[/\basks? unasked\b|\bmade by rules\b/i, "without a model, offline"],
	[/\btheOne\b|\bWish\b|Wish\b/, "the standard term: request, options"],
	[/\baside\b/i, "at an earlier point, a remark"],
];

/** Data, other languages, and this list. */
const SKIPPED = /^test\/(?:sessions|stored)\/|^test\/wording\.test\.ts$|planted-secrets\.test\.ts$/;

/** Lines in which such a word is right. */
const ALLOWED = [/runs as `nobody`/];

test("strings, comments, names and documents avoid words that are rarely clear", () => {
	const files = execFileSync("git", ["ls-files", "*.ts", "*.mjs", "*.js", "*.md"], {
		cwd: PROJECT_ROOT,
		encoding: "utf8",
	})
		.split("\n")
		.filter((file) => file !== "" && !SKIPPED.test(file));
	const found = files.flatMap((file) =>
		readFileSync(join(PROJECT_ROOT, file), "utf8")
			.split("\n")
			.flatMap((line, index) => {
				if (ALLOWED.some((allowed) => allowed.test(line))) return [];
				return AVOID.filter(([word]) => word.test(line)).map(
					([word, instead]) => `${file}:${index + 1}: ${word.exec(line)?.[0]}; better: ${instead}`,
				);
			}),
	);
	expect(found).toEqual([]);
});
