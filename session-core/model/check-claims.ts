/**
 * Checks every model answer against the session: names, figures and hashes in a sentence must occur in it, and the claims that tests pass
 * and that the work is committed or pushed need a step that shows it.
 */

import { sentencesOf } from "../text/markdown.ts";
import { namesFile } from "../text/paths.ts";
import { programText } from "../timeline/command-text.ts";
import { resultOf } from "../timeline/result.ts";
import { editedPaths, remarksOf, stepsOf } from "../timeline/turn.ts";
import type { Step, Timeline } from "../timeline/types.ts";

/** What an answer is checked against: the session and the model's input. */
export interface SessionFacts {
	/** The complete text that the model received. */
	input: string;
	timeline: Timeline;
}

/** Returns the answer without the sentences that the session does not support, or undefined if none is left. */
export function supportedSentences(answer: string, ground: SessionFacts): string | undefined {
	const kept = sentencesOf(answer).filter((sentence) => isSupported(sentence, ground));
	return kept.length === 0 ? undefined : kept.join(" ").replace(/(?<=[。！？]) /g, "");
}

/** Whether every name in a line occurs in the session, and a step proves each claim of the line. */
export function isSupported(line: string, { input, timeline }: SessionFacts): boolean {
	const { files, links, turns } = timeline;
	const said = turns.flatMap((turn) => [turn.request ?? "", ...remarksOf(turn), turn.reply ?? ""]);
	const made = [...files.map(({ path }) => path), ...links.map((link) => `${link.locator} ${link.label}`)];
	return (
		namesOccur(line, [input, ...said, ...made].join("\n")) &&
		claimsOf(line).every((claim) => isShown(claim, line, timeline))
	);
}

