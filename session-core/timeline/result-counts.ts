/** Reads the numbers in a summary line: what each number counts, and whether it shows success or failure. */
export interface Counts {
	passed: boolean | undefined;
	/** The rank of the line among the summary lines. */
	weight: number;
}

const STATE = "pass(?:ed|ing|es)?|fail(?:ed|ing|s)?|ok|succeeded|successful|skipped|broken";
const COUNTED = `${STATE}|tests?|specs?|suites?|examples?|assertions?|expectations?|checks?|subtests?|runs|scenarios?|errors?|warnings?|problems?|issues?|failures?|pending|todo|deselected|ignored|xfailed|offens(?:e|es)|violations?|vulnerabilit(?:y|ies)|successes|leaks?|match(?:es)?|mismatch(?:es)?|skips|files? (?=(?:would|reformatted|changed|checked|inspected|formatted|already))`;
/** Matches a figure before or after the word for what it counts: `2 failed`, `Failures: 0`. `fail 1` matches only on a line of its own. */
const COUNT = new RegExp(
	String.raw`(?:^|[^\w.])((?!200 ok)\d+(?:,\d{3})*|100%|no|zero|all)\s+(?:[\w-]+\s+){0,2}?(${COUNTED})(?!\w)(?:\s+(?:have |were |has |was )?(${STATE})(?!\w))?|\b(${COUNTED})(?:\(s\))?\b["']?(?:\s+found)?\s*(?:[:=]\s*(\d[\d,]*)(?!\w|\.\d|\s+(?:${COUNTED}))|\((\d+)\)$)|^\W*(tests|suites|pass|fail|passed|failed|failures|errors|skipped|todo)\s+(\d+)$|^[A-Z][a-z ]{2,40} \(\d+\)$`,
	"gi",
);
const FRACTION = /\b(\d+)\s*(?:\/|of|out of)\s*(\d+)\s+(?:[\w-]+\s+){0,2}?(?:pass|ok\b|succe)/i;
const EXPECTED = /\bexpected (?:failures?|errors?)|\b(?:un)?expected:\s*\d/gi;

const BAD = /^(?:fail\w*|errors?|broken|offenses?|violations?|leaks?|mismatch\w*)$/i;
const SOFT = /^(?:problems?|issues?)$/i;
const GOOD = /^(?:pass\w*|ok|success\w*|succeeded)$/i;

/** Returns the overall result that the figures on a line report; undefined if the line contains no figures. */
export function readCounts(text: string): Counts | undefined {
	if (!/\d|\b(?:no|zero|all)\b/i.test(text)) return undefined;
	const counts = [...text.replace(EXPECTED, "").matchAll(COUNT)].map((match) => ({
		word: (match[3] ?? match[2] ?? match[4] ?? match[7] ?? "").trim(),
		isZero: /^(?:0|no|zero)$/i.test(match[1] ?? match[5] ?? match[6] ?? match[8] ?? ""),
	}));
	if (counts.length === 0) return undefined;
	const bad = counts.filter(({ word }) => BAD.test(word));
	const soft = counts.filter(({ word, isZero }) => SOFT.test(word) && !isZero);
	const [, part, whole] = FRACTION.exec(text) ?? [];
	const isGood =
		counts.some(({ word, isZero }) => GOOD.test(word) && !isZero) || /^\W*(?:ok|pass(?:ed)?)\b/i.test(text);
	const isFixed = /\bfixed\b.*\b(?:0|no) remaining|^\W*fixed\b/i.test(text);
	// A sentence that mentions a figure was written by a person or an agent, so it is not a test runner's summary.
	const isProse = counts.length < 2 && text.split(" ").length > 16;
	const isBad =
		bad.some(({ isZero }) => !isZero) ||
		(soft.length > 0 && bad.length === 0 && /found|detected|^\W*\d+ problems?\b/i.test(text)) ||
		Number(part) < Number(whole);
	const isClean = bad.length > 0 || counts.some(({ word, isZero }) => SOFT.test(word) && isZero);
	const isEmpty = counts.every(({ isZero }) => isZero);
	// If every figure is 0, including the number of successes, nothing was run. This is not a success.
	const isIdle = isEmpty && counts.some(({ word }) => GOOD.test(word));
	const weight =
		(/\b(?:pass|fail|ok\b)/i.test(text) ? 2 : 0) +
		(/\b(?:tests?|examples?|assertions?|specs?)\b/i.test(text) ? 1 : 0) +
		(/^\W*(?:test )?(?:files|suites?)\b/i.test(text) ? -2 : 0) +
		Math.min(counts.length, 3) * 0.4 +
		(isEmpty ? -4 : 0) +
		(/\bmatch/i.test(text) ? -5 : 0);
	const state = isBad ? false : isGood || (isClean && soft.length === 0 && !isIdle) || undefined;
	return { passed: isFixed || isProse ? undefined : state, weight };
}
