import type { Checks } from "../../session-core/digest/types.ts";

/** What an answer is held against. */
export interface Ground {
	/** Everything that the model was given. */
	facts: string;
	/** Checks after the last edit, as the log shows them. */
	checks: Checks;
}

/**
 * The answer without the sentences that claim what the session does not show: a file, commit or ticket that does not
 * occur in it, or passing checks that the log has not seen. Undefined when nothing is left.
 */
export function groundAnswer(answer: string, ground: Ground): string | undefined {
	const facts = ground.facts.toLowerCase();
	const kept = sentences(answer).filter((sentence) => isGrounded(sentence, facts, ground.checks));
	const text = kept.join("").trim();
	return text === "" ? undefined : text;
}

function sentences(text: string): string[] {
	return [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text)].map(
		({ segment }) => segment,
	);
}

function isGrounded(sentence: string, facts: string, checks: Checks): boolean {
	if (checks !== "passed" && claimsPassing(sentence)) return false;
	return identifiers(sentence).every((name) => facts.includes(name.toLowerCase()));
}

/** A path or file name with an extension, a commit hash, or a ticket number. */
const IDENTIFIER =
	/(?:[\w@~-]+[\\/])*[\w@-][\w@.-]*\.[a-z]\w{0,7}\b(?!\()|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b|#\d+\b/gi;
/** Looks like a file name and is none: versions, abbreviations, hosts. */
const NO_FILE = /^(?:[eg]\.[eg]|i\.e|v?\d[\w.]*)$/i;

function identifiers(sentence: string): string[] {
	return (sentence.match(IDENTIFIER) ?? []).filter((name) => !NO_FILE.test(name));
}

/**
 * Words by which a sentence says that checks are green. Only a second fence: where a language is missing, the prompt
 * and the digest still keep the model to the facts. Negated and future forms ("do not pass yet") are left alone.
 */
const CHECKS = "tests?|test suite|specs?|checks?|lint(?:er)?|build|types?|type ?check|suite|ci";
const PASSING: readonly RegExp[] = [
	new RegExp(
		String.raw`\b(?:${CHECKS})\b[^.;]{0,40}\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|green|clean)\b`,
		"i",
	),
	new RegExp(String.raw`\b(?:passing|green|clean|successful)\s+(?:${CHECKS})\b`, "i"),
	/테스트[^.]{0,20}(?:통과|성공)|(?:빌드|검사)[^.]{0,12}(?:통과|성공)/u,
	/(?:测试|測試|构建|構建|检查|檢查|テスト|ビルド)[^。]{0,16}(?:通过|通過|成功|パス)/u,
	/\b(?:pruebas?|tests?|compilaci[oó]n)\b[^.;]{0,30}\b(?:pasan?|pasaron|pasado|correctamente|éxito)\b/iu,
	/\b(?:tests?|prüfungen|build)\b[^.;]{0,30}\b(?:bestanden|grün|erfolgreich|laufen durch)\b/iu,
	/\b(?:tests?|vérifications?|build)\b[^.;]{0,30}\b(?:passent|réussis?|passés?|verts?)\b/iu,
];
const NOT_YET =
	/\b(?:not|no|never|until|unless|whether|if|once|should|must|make|get|gets|ensure|verify|confirm|run|rerun|need|needs)\b|n't\b|않|안 |못|실패|확인|未|没|沒|不|失败|失敗|ない|\bnicht\b|\bpas\b/iu;
/** How far before the claim a word still bears on it, in UTF-16 units. */
const REACH = 30;
/** Korean and Japanese put the negation behind the verb. */
const REACH_BEHIND = 10;
const VERB_FINAL = /[\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function claimsPassing(sentence: string): boolean {
	return PASSING.some((pattern) => {
		const match = pattern.exec(sentence);
		if (!match) return false;
		const behind = VERB_FINAL.test(match[0]) ? REACH_BEHIND : 0;
		const end = match.index + match[0].length + behind;
		return !NOT_YET.test(sentence.slice(Math.max(0, match.index - REACH), end));
	});
}
