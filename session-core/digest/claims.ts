/** What a sentence of the agent claims to have happened, that only the log can show. */
export type Claim = "checks" | "committed" | "pushed" | "merged" | "published";

/** Which of them the log shows. */
export type Shown = Readonly<Record<Claim, boolean>>;

/** Each claim needs its subject and its success in one sentence; cues of the commoner languages, so that none passes by default. */
const CUES: Record<Claim, RegExp> = {
	checks:
		/(?:\b(?:tests?|checks?|lint(?:ing|er)?|builds?|type ?check(?:s|ing)?|compil\w+|suite)\b|테스트|빌드|검사|テスト|ビルド|测试|构建|检查|編譯|pruebas?|compilaci[oó]n)(?:[^.!?。]|\.(?=\S))*(?:\b(?:pass(?:es|ed|ing)?|green|clean(?:ly)?|succeed(?:s|ed)?|success\w*|without (?:any )?errors?|works?|verified|fixed)\b|✅|✓|통과|성공|그린|정상|완료|通过|成功|完了|合格|pasan|pasaron|correct\w+|éxito)/i,
	committed:
		/\bcommit(?:ted|s are in)\b|커밋(?:했|됨|완료|됐|되었)|提交(?:了|完成)|コミットしました|comprometid/i,
	pushed: /\bpush(?:ed)\b|푸시(?:했|됨|완료|됐|되었|했습니다)|推送(?:了|完成)|プッシュしました/i,
	merged: /\bmerged\b|머지(?:했|됨|완료|됐|되었)|병합(?:했|됨|완료)|合并(?:了|完成)|マージしました/i,
	published:
		/\b(?:published|released|deployed)\b|배포(?:했|됨|완료|됐|되었)|发布(?:了|完成)|部署(?:了|完成)|デプロイしました|publicad[oa]|desplegad[oa]/i,
};

const NEGATED =
	/\b(?:not|never|no longer|isn't|aren't|wasn't|haven't|hasn't|don't|doesn't|fail\w*|until|before|once|if|when|should|will|would|can|could|need|needs|to be)\b|안 |않|못|면 |하면|해야|未|没|如果|no se|todavía/i;

/** What a sentence claims as done. Negations, conditions and plans claim nothing. */
export function claimsIn(sentence: string): Claim[] {
	const found = (Object.keys(CUES) as Claim[]).filter((claim) => CUES[claim].test(sentence));
	return found.length > 0 && NEGATED.test(sentence) ? [] : found;
}

/** Whether a sentence claims something that the log does not show. */
export function isUnsupported(sentence: string, shown: Shown): boolean {
	return claimsIn(sentence).some((claim) => !shown[claim]);
}
