/**
 * Checks every model answer against the session: the names in a sentence must occur in the timeline, and a claim that something was done
 * needs a step that shows it.
 */

import { sentencesOf } from "../text/markdown.ts";
import { namesFile } from "../text/paths.ts";
import { resultOf } from "../timeline/choose-result-lines.ts";
import { programText } from "../timeline/command-text.ts";
import { editedPaths, stepsOf } from "../timeline/turn.ts";
import type { Step, Timeline } from "../timeline/types.ts";

/** What an answer is checked against: the session and the model's input. */
export interface SessionFacts {
	/** The complete text that the model received. */
	input: string;
	timeline: Timeline;
}

/**
 * Returns the answer without the sentences that the session does not support. Returns undefined if the first sentence is unsupported: it
 * names the work, and the rest would make no sense without it.
 */
export function supportedSentences(answer: string, ground: SessionFacts): string | undefined {
	const [first, ...rest] = sentencesOf(answer);
	if (first === undefined || !isSupported(first, ground)) return undefined;
	const kept = [first, ...rest.filter((sentence) => isSupported(sentence, ground))];
	return kept.join(" ").replace(/(?<=[。！？]) /g, "");
}

/** Whether every name in a line occurs in the input, and a step proves each action that the line claims. */
export function isSupported(line: string, { input, timeline }: SessionFacts): boolean {
	const { files, links } = timeline;
	const made = [...files.map(({ path }) => path), ...links.map((link) => `${link.locator} ${link.label}`)];
	return (
		namesOccur(line, [input, ...made].join("\n")) &&
		claimedActions(line).every((action) => isShown(action, line, timeline)) &&
		placesOf(line).every((place) => isPlaceSeen(place, timeline))
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

export type Action = "passed" | "committed" | "pushed" | "merged" | "deployed" | "published";

/**
 * Phrases that claim an action, in the suite's languages. For other languages, only the instruction to the model prevents false claims.
 */
const CLAIMS: Readonly<Record<Action, RegExp>> = {
	passed:
		/\beverything (?:passe[sd]|is green)\b|\b(?:it|this|that|everything) (?:all )?(?:now )?works\b|\b(?:tests?|checks?|builds?)\b[^.;]{0,10}\bok\b|\b(?:no|zero|0) (?:test|build|lint|type) (?:failures?|errors?)\b|\b(?:tests?|specs?|checks?|lint\w*|builds?|types?|suite|ci|typecheck)\b[^.;]{0,40}\b(?:pass(?:es|ed|ing)?|succe(?:ed(?:s|ed)?|ssful(?:ly)?)|green|clean|without (?:failures?|errors?))\b|\b(?:passing|green|clean|successful)\s+(?:tests?|checks?|builds?|ci|suite)\b|(?:테스트|빌드|검사)[^.]{0,20}(?:통과|성공)|(?:测试|測試|构建|構建|检查|檢查|テスト|ビルド)[^。]{0,16}(?:通过|通過|成功|パス|通り)|\b(?:pruebas?|tests?|testes)\b[^.;]{0,30}\b(?:pasan?|pasaron|passam|passaram|bestehen|bestanden|grün|erfolgreich|laufen durch|passent|réussis?|passés?|verts?)\b|тесты[^.;]{0,20}(?:проходят|прошли|пройдены)/iu,
	committed:
		/\bcommitted\b|\bcommits?\b[^.;]{0,20}\b(?:landed|succeeded|done)\b|커밋\s?(?:됨|했|완료|되었)|(?:已|已经)提交|提交了|コミット(?:済み|しました|した)|\b(?:eingecheckt|committet|commiteado|committé|commité|comitado|commitado)\w*|закоммичен|закоммит/iu,
	pushed:
		/\bpushed\b|\b(?:is|are) (?:now )?on (?:main|master|origin)\b|\bpush(?:es|ing)?\b[^.;]{0,20}\b(?:succeeded|done|successful|complete)\b|푸시\s?(?:됨|했|완료|되었)|(?:已|已经)推送|推送了|プッシュ(?:済み|しました|した)|\b(?:gepusht|pusheado|poussée?s?|enviad[oa]s? (?:a|al|para) (?:origin|main))\b|запушен/iu,
	merged:
		/\bmerged\b|\bmerge\b[^.;]{0,20}\b(?:landed|succeeded|done|complete)\b|머지(?:됨|했|완료|되었)|병합(?:됨|했|완료|되었)|(?:已|已经)合并|合并了|マージ(?:済み|しました|した)|\b(?:gemergt|zusammengeführt|fusionad[oa]s?|fusionnée?s?|mesclad[oa]s?|mergead[oa]s?)\b|(?:смерж|слит)/iu,
	deployed:
		/\bdeployed\b|\b(?:is|are|went|gone|now) live\b|\bdeploy(?:ment)?\b[^.;]{0,20}\b(?:succeeded|done|successful|complete)\b|배포\s?(?:됨|했|완료|되었)|(?:已|已经)部署|部署了|デプロイ(?:済み|しました|した)|\b(?:ausgerollt|deployt|desplegad[oa]s?|déployée?s?|implantad[oa]s?)\b|(?:развёрнут|развернут|задеплоен)/iu,
	published:
		/\b(?:published|released|shipped)\b|\breleases? (?:was|is|has been) (?:cut|made|out)\b|(?:已|已经)发布|发布了|公開(?:済み|しました|した)|\b(?:veröffentlicht|publicad[oa]s?|publiée?s?)\b|опубликован/iu,
};

/** Phrases that say that an action is pending or was not done. */
const NOT_YET =
	/\b(?:not|no|never|none|nothing|until|unless|whether|if|once|should|must|wants?|please|make|gets?|ensure|verify|confirm|rerun|needs?|to be|un\w*ed|before|next|then|will|ready to|without|pending|remaining|failed to)\b|n't\b|않|안 |못|실패|필요|해야|확인|未|没|沒|不|尚|待|需|失败|失敗|ない|まだ|\b(?:nicht|noch|kein\w*|pas|non|sin|no|não|falta\w*)\b|не |ещё/iu;
/** Phrases that report success although they begin with a negation. */
const NO_FAILURE =
	/\b(?:no|zero|0|without(?: any)?|never)\s+(?:(?:test|build|lint|type) )?(?:failures?|errors?|problems?|issues?|warnings?|regressions?)\b/giu;
/**
 * Maximum distance, in UTF-16 code units, at which a negation still applies to a claim. The first value is for negations before the claim.
 * The second value is for negations after the claim, in languages that put the verb last.
 */
const REACH = 34;
const REACH_BEHIND = 10;

/** Returns the actions that a sentence claims. A question makes no claim. */
export function claimedActions(sentence: string): Action[] {
	const claim = statedIn(sentence);
	return (Object.keys(CLAIMS) as Action[]).filter((action) => {
		const match = CLAIMS[action].exec(claim);
		if (!match) return false;
		const behind = /[\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(match[0])
			? REACH_BEHIND
			: 0;
		const around = claim.slice(Math.max(0, match.index - REACH), match.index + match[0].length + behind);
		return !NOT_YET.test(around.replace(NO_FAILURE, ""));
	});
}

/** Returns the part of a sentence that precedes the question at its end, or the whole sentence if it does not end with a question. */
function statedIn(sentence: string): string {
	if (!/[?？؟]["')\]」』”’)]*\s*$/.test(sentence)) return sentence;
	return sentence.slice(
		0,
		Math.max(0, ...[...sentence.matchAll(/[;:；：]|[—–]/g)].map(({ index }) => index)),
	);
}

/**
 * Matches destinations of work, such as `main`, `staging` or PyPI, whose names are the same in every language. A sentence that says that
 * something is at a destination claims that it was put there. Because "main" is also an adjective in English, the surrounding words are
 * checked, too.
 */
const PLACE =
	/(?<![\w./@-])(?<!\b(?:the|its?|our|your|of|one|two|three|la|en) )(?:main|master|origin|prod(?:uction)?|staging|CI|TestFlight|PyPI)(?![\w/:-]|\.\w|\s+(?:cause|reason|change|part|problem|issue|goal|work|point|loop|thread|file|function|theme)\b)/g;

/** Returns the destinations that a sentence mentions, ignoring questions and sentences about pending work. */
function placesOf(sentence: string): string[] {
	const stated = statedIn(sentence);
	return NOT_YET.test(stated.replace(NO_FAILURE, "")) ? [] : (stated.match(PLACE) ?? []);
}

/** Whether the user or a step mentions the destination. The agent's own words are not evidence. */
function isPlaceSeen(place: string, { turns }: Timeline): boolean {
	const form = new RegExp(`\\b${place}\\b`);
	return turns.some(
		(turn) =>
			form.test(turn.request ?? "") ||
			stepsOf(turn).some((step) => form.test(`${step.command ?? step.argument}\n${step.output}`)),
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

/** Whether a step shows the action or the user mentions the action. The agent's own words are not evidence. */
function isShown(action: Action, sentence: string, { turns, links }: Timeline): boolean {
	const steps = turns.flatMap(stepsOf);
	if (turns.some(({ request }) => request !== undefined && claimedActions(request).includes(action)))
		return true;
	switch (action) {
		case "passed":
			return steps.some((step, index) => {
				const later = steps.slice(index + 1);
				return (
					passes(step, sentence) &&
					!later.some((next) => undoes(step, next)) &&
					stillHolds(step, later, sentence)
				);
			});
		case "committed":
			return links.some(({ kind }) => kind === "commit") || did(steps, /\bcommit\b/);
		case "pushed":
			return did(steps, /\bpush\b/);
		case "merged":
			return did(steps, /\b(?:merge|pull|rebase)\b/);
		case "deployed":
			return did(steps, /deploy|\b(?:publish|release|pages|up)\b/);
		case "published":
			return did(steps, /publish|release|deploy|\bpush\b/);
	}
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