/** Matches a path or file name with an extension, a commit hash, or a ticket number. */
const NAME =
	/(?:[\w@~-]+[\\/])*[\w@-][\w@.-]*\.[a-z]\w{0,7}\b(?!\()|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b|#\d+\b/gi;
/** Matches versions and abbreviations that look like file names. */
const NO_FILE = /^(?:[eg]\.[eg]|i\.e|v?\d[\w.]*)$/i;
const FIGURE = /(?<![\w.#-])\d[\d,]*(?:\.\d+)?(?![\w-]*[./]\w)/g;

/** Whether the names, paths, hashes, tickets and figures of a line occur in a text. */
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

/** What may stand between a subject and its verb. */
const BETWEEN =
	"(?:\\s+(?:all|both|now|again|already|also|locally|and|is|are|was|were|has|have|been|run|ran|lint|types|committed)){0,6}";
const WORK =
	"\\b(?:it|this|that|which|all|both|everything|work|changes?|fix(?:es)?|code|files?|branch|patch|edits?|docs|tests?|update|agent|I)";
const WORK_IS = String.raw`(?:^\W*|${WORK}${BETWEEN}\s+)`;
const IS =
	"(?<!\\p{L})(?:est|sont|été|está|están|fue|fueron|foi|foram|é|são|sido|ist|sind|wurden?)\\s+(?:\\p{L}+\\s+)?";

/**
 * Matches statements about this work, in the suite's languages: its checks pass, or it is committed or pushed. The same words as part of
 * the subject ("the committed snapshot") or about anything else ("the build is clean of the old rule") claim nothing.
 */
const CLAIMS: Readonly<Record<Claim, RegExp>> = {
	passed: new RegExp(
		[
			String.raw`\b(?:tests?|specs?|checks?|lint\w*|builds?|types?|suite|ci|typecheck)\b(?:\s+(?:on|in|for|of)\s+\S+)?${BETWEEN}\s+(?:pass(?:es|ed|ing)?\b(?!\s+(?:an?|the|its?|this|them|through|along)\b)|succe(?:eds?|eded|ssful)\b|green\b|clean(?!\s+(?:of|up)\b)|ok\b|without\s+(?:failures?|errors?)\b)`,
			String.raw`\b(?:no|zero|0) (?:test|build|lint|type) (?:failures?|errors?)\b|\beverything (?:passe[sd]|is green)\b`,
			"(?:테스트|빌드|검사)[^.]{0,20}(?:통과|성공)|(?:测试|測試|构建|構建|检查|檢查|テスト|ビルド)[^。]{0,16}(?:通过|通過|成功|パス|通り)",
			String.raw`\b(?:pruebas?|tests?|testes)\b[^.;]{0,30}(?<!\p{L})(?:pasan?|pasaron|passam|passaram|bestehen|bestanden|grün|erfolgreich|laufen durch|passent|réussis?|passés?|verts?)(?!\p{L})|тесты[^.;]{0,20}(?:проходят|прошли|пройдены)`,
		].join("|"),
		"iu",
	),
	committed: new RegExp(
		[
			String.raw`${WORK_IS}committed\b(?!\s+to\s+(?!main|master|git|origin|the (?:branch|repo)))|\bcommits?\s+(?:has\s+)?(?:landed|succeeded|is done)\b`,
			"커밋\\s?(?:됨|했|완료|되었)|(?:已|已经)提交(?!的)|提交了|コミット(?:済み|しました|した)|закоммичен|закоммитил",
			`${IS}(?:eingecheckt|comm?it)`,
		].join("|"),
		"iu",
	),
	pushed: new RegExp(
		[
			String.raw`${WORK_IS}pushed\b(?!\s+(?:onto|into|down|back|out|through|(?:up )?to (?!main|master|origin|github|the (?:branch|remote|repo))))|\bpush(?:es|ing)?\b[^.;]{0,20}\b(?:succeeded|done|successful|complete)\b`,
			"푸시\\s?(?:됨|했|완료|되었)|(?:已|已经)推送(?!的)|推送了|プッシュ(?:済み|しました|した)|запушен",
			`${IS}(?:gepusht|pusheado|pouss)`,
		].join("|"),
		"iu",
	),
};

/** Words that say that something is pending, wanted or not so. */
const NOT_SO =
	/\b(?:not|no|never|none|nothing|until|unless|whether|if|once|when|should|must|can|could|may|wants?|please|make|gets?|ensure|verify|confirm|rerun|needs?|to be|un\w*ed|before|next|then|will|ready to|without|pending|remaining|failed to)\b|n't\b|않|안 |못|아직|실패|필요|해야|확인|未|没|沒|不|尚|待|需|失败|失敗|ない|まだ|(?<!\p{L})(?:nicht|nichts|noch|kein\p{L}*|pas|rien|aucune?|jamais|encore|non|sin|no|nada|ning\p{L}+|aún|não|ainda|nenhum\p{L}*|falta\p{L}*|ещё|еще|ничего|не)(?!\p{L})/iu;
/** Phrases that report success although they begin with a negation. */
const NO_FAILURE =
	/\b(?:no|zero|0|without(?: any)?|never)\s+(?:(?:test|build|lint|type) )?(?:failures?|errors?|problems?|issues?|warnings?|regressions?)\b/giu;

/** Returns what a sentence claims. A question claims nothing, and neither does a clause about something that is pending or not so. */
function claimsOf(sentence: string): Claim[] {
	const clauses = statedIn(sentence).split(/[,;:，、；：—–]/u);
	return (Object.keys(CLAIMS) as Claim[]).filter((claim) =>
		clauses.some((clause) => CLAIMS[claim].test(clause) && !NOT_SO.test(clause.replace(NO_FAILURE, ""))),
	);
}

/** Returns the part of a sentence that precedes the question at its end, or the whole sentence if it does not end with a question. */
function statedIn(sentence: string): string {
	if (!/[?？؟]["')\]」』”’)]*\s*$/.test(sentence)) return sentence;
	return sentence.slice(
		0,
		Math.max(0, ...[...sentence.matchAll(/[;:；：]|[—–]/g)].map(({ index }) => index)),
	);
}

/** Matches the names of prose files. Edits to such files do not affect the result of a check. */
const PROSE = /\.(?:md|mdx|txt|rst|adoc)$/i;

/**
 * Whether a passed check still counts after these later steps: either no relevant file was edited, or the sentence is about that particular
 * run or about an edited file.
 */
function stillHolds(step: Step, later: readonly Step[], sentence: string): boolean {
	const edited = editedPaths(later).filter((path) => !PROSE.test(path));
	const line = resultOf(step)?.text ?? "";
	return (
		edited.length === 0 ||
		(sentence.match(/\d+/g) ?? []).some((figure) => new RegExp(`\\b${figure}\\b`).test(line)) ||
		edited.some((path) => namesFile(sentence, path))
	);
}

/** Whether a step shows what is claimed, or the user says it. The agent's own words are not evidence. */
function isShown(claim: Claim, sentence: string, { turns, links }: Timeline): boolean {
	const steps = turns.flatMap(stepsOf);
	if (turns.some(({ request }) => request !== undefined && claimsOf(request).includes(claim))) return true;
	if (claim === "pushed") return did(steps, /\bpush\b/);
	if (claim === "committed") return links.some(({ kind }) => kind === "commit") || did(steps, /\bcommit\b/);
	return steps.some((step, index) => {
		const later = steps.slice(index + 1);
		return (
			passes(step, sentence) && !later.some((next) => undoes(step, next)) && stillHolds(step, later, sentence)
		);
	});
}

/** Whether the step passed, according to the test runner's summary or, if the sentence names the command, its exit status. */
function passes(step: Step, sentence: string): boolean {
	const passed = resultOf(step)?.passed;
	if (passed !== undefined || step.looks || step.outcome !== "ok" || step.command === undefined)
		return passed === true;
	const program = programText(step.command);
	return program.length > 3 && sentence.includes(program);
}

/** Whether the same check failed later, so that the earlier pass no longer counts. */
function undoes(step: Step, later: Step): boolean {
	const isSame = later.name === step.name && later.argument === step.argument;
	return isSame && resultOf(later)?.passed === false;
}

/** Matches options that make a command only print its help or simulate its work. */
const REHEARSAL = /\s(?:--help|-h|--dry-run|--dryrun)(?=\s|$)/;

function did(steps: readonly Step[], deed: RegExp): boolean {
	return steps.some(
		(step) =>
			step.outcome === "ok" &&
			!step.looks &&
			// In a step that edited files without running a command, the matched word may be part of a file name.
			(step.command !== undefined || step.edits.length === 0) &&
			!REHEARSAL.test(step.command ?? "") &&
			deed.test(`${step.name.replace(/_/g, " ")} ${step.command ?? step.argument}`),
	);
}
