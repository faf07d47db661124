/**
 * Checks a model's answer against the session. All names, figures and hashes must occur in the session,
 * and a claim such as "tests pass" needs proof in a tool's output.
 */

import {
	editedPaths,
	programText,
	remarksOf,
	resultOf,
	type Step,
	stepsOf,
	type Timeline,
} from "../log/timeline/index.ts";
import { joinText, sentencesOf } from "../text/index.ts";

export interface SessionFacts {
	input: string;
	timeline: Timeline;
}

/**
 * If the first clause of a sentence is not supported by the session's log, the whole sentence is
 * dropped, because the other clauses may depend on the first clause.
 */
export function supportedSentences(answer: string, ground: SessionFacts): string | undefined {
	const kept = sentencesOf(answer).flatMap((sentence) => supportedPart(sentence, ground) ?? []);
	return kept.length === 0 ? undefined : joinText(kept);
}

function supportedPart(sentence: string, ground: SessionFacts): string | undefined {
	if (isSupported(sentence, ground)) return sentence;
	const [first = "", ...clauses] = sentence.split(/(?<=[,;])\s+/);
	const kept = clauses.filter((clause) => isSupported(clause, ground));
	if (kept.length === 0 || !isSupported(first, ground)) return undefined;
	const text = [first, ...kept].join(" ");
	return isSupported(text, ground) ? text.replace(/[,;]$/, sentence.at(-1) ?? ".") : undefined;
}

export function isSupported(line: string, ground: SessionFacts): boolean {
	const { timeline } = ground;
	return (
		namesOccur(line, factsText(ground)) && claimsOf(line).every((claim) => isShown(claim, line, timeline))
	);
}

export function factsText({ input, timeline: { files, links, turns } }: SessionFacts): string {
	const said = turns.flatMap((turn) => [turn.request ?? "", ...remarksOf(turn), turn.reply ?? ""]);
	const made = [...files.map(({ path }) => path), ...links.map((link) => `${link.locator} ${link.label}`)];
	return [input, ...said, ...made].join("\n");
}

