/**
 * Finds errors, summaries and reported changes in a tool's output. Lines are recognized by their format,
 * regardless of the tool.
 */
import { replaceEscapes } from "../../text/index.ts";

export interface ResultLine {
	/**
	 * A `count` line is a summary with numbers, such as `2 failed`. A `verdict` line is a summary without
	 * numbers, such as `build failed`. A `made` line reports a change, such as a new commit.
	 */
	kind: "error" | "count" | "verdict" | "made";
	text: string;
	passed: boolean | undefined;
	weight: number;
}

export interface Printed {
	output: string;
	/**
	 * `failed` means that the tool reported an error or a non-zero exit status. `pending` means that the
	 * tool call has no result yet.
	 */
	outcome: "ok" | "failed" | "cancelled" | "pending";
	looks: boolean;
}

/** Test runners draw horizontal rules around headings: `===== 1 failed in 0.2s =====`. */
const RULE = /^(?:={3,}|[─━⎯_!*-]{4,})\s+|\s+(?:={3,}|[─━⎯_!*-]{4,})$/g;
/**
 * Tools that run several programs often put a prefix before each line: `[test] `, `web:test: ` or
 * `app-1 | `.
 */
const PREFIX =
	/^(?:\[(?!error|fatal|warn|fail|\d)[\w./:@-]+\]|[\w@./-]+[:#](?!\d)[\w.-]+:|[\w@./-]+\s+\||[\w@.-]+\/[\w@./-]+ \w+:|==\d+==)\s+(?=\S)/i;
/**
 * Matches banners, code, stack frames, tables, times and advice, which do not show whether a command
 * succeeded.
 */
const DULL = new RegExp(
	[
		String.raw`^[^\p{L}\d]*$|^(?:>\s|[$%|│]|@@|>?\s*\d+\s*[|│]\s)|\|.*\|.*\||^\d+%(?:$|\s*[|[█#])|\[\s*\d+ ?%\]$|\|-?$`,
		String.raw`^(?:❯ )?(?:at |in function |in call from )?(?:async )?(?:\S+ (?:\[.*\] )?)?\(?[^\s():]+(?::[^\s():]+)*:\d+\)?(?: \{)?$|^at\s+.*:\d+|^file "`,
		String.raw`^(?:hint|help|note|info|usage|tip|npm notice|npm warn|run|use|try|see|did you|for more|you can|this might|if you)\b|^(?:= |\(.*\)$|(?:\d+ \w+ )?potentially fixable|\d+ errors? and)`,
		String.raw`deprecat|: use -|^debugger attached|^waiting for the debugger|^caused by:?$|\blog (?:file )?(?:written|saved)|complete log of|^={3,}.*={3,}$|^\[(?:raw output|.*\bevicted\b)`,
		String.raw`^\W*(?:real|user|sys|time|total test time|duration|start at|finished in|done in|date|cached|snapshots?|elapsed)\b(?!.*\b[1-9]\d* (?:failed|written))|^\S+ v\d+\.\d\S*$`,
		String.raw`^(?!passing|failing|missing|warning|nothing)[a-z]+ing\b.*(?:\.\.\.|…)`,
	].join("|"),
	"iu",
);
const SOURCE = /[{};,(>\\]$|^\d+[:-]\s|^(?:[<}\])"'#/*+-]|import|export|const|def|return|function)/;
const ROW =
	/^\W*(?:[\w@]+ )?(?!\d+\/\d)(?:[\w@.-]*\/[\w@./-]+|[\w@-]+\.[a-z]{1,5}\d?(?=[\s:(),]|$))|:$|^\d+[:-]/i;
/** A commit's subject may contain any text, so a line of `git log` is not treated as a result. */
const LOG_ROW = /^[0-9a-f]{7,40} (?:\([^)]*\) )?\S/;
/** A location looks like `src/queue.ts:12:5`, `parse.go:7:` or `main.c(3,4)`. */
const PLACE = /(?<![\w./@-])[\w./@-]+\.\w{1,6}[:(]\d+(?:[:,]\d+)?/;
const WRAPPER =
	/^npm (?:err!|error)|^error command failed|\*\*\* \[|elifecycle|\brun failed\b|\bexited (?:with|\()|command failed|exit (?:status|code) \d|previous errors?\b/i;
const PASSED =
	/\b(?:all (?:\w+ ){0,4}(?:passed|pass|ok|good|clean|successful)|all (?:matched )?files? (?:use|are|formatted)|(?:build|compil\w+|tests?|checks?|lint\w*|suite) (?:was |is |are |all )?(?:success\w*|succeeded|passed|passes|pass|ok|clean)|compiled successfully|build complete\b|built in \d|success: |^(?:ok|pass(?:ed)?)$|^ok\s+\S+\s+(?:[\d.]+s\b|\(cached\))|no (?:\w+ ){0,2}(?:issues?|errors?|problems?|warnings?|offenses) (?:were )?(?:found|detected|in)|finished\b.*\btarget|^(?!not )(?:\w+ ){1,2}ok$|would be left unchanged)|\bpassed!?$/i;
const FAILED =
	/\b(?:build fail(?:ed|ure)|failed to compile|compilation (?:failed|terminated|error)|tests? failed|test failure|(?:result|status): fail\w*|failed with|could not compile|conflict|would (?:be )?reformat(?:ted)?|code style issues|no tests (?:found|ran))\b(?!.*:$)|^fail(?:ed|ure)?\W*$/i;
const ENDED =
	/\b(?:success(?:fully)?|up[- ]to[- ]date|nothing to (?:commit|be done|do)|nothing added|no fixes applied|completed?|finished|done)\b|^(?:[✓✔✅]|ok\b|pass\b)/i;
/**
 * The forms of an error line, from most to least informative: a failed test with its reason, a typed
 * error, a plain error, a location, and a hint.
 */
const ERRORS: readonly RegExp[] = [
	/^failed \S.* - \S/i,
	/\b[A-Z]\w*(?:Error|Exception|Failure)\b(?:\s*:|\s+\[|\s{2,}\S)|\bpanic(?:ked at |: )|\bfatal(?: error)?:|\berror(?:\[\w[\w/-]*\])?\s*:|\berror\s+(?:TS|CS|C|E|SC|LNK|MD)\d+|^\[error\]|\(error\):|\bundefined reference|^conflict\b|\[rejected\]|\b\d+:\d+\s+error\b|\bsyntax error\b/i,
	/^(?:E\s{2,}\S|error\b.*\w|--- FAIL: |\(?not ok \d|(?:✗|✘|✖|×|❌|✕)\s*\S|●\s.*(?:›|fail)|FAIL(?:ED)?[:\s]+\S)|(?:\.{2}|\)) ?failed$|"error"\s*:\s*"\S|\b(?:command not found|no such file or directory|permission denied|cannot|could not|not found|not recognized|connection refused|timed out|unable to|EADDRINUSE|ENOENT|ECONNREFUSED|unexpected token|segmentation fault|failed to|no rule to)\b/i,
	/^[\w./@-]+\.\w{1,6}[:(]\d+(?:[:,]\d+)?\)?:?\s+\S/,
	/^\d+[.)]\s+\S|\b(?:no matching|missing|invalid|unknown|unrecognized|unsupported)\b|\[[^[\]\s]+:\d+\]:?$/i,
];
/**
 * Matches output lines that report a new commit, page, file or other change. The first pattern matches the
 * most informative lines, and the last pattern matches the least informative lines.
 */
const MADE: readonly RegExp[] = [
	/^\[[^\]\n]{1,120} [0-9a-f]{7,40}\] \S/,
	/^[ \t+*!-]*(?:[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}|\[new (?:branch|tag)\])\s+\S+\s*->|^https?:\/\/\S+\/(?:pull|pulls|issues|merge_requests|releases)\/\S+$|\b(?:commit|hash|revision)\b.{0,40}\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/i,
	/^\d+ files? changed\b|^(?:added|removed|changed) \d+ packages?|^Packages: [+-]/,
	/\b(?:created|saved|wrote|written|generated|published|uploaded|deployed|exported)\b.{0,60}(?:[./][a-z]|https?:)/i,
	/^(?:modified|new file|deleted|renamed|both modified):\s|^(?:Applied|Merged|Switched to|HEAD is now|Saved|Deleted|Renamed|Moved|Initialized)\b/,
];

function readLine(raw: string): ResultLine | undefined {
	const text = raw.replace(RULE, "");
	const core = text.replace(PREFIX, "");
	if (LOG_ROW.test(core) || DULL.test(core)) return undefined;
	const made = MADE.findIndex((form) => form.test(text));
	if (made >= 0) return { kind: "made", text, passed: undefined, weight: -made };
	const isCode = /[{};]$/.test(core);
	const counts = isCode || ROW.test(core) || WRAPPER.test(core) ? undefined : readCounts(core);
	if (counts) return { kind: "count", text, ...counts };
	const rank = ERRORS.findIndex((form) => form.test(core));
	const weight = /^\w+\W*$/.test(core) ? -1 : 1;
	if (FAILED.test(core) && (rank < 0 || rank > 1)) return { kind: "verdict", text, passed: false, weight };
	if (rank >= 0) return { kind: "error", text, passed: false, weight: errorWeight(core, 6 - rank) };
	if (PASSED.test(core)) return { kind: "verdict", text, passed: true, weight };
	const isEnded = core.length <= 120 && !SOURCE.test(core) && ENDED.test(core);
	return isEnded ? { kind: "verdict", text, passed: undefined, weight: 0 } : undefined;
}

function errorWeight(text: string, weight: number): number {
	if (WRAPPER.test(text)) return 1;
	if (/\bwarning\b/i.test(text) && !/\berror\b/i.test(text)) return 0.5;
	return weight + (weight === 5 && PLACE.test(text) ? 0.5 : 0) - (text.endsWith(":") ? 0.7 : 0);
}

const STATE = "pass(?:ed|ing|es)?|fail(?:ed|ing|s)?|ok|succeeded|successful|skipped|broken";
const COUNTED = `${STATE}|tests?|specs?|suites?|examples?|assertions?|checks?|subtests?|runs|scenarios?|errors?|warnings?|problems?|issues?|failures?|pending|todo|deselected|ignored|offens(?:e|es)|violations?|vulnerabilit(?:y|ies)|match(?:es)?|files? (?=(?:would|reformatted|changed|checked))`;
const COUNT = new RegExp(
	String.raw`(?:^|[^\w.])((?!200 ok)\d+(?:,\d{3})*|100%|no|zero|all)\s+(?:[\w-]+\s+){0,2}?(${COUNTED})(?!\w)(?:\s+(?:have |were |has |was )?(${STATE})(?!\w))?|\b(?<!expected )(${COUNTED})(?:\(s\))?\b["']?(?:\s+found)?\s*(?:[:=]\s*(\d[\d,]*)(?!\w|\.\d|\s+(?:${COUNTED}))|\((\d+)\)$)|^\W*(tests|suites|pass|fail|passed|failed|failures|errors|skipped|todo)\s+(\d+)$`,
	"gi",
);
const FRACTION = /\b(\d+)\s*(?:\/|of|out of)\s*(\d+)\s+(?:[\w-]+\s+){0,2}?(?:pass|ok\b|succe)/i;

function readCounts(text: string): Pick<ResultLine, "passed" | "weight"> | undefined {
	if (!/\d|\b(?:no|zero|all)\b/i.test(text)) return undefined;
	const counts = [...text.matchAll(COUNT)].map((match) => ({
		word: (match[3] ?? match[2] ?? match[4] ?? match[7] ?? "").trim(),
		isZero: /^(?:0|no|zero)$/i.test(match[1] ?? match[5] ?? match[6] ?? match[8] ?? ""),
	}));
	if (counts.length === 0) return undefined;
	if (!/\d/.test(text) && counts.every(({ word, isZero }) => !isZero && /^fail/i.test(word)))
		return undefined;
	const [, part, whole] = FRACTION.exec(text) ?? [];
	const bad = counts.filter(({ word }) => /^(?:fail\w*|errors?|broken|offenses?|violations?)$/i.test(word));
	const soft = counts.filter(({ word, isZero }) => /^(?:problem|issue)/i.test(word) && !isZero);
	const good = counts.filter(({ word }) => /^(?:pass\w*|ok|success\w*|succeeded)$/i.test(word));
	const ran = [...good, ...bad];
	const isEmpty = (good.length > 0 && bad.length > 0 ? ran : counts).every(({ isZero }) => isZero);
	const isBad =
		bad.some(({ isZero }) => !isZero) ||
		(soft.length > 0 && bad.length === 0 && /found|detected|^\W*\d+ problems?\b/i.test(text)) ||
		Number(part) < Number(whole);
	// If every number in a test summary is 0, no test ran, so the run is not a success.
	const isClean = bad.length > 0 && soft.length === 0 && !(isEmpty && good.length > 0);
	const isGood = good.some(({ isZero }) => !isZero) || isClean || /^\W*(?:ok|pass(?:ed)?)\b/i.test(text);
	const isFixed = /\bfixed\b.*\b(?:0|no) remaining|^\W*fixed\b/i.test(text);
	const weight =
		(/\b(?:pass|fail|ok\b)/i.test(text) ? 2 : 0) +
		(/\b(?:tests?|examples?|assertions?|specs?)\b/i.test(text) ? 1 : 0) -
		(/^\W*(?:test )?(?:files|suites?)\b/i.test(text) ? 2 : 0) -
		(isEmpty ? 4 : 0) -
		(/\bmatch/i.test(text) ? 5 : 0);
	return { passed: isFixed ? undefined : !isBad && (isGood || undefined), weight };
}

/**
 * The end of a program's output often contains a summary, but the first error can be near the
 * beginning, so both ends are read.
 */
const HEAD_LINES = 240;
const TAIL_LINES = 160;
const LINE_BOUND = 400;

function outputLines(output: string): string[] {
	const text = /[\x1b\r]/.test(output) ? replaceEscapes(output, "").replace(/\r\n?/g, "\n") : output;
	const all = text.split("\n");
	const bounded = [...all.slice(0, HEAD_LINES), ...all.slice(HEAD_LINES).slice(-TAIL_LINES)];
	return bounded.map((line) => line.slice(0, LINE_BOUND).trim()).filter((line) => line !== "");
}

export function resultLines({ output, outcome, looks }: Printed, most = 2): ResultLine[] {
	const lines = outputLines(output);
	const found = lines.map(readLine).filter((line) => line !== undefined);
	const isFailed = outcome === "failed";
	const made = found.filter(({ kind }) => kind === "made");
	if (looks && !isFailed) return made[0] ? [made[0]] : plainLine(lines, false, true);
	const { summary, error } = verdictOf(found, isFailed);
	const stated = error && (summary?.weight ?? 0) < 0 ? undefined : summary;
	const newest = [...new Map(made.map((line) => [line.weight, line])).values()];
	const all = [
		error,
		stated,
		...newest.toSorted((a, b) => b.weight - a.weight),
		...found.filter(({ kind }) => kind === "error" && error),
	];
	const chosen = [...new Set(all.filter((line) => line !== undefined))].slice(0, most);
	if (chosen.some(({ kind }) => !isFailed || kind !== "made"))
		return chosen.toSorted((a, b) => found.indexOf(a) - found.indexOf(b));
	return [...chosen.slice(0, 1), ...plainLine(lines, isFailed, looks)].slice(-most);
}

export function resultOf({ output, outcome }: Omit<Printed, "looks">): ResultLine | undefined {
	const found = outputLines(output).map(readLine);
	const isFailed = outcome === "failed";
	const { summary, error } = verdictOf(
		found.filter((line) => line !== undefined),
		isFailed,
	);
	if (summary?.passed === false || (summary?.passed && !isFailed)) return summary;
	return isFailed || (error?.weight ?? 0) > 5 ? error : undefined;
}

export function reportsOnlyErrors(output: string): boolean {
	const lines = outputLines(output);
	return lines.length > 0 && lines.every((line) => readLine(line)?.kind === "error");
}

const TOGETHER = 4;

function verdictOf(found: readonly ResultLine[], isFailed: boolean) {
	const of = (kind: ResultLine["kind"], passed?: boolean) =>
		found.filter((line) => line.kind === kind && (passed === undefined || line.passed === passed));
	const failing = weightiest(of("count", false).slice(-TOGETHER));
	const passing = weightiest(of("count", true).slice(-TOGETHER));
	const bad = weightiest(of("verdict", false));
	const good = isFailed ? undefined : weightiest(of("verdict").slice(-TOGETHER));
	// A failure printed before a successful test summary, such as `12 passed`, belongs to an earlier run.
	const isBad = bad && (isFailed || !passing || found.indexOf(bad) > found.indexOf(passing));
	const neutral = good?.passed ? good : (weightiest(of("count")) ?? good);
	const summary = failing ?? (isBad ? bad : (passing ?? neutral));
	const least = summary ? 4.5 : 3.5;
	const isShown = isFailed || summary?.passed === false;
	const errors = of("error").filter(({ weight }) => isShown || weight > least);
	return { summary, error: summary?.passed && !isFailed ? undefined : weightiest(errors.toReversed()) };
}

function weightiest(lines: readonly ResultLine[]): ResultLine | undefined {
	const most = Math.max(...lines.map(({ weight }) => weight));
	return lines.findLast(({ weight }) => weight === most);
}

function plainLine(lines: readonly string[], isFailed: boolean, looks: boolean): ResultLine[] {
	const plain = lines.filter(
		(line) => line.length <= 160 && (!/:$/.test(line) || PLACE.test(line)) && !DULL.test(line),
	);
	const said = isFailed ? plain.filter((line) => !SOURCE.test(line)) : plain;
	const last = said.at(-1) ?? "";
	const isOnly = plain.length === 1 || isFailed || /^[\d.,]+\w?\s+total$/.test(last);
	const isShown = isOnly || !(looks || SOURCE.test(last));
	const text = plain.find((line, at) => at === 0 && LOG_ROW.test(line)) ?? (isShown ? last : "");
	return text === "" ? [] : [{ kind: "verdict", text, passed: undefined, weight: 0 }];
}
