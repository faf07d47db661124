import { expect, test } from "vitest";
import { recapMarkdown } from "./markdown.ts";
import { recapOf } from "./record.test-support.ts";

const RECAP = recapOf({
	bullets: ["Did: edited parse-date.js · node --test → 3 passed"],
	next_actions: ["Should it throw a RangeError instead?"],
	artifacts: [
		{ kind: "file", label: "parse-date.js", locator: "src/parse-date.js" },
		{ kind: "command", label: "echo", locator: "echo `date`" },
	],
});

test("a recap is a heading, its state and a list", () => {
	expect(recapMarkdown(RECAP)).toBe(
		[
			"## Reject days that do not exist",
			"",
			"*Waiting for your answer*",
			"",
			"- Did: edited parse-date.js · node --test → 3 passed",
			"- Open: Should it throw a RangeError instead?",
			"- `src/parse-date.js`",
			"- `` echo `date` ``",
		].join("\n"),
	);
});
