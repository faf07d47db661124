import { session } from "./fixtures.ts";
import { SAMPLE_PROJECT } from "./sample-project.ts";

const SOURCE = "src/parse-date.js";
const TESTS = "test/parse-date.test.js";

const FIRST_VERSION = `/** Parses "2026-03-14"; undefined for anything else. */
export function parseDate(text) {
	const match = /^(\\d{4})-(\\d{2})-(\\d{2})$/.exec(text);
	if (!match) return undefined;
	return new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
}
`;

const FAILING_RUN = `✖ a plain date is that day in UTC, whatever the machine's time zone (1.9ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  + actual - expected
  + '2026-03-13'
  - '2026-03-14'
✔ other text is not a date (0.2ms)
ℹ tests 2
ℹ pass 1
ℹ fail 1`;

const passingRun = (tests: number): string => `ℹ tests ${tests}\nℹ pass ${tests}\nℹ fail 0`;

/**
 * A session in the sample project: a failing test is fixed, a feature is added, no tests ran after the
 * last edit, and the agent's question is open. It ends on the morning of the day before `now`, in any
 * time zone.
 */
export function yesterdaySession(cwd: string, now = new Date()): string {
	const startedAt = new Date(now);
	startedAt.setDate(now.getDate() - 1);
	startedAt.setHours(6, 0, 0, 0);
	return session({ cwd, startedAt })
		.user(`${TESTS} fails on my machine: "2026-03-14" comes out as the 13th. Find out why and fix it.`)
		.tool("read", { path: SOURCE }, FIRST_VERSION, { say: "I'll look at the parser first." })
		.bash("node --test", FAILING_RUN, 1)
		.edit(
			SOURCE,
			"\treturn new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]));",
			"\treturn new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])));",
		)
		.bash("node --test", passingRun(2))
		.assistant(
			`Fixed. \`${SOURCE}\` built the date in local time, so east of Greenwich midnight fell on the day before in UTC. It now uses \`Date.UTC\`, and both tests pass.`,
		)
		.pause(12)
		.user("great. please also accept ISO week dates like 2026-W11-6, with tests")
		.write(SOURCE, WITHOUT_CHECK)
		.edit(TESTS, 'test("other text is not a date"', WEEK_TEST)
		.bash("node --test", passingRun(3))
		.assistant(
			"Week dates work: `2026-W11-6` is 2026-03-14, and week 1 may begin in the old year. Three tests, all passing.",
		)
		.pause(31)
		.user("2026-02-30 gives March 2nd. reject days that don't exist")
		.edit(SOURCE, UNCHECKED, CHECKED)
		.assistant(
			"`parseDate` now compares the day it got with the text and returns `undefined` for days such as 2026-02-30. I have not run the tests since this change, and there is no test for it yet.\n\nShould it throw a `RangeError` instead, so that callers cannot overlook it?",
		)
		.build();
}

const CHECKED =
	"\tif (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text)) return undefined;";
const UNCHECKED = "\tif (Number.isNaN(date.getTime())) return undefined;";
const WITHOUT_CHECK = (SAMPLE_PROJECT[SOURCE] ?? "").replace(CHECKED, UNCHECKED);

const WEEK_TEST = `test("a week date is the day that ISO 8601 says", () => {
	assert.equal(day("2026-W11-6"), "2026-03-14");
	assert.equal(day("2026-W01-1"), "2025-12-29");
});

test("other text is not a date"`;
