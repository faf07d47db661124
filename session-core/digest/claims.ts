/** What a sentence of the agent claims to have happened, that only the log can show. */
export type Claim = "checks" | "committed" | "pushed" | "merged" | "published";

/** Which of them the log shows. */
export type Shown = Readonly<Record<Claim, boolean>>;

/**
 * Each claim needs its subject and its success in one clause; cues of the commoner languages, so that none passes by default.
 * English words for delivering are common words, too: they claim something only with what is delivered, or alone.
 */
const CUES: Record<Claim, RegExp> = {
	checks:
		/(?:\b(?:tests?|checks?|lint(?:ing|er)?|builds?|type ?check(?:s|ing)?|compil\w+|suite|ci|pipeline|testes|pruebas?|vérifications?)\b|тест|сборк|테스트|빌드|검사|テスト|ビルド|测试|构建|检查|編譯)(?:[^.!?。]|\.(?=\S))*(?:\b(?:pass(?:es|ed|ing|ent|am|aram)?|green|clean(?:ly)?|succeed(?:s|ed)?|success\w*|without (?:any )?errors?|verified|fixed|bestehen|bestanden|erfolgreich|pasan|pasaron|correct\w+)\b|laufen durch|grün|réussi|au vert|éxito|проход|прошл|пройден|успешн|зел[её]н|✅|✓|통과|성공|그린|정상|완료|通过|成功|完了|合格|パス|通り|通っ|緑)|\b(?:tests|checks|builds|suite)\b[^.]*\bworks?\b|\b(?:tests?|suite)\b[^.]*\b(\d+)\/\1\b/i,
	committed:
		/\bcommit(?:ted|s are in|tet|é|ado)\b|\bhice (?:el )?commit|закоммич|커밋(?:을|를)? ?(?:했|됨|완료|됐|되었|마쳤)|提交(?:了|完成)|已[^，。]{0,4}提交|コミット(?:しま|済|完了)|comprometid/i,
	pushed:
		/\b(?:ge)?push(?:ed|t|é|ado)\b|\bhice [^.]*push|\bpoussée?s?\b|запуш|푸시(?:를)? ?(?:했|됨|완료|됐|되었|마쳤)|推送(?:了|完成|到)|已[^，。]{0,6}推送|プッシュ(?:しま|済|完了)/i,
	merged:
		/\b(?:merged|gemergt|gemerged|fusionnée?s?|mesclad[oa])\b|смерж|слит[аоы]?(?!\p{L})|влит|머지(?:를)? ?(?:했|됨|완료|됐|되었|마쳤)|병합(?:했|됨|완료)|合并(?:了|完成)|已[^，。]{0,4}合并|マージ(?:しま|済|完了)/iu,
	published:
		/\b(?:published|released|deployed|shipped|rolled out|deployt|ausgerollt|veröffentlicht|déployée?s?|publiée?s?|implantad[oa]|publicad[oa]|desplegad[oa])\b|\b(?:is|are|it's|went|now) live\b|разв[её]рнут|опубликован|배포(?:를)? ?(?:했|됨|완료|됐|되었|마쳤)|发布(?:了|完成)|部署(?:了|完成)|已[^，。]{0,4}(?:发布|部署|上线)|(?:デプロイ|公開)(?:しま|済|完了)/i,
};

/** What English sentences deliver, where they do. */
const DELIVERED: Partial<Record<Claim, RegExp>> = {
	pushed:
		/\b(?:origin|remote|branch|main|master|upstream|github|gitlab|commits?|changes?|tags?|pr|it|everything|all)\b|#\d/i,
	merged:
		/\b(?:pr|pull request|mr|branch|main|master|dev|develop|origin|upstream|release|it|everything)\b|#\d|\b[0-9a-f]{7,}\b/i,
	published:
		/\b(?:versions?|npm|pypi|crates?|packages?|prod(?:uction)?|staging|site|website|docs|users|app|service|server|release|it|everything)\b|\bv?\d+\.\d+|https?:/i,
};

/** Words that turn a claim into its opposite, a plan or a condition. "0 failures" is a success. */
const NEGATED =
	/\b(?:not|never|no longer|isn't|aren't|wasn't|haven't|hasn't|don't|doesn't|(?<!nothing |none |0 )fail(?:s|ed|ing)?|until|before|once|if|when|should|will|would|can|could|need|needs|to be|nicht|noch|wenn|sobald|pas|ne|si|quand|não|nao|quando|не|если|когда)\b|(?<!\p{L})(?:не|если|когда)(?!\p{L})|안 |않|못|면 |하면|해야|未|没|如果|ません|なら|no se|todavía/iu;

/** Where one clause ends and another begins that may stand under other conditions. */
const CLAUSE_END =
	/[,;:，；、]\s*|\s[—–-]\s|\s(?:so|but|and|which means|damit|aber|und|donc|mais|et|así que|pero|y|mas|e|но|и)\s/i;

/** What a sentence claims as done. Negations, conditions and plans claim nothing, nor does what stands beside them. */
export function claimsIn(sentence: string): Claim[] {
	const names = Object.keys(CUES) as Claim[];
	return names.filter((claim) => CUES[claim].test(sentence) && !isDenied(claim, sentence));
}

function isDenied(claim: Claim, sentence: string): boolean {
	const clauses = sentence.split(CLAUSE_END);
	const own = clauses.filter((clause) => CUES[claim].test(clause));
	const told = own.length > 0 ? own : [sentence];
	if (told.every((clause) => NEGATED.test(clause))) return true;
	// "If the tests pass, it is merged" claims neither.
	if (/^(?:if|once|when|as soon as|wenn|sobald|si|quand|cuando|если|когда)\b/i.test(sentence)) return true;
	const delivered = DELIVERED[claim];
	if (!delivered || !/\b(?:pushed|merged|published|released|deployed|shipped|rolled out)\b/i.test(sentence))
		return false;
	return sentence.trim().split(/\s+/).length > 3 && !told.some((clause) => delivered.test(clause));
}

/** Whether a sentence claims something that the log does not show. */
export function isUnsupported(sentence: string, shown: Shown): boolean {
	return claimsIn(sentence).some((claim) => !shown[claim]);
}
