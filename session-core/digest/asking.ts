/** Which sentences of a reply ask the user something: by their marks first, by words only where the marks mislead. */

/** Question marks of Latin, full-width and Arabic script; Greek has a semicolon; Japanese and Korean ask by endings, too. */
const ASKING_END =
	/(?:[?？؟]|(?<=\p{Script=Greek});|(?:ます|です|でしょう)か。?|(?:할까요|드릴까요)[.]?)["')\]」』)]*$/u;
/** The optional parameter at the end of a signature: `show(item, target?)`. */
const SIGNATURE = /\w\([^()]*\w\?\)$/;
/** The mark belongs to a quotation that opened in the middle of the sentence. */
const QUOTED_MARK = /^[^"“「『«]+["“「『«][^"”」』»]*[?？][\s\u00a0]?["”」』»][\s.。]*$/;
/** What closes a reply and asks nothing about the work. */
const COURTEOUS =
	/\b(?:any|some)thing else\b|\bany (?:other |more |further )?questions\b|\bmakes? sense\?|¿(?:necesitas|quieres|hay) algo m[aá]s\b|还有(?:什么|其他)|他に(?:何|ご)|더 도와|다른 (?:질문|도움)|\b(?:noch|sonst) (?:et)?was\b|\bautre chose\b|\bmais alguma coisa\b|что-нибудь ещё|ещё что-то/i;
const NAMES_SOMETHING = /\d|[a-z][A-Z]|\w[./_]\w/;

/** Whether a sentence asks about the work. */
export function isQuestion(sentence: string): boolean {
	if (!ASKING_END.test(sentence) || SIGNATURE.test(sentence) || QUOTED_MARK.test(sentence)) return false;
	return !COURTEOUS.test(sentence) || NAMES_SOMETHING.test(sentence);
}

/** What questions begin with that their speaker answers, and what in Latin script is put to the reader. */
const WONDERING =
	/^(?:(?:so|but|and),? )?(?:why|how come|what if|who|where)\b|^(?:왜|为什么|どうして|なぜ|¿?por qué|warum|pourquoi)/i;
const TO_READER =
	/\b(?:you|your|i|we|me|us|should|shall|usted|te|quieres|prefieres|vous|tu|je|nous|du|sie|ich|wir|você|eu)\b|¿/i;
/** What asks without a mark. */
const DEMAND =
	/^(?:so |now )?(?:please )?(?:confirm\b|tell me (?:which|what|whether|how)\b|reply with\b|choose (?:one|between)\b|let me know (?:which|what|how|whether)\b)|^(?:sag mir|dites-moi|скажите|dime (?:qué|cuál|si)|me diga)(?!\p{L})|(?:알려|선택해|골라) ?주세요[.!]?$|(?:教えて|選んで)ください。?$|^请(?:您)?(?:告诉我|确认|选择)/iu;

/** Whether a sentence of a paragraph asks the reader, rather than raises what the next sentence says. */
export function isAsked(sentence: string, index: number, paragraph: readonly string[]): boolean {
	if (DEMAND.test(sentence)) return !isCourtesy(sentence);
	if (!isQuestion(sentence)) return false;
	if (paragraph.slice(index + 1).every(isQuestion)) return true;
	if (WONDERING.test(sentence)) return /\byour?\b/i.test(sentence);
	return TO_READER.test(sentence) || !/^[\p{Script=Latin}\P{L}]*$/u.test(sentence);
}

/** An invitation that names nothing which the agent would do: nobody has to answer it. */
const COURTESY =
	/\blet me know (?:if|should|when(?:ever)? you)\b|면 (?:언제든(?:지)? )?(?:말씀|알려)|(?:たら|れば).{0,12}(?:教えて|お知らせ|おっしゃ)|(?:如果|若|需要).{0,24}(?:告诉我|随时)|\bsi (?:necesitas|quieres|hay)\b.{0,60}\b(?:avísame|dime|házmelo)/i;
const OWN_DEED =
	/\bi(?:'ll| will| can| could|'d| would)\b|\bwe can\b|\bme to \w|겠습니다|할게요|드릴게요|드리겠|しましょう|我(?:可以|会|来)|puedo/i;

/** Whether a sentence is a courtesy. */
export function isCourtesy(sentence: string): boolean {
	return COURTESY.test(sentence) && !OWN_DEED.test(sentence);
}
