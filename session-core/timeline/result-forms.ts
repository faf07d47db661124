/** Classifies a line of a result by its form: a count, a verdict, an error, something created, or none of these. */
import { readCounts } from "./result-counts.ts";

/** The kind of a line. `count`: a runner's summary with figures. `verdict`: a summary without figures. `made`: something was created. */
export type LineKind = "error" | "count" | "verdict" | "made";

export interface Line {
	kind: LineKind;
	text: string;
	/** Whether the summary reports success (true) or failure (false); undefined if it reports neither. */
	passed: boolean | undefined;
	/** The line's rank among lines of the same kind. */
	weight: number;
}

/** Matches the horizontal rules that a test runner draws around its headings: `===== 1 failed in 0.2s =====`. */
const RULE = /^(?:={3,}|[─━⎯_!*-]{4,})\s*|\s*(?:={3,}|[─━⎯_!*-]{4,})$/g;
const RULED = /^[=─━⎯_!*-]|[=─━⎯_-]$/;
/** Matches the prefix that a multiplexer adds to each line: `[test] `, `web:test: `, `app-1  | `, `packages/web test: `, `==12== `. */
const PREFIX =
	/^(?:\[(?!error|fatal|warn|fail|\d)[\w./:@-]+\]|[\w@./-]+[:#](?!\d)[\w.-]+:|[\w@./-]+\s+\||[\w@.-]+\/[\w@./-]+ \w+:|==\d+==)\s+(?=\S)/i;

/** Matches banners, progress lines, code frames, stack frames, table rows, times and advice. */
const DULL = new RegExp(
	[
		String.raw`^(?:>\s|[$%|│]|@@|>?\s*\d+\s*[|│]\s)|\|.*\|.*\||^\d+%(?:$|\s*[|[█#])|\[\s*\d+ ?%\]$`,
		String.raw`^(?:❯ )?(?:at |in function |in call from )?(?:async )?(?:\S+ (?:\[.*\] )?)?\(?[^\s():]+(?::[^\s():]+)*:\d+\)?(?: \{)?$|^at\s+.*:\d+|^file "`,
		String.raw`^(?:hint|help|note|info|usage|tip|npm notice|npm warn|npm error (?:path|workspace|location|a complete log))\b|^(?:= |\(.*\)$|(?:\d+ \w+ )?potentially fixable|\d+ errors? and)`,
		String.raw`deprecat|looking for funding|^debugger (?:attached|listening)|^waiting for the debugger|^(?:run|use|try|see|did you|for more|more info\w*|hint|you can|this might)\b|^caused by:?$|: use -|\blog (?:file )?(?:written|saved)|^if you\b|\|-?$|\s(\S+)\s+->\s+[\w-]+\/\1$|^={3,}.*={3,}$|^\[(?:raw output|.*\bevicted\b)`,
		String.raw`^\W*(?:real|user|sys|time|total test time|duration|start at|finished in|done in|date|cached|snapshots?|seed|elapsed)\b(?!.*\b[1-9]\d* (?:failed|written))|^\S+ v\d+\.\d\S*$`,
	].join("|"),
	"i",
);
const WORDS = /[\p{L}\d].*?[\p{L}\d]/u;
/** Matches progress messages, which do not show the outcome. */
export const PROGRESS =
	/^(?!(?:passing|failing|missing|pending|warning|nothing|everything|string|during)\b)[a-z]+ing\b(?!.*\b(?:fail|pass|error|cannot|finished|complete|ok\b))/i;
/** Matches source code, markup and data. Such lines do not count as statements about the outcome. */
export const SOURCE = /[{};,(>\\]$|^\d+[:-]\s|^(?:[<}\])"'#/*+-]|import|export|const|def|return|function)/;
/** Matches a table row. Unlike a summary, a row begins with the file, test or commit that it is about. */
const ROW =
	/^\W*(?:[\w@]+ )?(?!\d+\/\d)(?:[\w@.-]*\/[\w@./-]+|[\w@-]+\.[a-z]{1,5}\d?(?=[\s:(),]|$))|:$|^\d+[:-]/i;
/** Matches a commit in a log. The commit's subject may contain anything. */
export const LOG_ROW = /^[0-9a-f]{7,40} (?:\([^)]*\) )?\S/;
/** Matches a location: `src/queue.ts:12:5`, `parse.go:7:`, `main.c(3,4)`. */
export const PLACE = /(?<![\w./@-])[\w./@-]+\.\w{1,6}[:(]\d+(?:[:,]\d+)?/;
const VERDICT_GOOD =
	/\b(?:all (?:\w+ ){0,4}(?:passed|pass|ok|good|clean|successful)|all (?:matched )?files? (?:use|are|formatted)|(?:build|compil\w+|tests?|checks?|lint\w*|suite) (?:was |is |are |all )?(?:success\w*|succeeded|passed|passes|pass|ok|clean)|compiled successfully|build complete\b|built in \d|success: |^(?:ok|pass(?:ed)?)$|^ok\s+\S+\s+(?:[\d.]+s\b|\(cached\))|no (?:\w+ ){0,2}(?:issues?|errors?|problems?|warnings?|offenses) (?:were )?(?:found|detected|in)|result: pass|finished\b.*\btarget|is valid\b|syntax ok|would be left unchanged|rated at 10)|\bpassed!?$/i;
const DONE =
	/\b(?:success(?:fully)?|up[- ]to[- ]date|nothing to (?:commit|be done|do)|nothing added|no fixes applied|completed?|finished|done)\b|^(?:[✓✔✅]|ok\b|pass\b)/i;
const VERDICT_BAD =
	/\b(?:build fail(?:ed|ure)|failed to compile|compilation (?:failed|terminated|error)|tests? failed|test failure|(?:result|status): fail\w*|failed with|did not (?:pass|compile)|could not compile|aborting due to|conflict|would (?:be )?reformat(?:ted)?|code style issues|no tests (?:found|ran)|rated at \d\.)\b|^fail(?:ed|ure)?\W*$/i;
const WRAPPER =
	/^npm (?:err!|error)|^error command failed|\*\*\* \[|elifecycle|\brun failed\b|\bexited (?:with|\()|^collect2|command failed|exit (?:status|code) \d|test failed, to rerun|previous errors?\b|stopping after/i;
const WARNING =
	/^\W*(?:warning|note|info|hint)\b|[:\d]\s+(?:-\s+)?(?:warning|note|info|hint|style|help)\b|\bWarning:/i;
/** Matches a line that begins with a location, as linters and compilers print it. */
const LOCATED = /^[\w./@-]+\.\w{1,6}[:(]\d+(?:[:,]\d+)?\)?:?\s+\S/;
/**
 * Patterns of errors, most informative first: a failed test with its reason, a typed error, a plain error or the name of a failed test, a
 * location, a hint.
 */
const ERRORS: readonly RegExp[] = [
	/^failed \S.* - \S/i,
	/\b[A-Z]\w*(?:Error|Exception|Failure)\b(?:\s*:|\s+\[|\s{2,}\S)|\bpanic(?:ked at |: )|\bfatal(?: error)?:|\berror(?:\[\w[\w/-]*\])?\s*:|\berror\s+(?:TS|CS|C|E|SC|LNK|MD)\d+|^\[error\]|\(error\):|\berror at \S+:\d|\bundefined reference|^conflict\b|\[rejected\]|\(\w*(?:Error|Exception)\)|\b\d+:\d+\s+error\b|\bsyntax error\b/i,
	/^(?:E\s{2,}\S|error\b.*\w|--- FAIL: |\(?not ok \d|(?:✗|✘|✖|×|❌|✕)\s*\S|●\s.*(?:›|fail)|FAIL(?:ED)?[:\s]+\S|>> issue:)|\*failed\*|(?:\.{2}|\)) ?failed$|"error"\s*:\s*"\S|\b(?:command not found|no such file or directory|permission denied|cannot|could not|not found|connection refused|timed out|unable to|address already in use|EADDRINUSE|ENOENT|ECONNREFUSED|unexpected token|segmentation fault|failed to|no rule to)\b/i,
	LOCATED,
	/^\d+[.)]\s+\S|\b(?:no matching|missing|invalid|unknown|unrecognized|unsupported)\b|\[[^[\]\s]+:\d+\]:?$|^(?:npm (?:err!|error)|ERR_\w+)\s+\S/i,
];

/** Returns the rank of a line as an error; 0 if it is not an error. */
function errorWeight(text: string): number {
	const index = ERRORS.findIndex((form) => form.test(text));
	if (index < 0) return 0;
	const weight = 6 - index;
	if (WARNING.test(text) && !/\berror\b/i.test(text)) return 0.5;
	if (WRAPPER.test(text)) return weight > 2 || /\bno matching|\bmissing/i.test(text) ? 1.5 : 1;
	if (weight > 4) return weight + (PLACE.test(text) ? 0.5 : 0) - (text.endsWith(":") ? 0.7 : 0);
	// Lines that begin with a location all have the same rank, so that the first of them is chosen.
	if (LOCATED.test(text)) return 3;
	return text.endsWith(":") && !PLACE.test(text) ? 0 : weight;
}

/**
 * Patterns of lines that report something created, most informative first: a commit, a reference or page, a number of files, a file, the
 * state of a file.
 */
const MADE: readonly RegExp[] = [
	/^\[[^\]\n]{1,120} [0-9a-f]{7,40}\] \S/,
	/^[ \t+*!-]*(?:[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}|\[new (?:branch|tag)\])\s+\S+\s*->|^https?:\/\/\S+\/(?:pull|pulls|issues|merge_requests|pull-requests|releases)\/\S+$|\b(?:commit|hash|revision)\b.{0,40}\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/i,
	/^\d+ files? changed\b|^(?:added|removed|changed) \d+ packages?|^Packages: [+-]/,
	/\b(?:created|saved|wrote|written|generated|published|uploaded|deployed|exported)\b.{0,60}(?:[./][a-z]|https?:)/i,
	/^(?:modified|new file|deleted|renamed|both modified):\s|^(?:Applied|Merged|Switched to|HEAD is now|Saved|Dropped|Deleted|Renamed|Moved|Initialized|reformatted|Successfully installed)\b|^\+ [\w@]/,
];

function isDull(text: string): boolean {
	return !WORDS.test(text) || DULL.test(text);
}

/** Whether a line is a script's banner or is printed by a debugger. If the output has no other lines, nothing went wrong. */
export function isBanner(text: string): boolean {
	return /^>\s|^(?:debugger attached|waiting for the debugger)\b|^\W*$/i.test(text);
}

/** Classifies a line. Returns undefined if it says nothing about the outcome. */
export function readLine(raw: string): Line | undefined {
	const text = RULED.test(raw) ? raw.replace(RULE, "") : raw;
	const core = text.replace(PREFIX, "");
	if (LOG_ROW.test(core) || isDull(core) || PROGRESS.test(core)) return undefined;
	const made = MADE.findIndex((form) => form.test(text));
	if (made >= 0) return { kind: "made", text, passed: undefined, weight: -made };
	const counts = readCounts(core);
	if (counts && !ROW.test(core) && !WRAPPER.test(core)) return { kind: "count", text, ...counts };
	const error = errorWeight(core);
	// A single word such as "FAIL" gives no information.
	const weight = /^\w+\W*$/.test(core) ? -1 : 1;
	if (VERDICT_BAD.test(core) && error < 5 && !/:$/.test(core))
		return { kind: "verdict", text, passed: false, weight: error + weight };
	if (error > 0) return { kind: "error", text, passed: false, weight: error };
	if (VERDICT_GOOD.test(core)) return { kind: "verdict", text, passed: true, weight };
	const isDone = core.length <= 120 && !SOURCE.test(core) && DONE.test(core);
	return isDone ? { kind: "verdict", text, passed: undefined, weight: 0.5 } : undefined;
}

/** Whether a line that matches none of the patterns above may represent the whole result. */
export function isPlain(text: string): boolean {
	return text.length <= 160 && (!/:$/.test(text) || PLACE.test(text)) && !isDull(text.replace(PREFIX, ""));
}
