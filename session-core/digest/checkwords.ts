/** The words of test, lint, type and build tools. They speak English in every locale that matters here. */

/** Characters at an output's end that are read for how a check went. */
export const TAIL = 8_000;

/** Lines that report a failure. */
export const FAILURE =
	/(?:^|[^\w-])[1-9]\d*[^\S\n]+(?:tests?[^\S\n]+|suites?[^\S\n]+)?(?:failed|failing|failures?|errors?|offenses?|did not run|interrupted)\b|\berrors?[^\S\n]*[:=][^\S\n]*[1-9]|\bfail(?:ed|ing|ures?)?[^\S\n]*[:=]?[^\S\n]+[1-9]\d*\b|\berror (?:TS\d+|\[?E\d+)|^[^\S\n]*(?:not ok\b|FAIL(?:ED|URE)?\b|---? FAIL|error(?:\[\w+\])?:|ERROR[:\s]|\[ERROR\]|npm (?:ERR!|error)|✖(?!.*\(0 errors)|✗|❌)|\bBUILD FAIL(?:ED|URE)\b|\bcommand failed\b|\*\*\* .*\bError \d|^g?make(?:\[\d+\])?: \*\*\*|\bERR_PNPM_|\bFAIL code \d|\bevaluation failed\b|\bCode style issues\b|\bwould be reformatted\b|Traceback \(most recent call last\)|panic:|\bAssertionError\b|\bELIFECYCLE\b/im;

/** Lines that sum a whole run up as a success. */
export const SUMMARY =
	/\b(?:0|no) (?:errors?|failures?|problems?|issues?|failed)\b|\b[1-9]\d* (?:passed|passing|pass)\b|\ball (?:\w+ )?(?:tests?|checks?) pass|\bBUILD SUCC|\bBuild complete|\bcompiled successfully\b|✓ built|\bbuilt in \d/im;

/** The same, and lines that say it of one part; the rest may stand behind a cut. */
export const SUCCESS = new RegExp(
	`${SUMMARY.source}|^\\s*(?:ok\\s+\\S+|PASS\\b|OK\\b)|test result: ok`,
	"im",
);

/** An exit status of nought that somebody printed. */
export const STATUS_ZERO = /\b(?:exit|status|rc)(?: code)?\s*[:=]\s*0\b/im;

/** What runners say when there was nothing to run. */
export const NOTHING =
	/\bno tests? (?:found|ran|to run|files?|were found|suites?|executed|matches)\b|\bno test (?:files|specified|suites?)\b|\bno tasks were executed\b|\bcollected 0 items\b|\bran 0 tests\b|\b0 tests? (?:found|ran|executed)\b|\bexecuted 0 tests\b|\brunning 0 tests\b|\b0 (?:passing|examples)\b|^# tests 0$|\btests?[^\S\n]+\d+ skipped \(\d+\)|\bnothing to be done for\b/im;