const NAME =
	/(?:[\w@~][\w@~-]*[\\/])*[\w@][\w@.-]*\.[a-z]\w{0,7}\b(?!\()|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b|#\d+\b/gi;
/** Matches versions and abbreviations that look like file names, such as `v1.2` and `e.g`. */
const NO_FILE = /^(?:[eg]\.[eg]|i\.e|v?\d[\w.]*)$/i;
const FIGURE = /(?<![\w.#-])\d[\d,]*(?:\.\d+)?(?![\w-]*[./]\w)/g;

export function namesOccur(line: string, text: string): boolean {
	const known = text.toLowerCase();
	const names = (line.match(NAME) ?? []).filter((name) => !NO_FILE.test(name));
	if (!names.every((name) => known.includes(name.toLowerCase()))) return false;
	const figures = new Set((text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map(bareFigure));
	return (line.match(FIGURE) ?? []).every((figure) => figure.length < 2 || figures.has(bareFigure(figure)));
}

function bareFigure(figure: string): string {
	return figure.replace(/,/g, "").replace(/\.0+$/, "");
}

type Claim = "passed" | "committed" | "pushed";

const BETWEEN = String.raw`(?:\s+(?:all|both|now|also|locally|and|is|are|was|were|has|have|been|lint|committed)){0,5}\s+`;
const WORK = String.raw`(?:^\W*|\b(?:it|this|that|all|both|everything|work|changes?|fix(?:es)?|code|files?|branch|patch|docs|tests?|agent|I)${BETWEEN})`;

/**
 * Matches claims such as "all tests pass" or "I pushed the fix", but not similar phrases such as "the
 * tests pass an option".
 */
const CLAIMS: Readonly<Record<Claim, RegExp>> = {
	passed: new RegExp(
		String.raw`\b(?:tests?|checks?|lint|builds?|types?|suite|ci|typecheck|everything)\b${BETWEEN}(?:pass(?:es|ed|ing)?\b(?!\s+(?:an?|the|its?|this|them|through)\b)|succeed(?:s|ed)?\b|successful\b|green\b|clean\b(?!\s+(?:of|up)\b)|ok\b)`,
		"i",
	),
	committed: new RegExp(String.raw`${WORK}committed\b(?!\s+to\s+(?!main|master|git))`, "i"),
	pushed: new RegExp(
		String.raw`${WORK}pushed\b(?!\s+(?:onto|into|down|back|out|through|to\s+(?!main|master|origin|github)))`,
		"i",
	),
};

const NOT_SO =
	/\b(?:not|no|never|none|nothing|until|unless|whether|if|once|when|should|must|can|could|may|make|wants?|verify|confirm|needs?|to be|before|next|will|without|pending|failed to)\b|n't\b|\?/i;

/**
 * A clause about something that is pending or negated, such as "once the tests pass", is not treated as
 * a claim.
 */
function claimsOf(sentence: string): Claim[] {
	const clauses = sentence.split(/[,;:—–]/u).filter((clause) => !NOT_SO.test(clause));
	return (Object.keys(CLAIMS) as Claim[]).filter((claim) =>
		clauses.some((clause) => CLAIMS[claim].test(clause)),
	);
}

/** A claim can be proven by a tool's output or by the user, but not by the agent's own words. */
function isShown(claim: Claim, sentence: string, { turns, links }: Timeline): boolean {
	const steps = turns.flatMap(stepsOf);
	if (turns.some(({ request }) => request !== undefined && claimsOf(request).includes(claim))) return true;
	if (claim === "pushed") return did(steps, /\bpush\b/);
	if (claim === "committed") return links.some(({ kind }) => kind === "commit") || did(steps, /\bcommit\b/);
	return steps.some((step, index) => passes(step, steps.slice(index + 1), sentence));
}

const PROSE = /\.(?:md|mdx|txt|rst|adoc)$/i;

/**
 * A test run that precedes an edit no longer proves a sentence such as "tests pass". It still proves a
 * sentence that quotes a number from the run's output.
 */
function passes(step: Step, later: readonly Step[], sentence: string): boolean {
	const result = resultOf(step);
	const program = step.outcome === "ok" && !step.looks && step.command ? programText(step.command) : "";
	if (!(result?.passed ?? (program.length > 3 && sentence.includes(program)))) return false;
	if (later.some((next) => next.argument === step.argument && resultOf(next)?.passed === false)) return false;
	const figures: string[] = result?.text.match(/\d+/g) ?? [];
	return (
		editedPaths(later).every((path) => PROSE.test(path)) ||
		(sentence.match(/\d+/g) ?? []).some((figure) => figures.includes(figure))
	);
}

const REHEARSAL = /\s--?(?:help|h|dry-?run)(?=\s|$)/;

function did(steps: readonly Step[], deed: RegExp): boolean {
	return steps.some(
		(step) =>
			step.outcome === "ok" &&
			!step.looks &&
			(step.command !== undefined || step.edits.length === 0) &&
			!REHEARSAL.test(step.command ?? "") &&
			deed.test(`${step.name.replace(/_/g, " ")} ${step.command ?? step.argument}`),
	);
}

/**
 * Only the first four letters of each word are compared, so that inflected forms match. Words with
 * fewer than five letters are ignored, because they are too common.
 */
const STEM = 4;
const LONG = 5;
/**
 * Matches hiragana, which mostly spells Japanese grammatical endings that occur in text on any topic.
 */
const HIRAGANA = /\p{Script=Hiragana}/u;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
const IS_DENSE = new RegExp(DENSE, "u");
const ASCII = /^[\0-\x7f]*$/;

export function sharesWords(text: string, session: string): boolean {
	if (IS_DENSE.test(text) && !IS_DENSE.test(session)) return true;
	const [own, known] = [stemsOf(text), stemsOf(session)];
	return own.size === 0 || [...own].some((stem) => known.has(stem));
}

export function wordsShared(title: string, other: string): number | undefined {
	if (IS_DENSE.test(title) !== IS_DENSE.test(other)) return undefined;
	const known = stemsOf(other, LONG);
	const own = [...stemsOf(title, LONG)].filter((stem) => !HIRAGANA.test(stem));
	return own.length === 0 ? 1 : own.filter((stem) => known.has(stem)).length / own.length;
}

function stemsOf(text: string, least = STEM): Set<string> {
	const stems = new Set<string>();
	const isDense = IS_DENSE.test(text);
	const words = ASCII.test(text) ? /[a-z\d]+/g : /[\p{L}\p{M}\p{N}]+/gu;
	for (const run of text.toLowerCase().match(words) ?? []) {
		for (const part of (isDense && run.match(DENSE)) || [])
			for (let at = 0; at + 1 < part.length; at++) stems.add(part.slice(at, at + 2));
		if (run.length >= least || /\d/.test(run)) stems.add(run.slice(0, STEM));
	}
	return stems;
}
