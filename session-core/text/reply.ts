/** Finds the statements, questions, offers and unticked items in a reply by pattern matching. */

import { tailUnits } from "./clip.ts";
import { countWords } from "./count.ts";
import { type Block, readBlocks } from "./markdown.ts";
import { sentencesOf } from "./sentences.ts";

export interface Reply {
	/** The questions to the user at the end of the reply. */
	questions: string[];
	/** What the agent needs the user to do, in its last sentences. */
	requests: string[];
	/** Offers in its last sentences. */
	offers: string[];
	/** Items with an unticked box. */
	unticked: string[];
}

/** Matches the end of a question: a Latin, full-width, Arabic or Greek question mark, or the ending of a Japanese or Korean question. */
const ASKING_END =
	/(?:[?？؟]|(?<=\p{Script=Greek});|(?:ます|です|でしょう)か。?|(?:(?<!니)까요|나요|습니까|을래요|실래요)[.]?)["')\]」』”’）*]*$/u;
/** Matches a question that its list completes: "Should we go with:" */
const ASKING_LEAD =
	/^(?:(?:so|or|and),? )?(?:(?:should|shall) (?:i|we)|(?:do you|would you|want me|if not,? (?:do|should)) |soll(?:en)? (?:ich|wir)|(?:möchtest|willst) du|dois-je|(?:voulez|veux|préfér)|¿|debo|quieres|prefieres|devo|você quer|quer que|хотите|мне (?:стоит|нужно ли)|要不要|是否(?:需要|要)|(?:你|您)(?:想|希望|更喜欢))[^.!]*[:：]$/iu;
/** Matches the optional parameter at the end of a signature, which is not a question: `show(item, target?)`. */
const SIGNATURE = /\w\([^()]*\w\?\)$/;
/** Matches a sentence that ends with a quoted question. The question mark belongs to the quotation, not to the sentence. */
const QUOTED_MARK = /^[^"“「『«]+["“「『«][^"”」』»]*[?？][\s\u00a0]?["”」』»][\s.。]*$/;

/** Matches phrases that leave a decision to the user, in the languages that the suite supports. */
const OFFER =
	/\b(?:if you(?:'d)? (?:want|like|prefer|wish)|want me to|shall i|should i|let me know if|just say|ready (?:to|for)\b)|(?:원하|필요하|없으)(?:시)?면|말(?:씀)?\s?(?:해|만|걸어)|如果你|如果您|需要我|要我|よろしければ|必要(?:なら|であれば)|教えてください|\bsi (?:quieres|prefieres|vous (?:voulez|souhaitez))\b|\bwenn du (?:willst|möchtest|magst)\b|\bse (?:você )?(?:quiser|preferir)\b|если хотите/i;

/** Matches a general offer of help, a courtesy that needs no answer. */
const COURTESY =
	/\b(?:(?:any|some)thing (?:else|further|more|besides|(?:that )?you(?:['’]d| would)? (?:like|want) me to)|(?:what|how) else can i|(?:another|other) (?:task|matter)|(?:does|did) (?:that|this) (?:help|answer)|autre chose|d['’]autre|besoin d['’]aide|algo más|más ayuda|sonst noch|noch etwas|etwas anderem|noch fragen|weiterhelfen|mais alguma coisa|algo mais|(?:any|other|more|further) (?:questions?|help|assistance|clarification|changes|adjustments|details|information)|feel free|how it goes|what you think|(?:tell|let) me know if (?:it|this|that|these|you (?:have|need|run into|see|hit)|you(?:['’]d| would)? (?:want|like) me to (?:tweak|adjust)))\b|其他问题|任何问题|还有(?:什么|其他)|还需要(?:什么|其他|我)|还?有别的|再帮(?:你|您)|帮(?:您|你)的吗|何かお手伝い|お手伝いできる|다른 도움|도와드릴|ещё (?:что|чем|помочь)|чем ещё|(?:что|чем)-(?:нибудь|то) ещё|(?:他|ほか)に(?:も)?(?:何か|ご|必要)|(?:더|다른|추가로) (?:궁금|필요|질문)|(?:뭔가|뭘 더|뭐 더) .{0,24}(?:싶|있)으면|뭐 ?하(?:실|고)|언제든|(?:뭘|무엇을) 도와|weitere (?:fragen|hilfe)|d['’]autres questions|otra (?:pregunta|cosa)|outras? (?:perguntas?|dúvidas?)|ещё вопрос/i;

/**
 * Matches what only the user can do or decide, said without a question mark: "Let me know which …", "Please run … and tell me …", "I need
 * your password".
 */
const ASKED_OF_USER =
	/\b(?:(?:let me know|tell me|say|decide) (?:which|whether|what|how|when|where|who)\b|please (?:run|paste|provide|send|share|log ?in|sign ?in|enter|approve|grant|confirm|choose|decide|pick|restart|install|reboot|plug|check)\b|i(?:'ll| will)? need (?:your|you to|the|to know)\b|\b(?:send|give|show|paste) me\b|you(?:'ll| will)? (?:need|have) to (?:run|provide|enter|log|approve|grant|confirm|choose|decide)\b|(?:waiting|wait) for (?:you|your)\b|(?:run|execute|open|paste|type|enter|log in|sign in)\b[^.!?]{0,80}\b(?:and|then) (?:tell|send|show|paste|give|report|let)\b|(?:once|after|as soon as) you(?:['’]ve| have)? (?:\w+ )?(?:done|approve|confirm|provide|log|run|restart|reboot|install)\w*\b)|\b(?:sag|sage|sagen sie|teil(?:e|en sie)?|gib|geben sie|schick|schicke|schicken sie|zeig|zeige) mir\b|\bbitte (?:führe?n?|gib|geben|bestätige?n?|starte?n?|wähle?n?|melde?n?|installiere?n?)\b|\bich brauche (?:dein|ihr|deine|ihre)|\b(?:dis|dites|donne|donnez|envoie|envoyez|indique|indiquez|montre|montrez)-moi\b|\bil me (?:faut|manque) (?:votre|ton|ta|vos|tes)\b|\bbesoin de savoir\b|\bveuillez\b|\b(?:lance|lancez|exécute|exécutez|confirme|confirmez) .{0,80}\b(?:dis|dites)|\bj['’]ai besoin (?:de (?:la|votre|ton|ta|vos|tes)|des|du)\b|\bmerci (?:de (?:me |nous )?|d['’])\p{L}+(?:er|ir|re)\b|\b(?:dime|dígame|avísame|envíame|mándame|indícame|pásame)\b|\bnecesito saber\b|\bpor favor,? (?:ejecut|execut|confirm|indica|indique|introduc|insir|inform|rode)|\bnecesito (?:tu|su|que)\b|\bpreciso (?:da sua|de sua|do seu|que)\b|\b(?:diga-me|me diga|me avise|me envie|envie-me|me informe)\b|\bpreciso saber\b|(?:скажите|сообщите|напишите|пришлите|укажите|дайте знать|подтвердите|запустите|введите|выберите|пожалуйста,? (?:запусти|выполни|подтверди))|мне (?:нужен|нужна|нужно) (?:ваш|твой|ваша|твоя|ваше)|请(?:你|您)?(?:先|自行|在)?.{0,12}(?:运行|执行|告诉|确认|选择|提供|输入|登录|决定)|需要(?:你|您)(?:的|先|来|提供|确认|运行)|(?:送って|貼り付けて|教えて|知らせて|お知らせ|選んで|確認して|実行して|入力して)ください|(?:보내|붙여 ?넣어|알려|말씀해|선택해|확인해|실행해|입력해|제공해)\s?주세요/iu;

/**
 * Matches the request for a word with which the agent goes on (`Reply "yes" to continue`) or for a choice ("Pick one:"). The word may be
 * quoted.
 */
const WORD_OR_CHOICE =
	/(?:^|[,;:–—] |\b(?:please|then|just|and) )(?:(?:reply|respond|answer|say|type)(?: with| back)? (?:["“'‘`]|(?:yes|no|ok|okay|go|done|continue|proceed|ready|approved?)\b)|(?:choose|pick|select) (?:one|an? |between|from|your|which))|(?:^|[,;:] |\b(?:bitte|dann) )(?:antworte?n?|schreibe?n?) (?:sie )?(?:einfach )?(?:mit )?[„"»“]|(?:^|\bbitte )(?:wähle?n?|entscheide?n?)\b|(?:^|\b(?:puis|et) )répond(?:s|ez)\b|^choisi(?:s|ssez)\b|(?:^|\b(?:por favor,?|y|luego) )(?:responde|responda|contesta|elige|elija|escoge|escoja)\b|(?:^|\b(?:por favor,?|e|depois) )(?:responda|escolha)\b|ответьте|请.{0,6}(?:回复|回答|选)|(?:返信|返答|回答)してください|(?:답장|회신|답변|대답|골라)해? ?주세요/iu;
/** Matches what the agent itself lacks: "I need an API key", "brauche ich deinen Code". */
const LACKS =
	/\b(?:i(?:['’]ll| will| would|['’]d)? (?:still |also )?need|i require)\b.{0,40}\b(?:password|passphrase|pin|token|key|code|otp|credentials?|log-?in|access|permissions?|approval|confirmation|go-ahead|secret|answer|decision)\b|\b(?:brauche|benötige) ich\b.{0,40}(?:\b(?:dein|ihr)|passw|kennwort|zugang|zugriff|freigabe|schlüssel|token|code|bestätigung)|\bich (?:brauche|benötige)\b.{0,40}(?:passw|kennwort|zugang|zugriff|freigabe|schlüssel|token|code|bestätigung)|\bil me (?:faut|manque)\b|\b(?:necesito|me falta|me hace falta)\b.{0,40}\b(?:contraseña|clave|acceso|permiso|token|código|confirmación)\b|\b(?:preciso|me falta)\b.{0,40}\b(?:senha|chave|acesso|permissão|token|código|confirmação)\b|мне (?:нужен|нужна|нужно|нужны|понадобится|требуется)/iu;
/** Matches what the agent goes on after, and what says that it is needed: "A password is required to continue." */
const GOES_ON =
	/\bto (?:continue|proceed|go on)\b|\bbefore (?:i|we) can\b|\bum (?:fortzufahren|weiterzumachen)\b|\bpour (?:continuer|poursuivre)\b|\bpara (?:continuar|seguir|prosseguir)\b|чтобы (?:продолжить|я мог)|(?:才能|以便|要)继续|(?:続け|続行|進め).{0,4}(?:には|るため)|계속하려면|진행하려면/iu;
const IS_NEEDED =
	/\bneed(?:s|ed)?\b|\brequires?d?\b|\bbrauch|\bbenötig|\bnötig\b|\bbesoin\b|\bfaut\b|\bnecesit|\bhace falta\b|\bprecis|\bnecessári|нуж(?:ен|на|но|ны)|требуется|需要|必要|필요/iu;

/** Matches a question that is only a greeting and leaves no decision to the user. */
const GREETING =
	/\b(?:what|how) (?:can|may) i (?:help|assist|do for you)\b|(?:뭘|무엇을) 도와|有什么(?:可以|能)帮|何かお手伝い|\bwie kann ich (?:dir|ihnen) helfen\b/i;
/** Matches a question about what to work on, which is a greeting unless the reply says something else. */
const OPENING =
	/\bwhat (?:would you like|do you want|are we|shall we|should we)(?: me)?(?: to)? (?:work|do|build|start|tackle|explore)|\bwhat(?:['’]s| is) on your mind\b|\bworan (?:möchtest|willst|wollen|sollen|arbeiten)|\bwas (?:möchtest|willst|wollen|sollen) .{0,20}(?:machen|tun|bauen)|\bsur quoi (?:souhait|veux|voul)|\bque (?:souhait|veux|voul)[\p{L}-]*(?: vous| tu)? faire|\ben qué (?:quieres|te gustaría|vamos)|\bqué (?:quieres|te gustaría|vamos a) hacer|\bem que (?:você )?(?:quer|gostaria|vamos)|\bo que (?:você )?(?:quer|gostaria de|vamos) fazer|(?:чем|над чем) (?:займ|будем|хотите)|что (?:хотите )?(?:сделать|делаем)|(?:想|要|需要)让?我?(?:做|处理|开始)什么|何を(?:しましょう|お手伝い|作り)|何から|(?:무엇을|뭘|뭐) ?(?:도와|할까|하고 싶)/iu;
/** Maximum number of words of a reply that is only a greeting. */
const GREETING_WORDS = 14;

/** Matches what the agent wants to get back. */
const COMES_BACK =
	/\b(?:tell|send|show|give|paste|let) (?:me|it|them|the|back|here)\b|\byour (?:choice|decision|answer)\b|\b(?:sag|schick|gib)e? mir\b|-moi\b|\bvotre (?:choix|décision|réponse)\b|\b(?:dime|envíame|me (?:diga|envie))\b|\b(?:tu|su) (?:elección|decisión)\b|\bsua (?:escolha|decisão)\b|(?:напишите|пришлите|сообщите)|告诉我|发给我|教えて|送って|알려|보내/iu;

/** Matches that the user is to choose. */
const CHOICE =
	/\b(?:choose|pick|select|decide|chois|wähl|entscheid|elige|elija|esco[gjl]|selec)|выбер|选|挑|選|골라|선택/iu;

/** Matches a statement that the agent itself goes on only after the user has acted or answered. */
const WAITS =
	/\b(?:i|i['’](?:ll|m)|we)\b.{0,120}\buntil you(?:['’]ve| have)? (?:\w+ )?(?:say|tell|confirm|approve|decide|answer|reply|agree)\w*\b|\bthen (?:i can (?:continue|proceed|go on|retry|try again|resume)|tell me)\b|\bdann kann ich (?:weiter|fort)|\bich\b.{0,120}\bbis du\b|\b(?:ensuite|alors) je (?:pourrai|peux|pourrais) (?:continuer|reprendre)|\bje\b.{0,120}\b(?:jusqu['’]à ce que|tant que) (?:vous|tu)\b|\b(?:entonces|así) (?:podré|puedo) (?:continuar|seguir)|\bhasta que me (?:digas|confirmes)|\b(?:então|assim) (?:poderei|posso) (?:continuar|prosseguir)|\baté que você me\b|(?:тогда|после этого) я (?:смогу|могу|продолжу)|я .{0,120}пока вы не|(?:然后|之后|这样)我(?:才|就)?(?:可以|能|会)?继续|在(?:你|您)(?:确认|同意|决定)之前.{0,8}我|(?:そうすれば|その後|それから).{0,8}(?:続け|再開|進め)られ|(?:그러면|그 후에|그런 다음).{0,8}(?:계속|진행)할 수/iu;

/** Matches a quotation, or the beginning of one that ends in another sentence. What a program says is not addressed to the user. */
const QUOTATION = /"[^"]*(?:"|$)|“[^”]*(?:”|$)|«[^»]*(?:»|$)|「[^」]*(?:」|$)|„[^“”]*(?:[“”]|$)/gu;

/** Matches what begins the second of two choices: "Should I add it, or did you mean something else?" */
const ALTERNATIVE = /[,，、]\s*(?:or|oder|ou|o|или)\s|还是|それとも|아니면/iu;

/** Whether a sentence is a general offer of help, which needs no answer. Of two choices, the first one decides. */
export function isCourtesy(sentence: string): boolean {
	return COURTESY.test(sentence.split(ALTERNATIVE, 1)[0] ?? "");
}

/** Whether a sentence asks the user to do or decide something, without being a question. */
export function isRequestToUser(sentence: string): boolean {
	const own = sentence.replace(QUOTATION, "");
	const isWanted =
		[ASKED_OF_USER, WAITS, LACKS].some((form) => form.test(own)) ||
		(GOES_ON.test(own) && IS_NEEDED.test(own)) ||
		WORD_OR_CHOICE.test(sentence);
	if (!isWanted || isCourtesy(own) || isQuestion(sentence)) return false;
	// "To use it, you need to run:" is an instruction. Before a list or a command, only what is to come back to the agent is a request.
	return !/[:：]$/.test(sentence) || COMES_BACK.test(own) || CHOICE.test(own);
}

/** Whether a sentence offers to do something. */
export function isOffer(sentence: string): boolean {
	return OFFER.test(sentence) && !isCourtesy(sentence) && !/[:：]$/.test(sentence);
}

export function isQuestion(sentence: string): boolean {
	const isInQuotation =
		/^[^"]+"[^"]*$|^[^“]+“[^”]*$/u.test(sentence) || sentence.lastIndexOf("「") > sentence.lastIndexOf("」");
	return (
		(ASKING_END.test(sentence) || ASKING_LEAD.test(sentence)) &&
		!SIGNATURE.test(sentence) &&
		!QUOTED_MARK.test(sentence) &&
		!isInQuotation
	);
}

function asksUser(sentence: string): boolean {
	return isQuestion(sentence) && !GREETING.test(sentence) && !isCourtesy(sentence);
}

/** Returns a reply without quoted blocks, which are not addressed to the user. */
function withoutQuotes(reply: string): string {
	return reply.replace(/^[^\S\n]*>.*\n?/gm, "");
}

export function readReply(text: string): Reply {
	const blocks = readBlocks(withoutQuotes(text));
	const questions = closingQuestions(blocks);
	const requests = closingRequests(blocks);
	const offers = closingOffers(blocks)
		.filter((sentence) => !requests.includes(sentence))
		.slice(-1);
	const unticked = blocks.filter(({ open }) => open).map(({ text: item }) => item);
	return { questions, requests, offers, unticked };
}

/**
 * Whether the end of a reply asks the user something or needs the user to do something. Of the rest, only the fences of code are read, to
 * know whether the end begins in code.
 */
export function asksOfUser(reply: string): boolean {
	const end = tailUnits(reply, 6_000);
	const fences = reply.slice(0, -end.length || undefined).match(/^[^\S\n]*(?:```|~~~)/gm) ?? [];
	const blocks = readBlocks(withoutQuotes(fences.length % 2 === 1 ? `\`\`\`\n${end}` : end));
	return closingQuestions(blocks).length > 0 || closingRequests(blocks).length > 0;
}

/** Returns the sentences and items of this kind in some blocks, at most two. */
function closingSentences(blocks: readonly Block[], isWanted: (sentence: string) => boolean): string[] {
	return blocks
		.flatMap(({ kind, text }) => (kind === "text" ? sentencesOf(text) : [text]))
		.filter((sentence) => isWanted(sentence) && !isQuestion(sentence))
		.slice(-2);
}

/** Returns the offers in the last paragraph, or the list that an offer introduces: "If you want, I can: …" */
function closingOffers(blocks: readonly Block[]): string[] {
	const items = closingBlocks(blocks).at(-1) ?? [];
	const [first] = items;
	const before = first?.kind === "item" ? blocks[blocks.indexOf(first) - 1] : undefined;
	const lead = sentencesOf(before?.text ?? "").at(-1) ?? "";
	return OFFER.test(lead) && /[:：]$/.test(lead)
		? [`${lead} ${items.map(({ text }) => text).join("; ")}`]
		: closingSentences(blocks.slice(-1), isOffer);
}

/** Returns the requests in the last paragraphs and lists. */
function closingRequests(blocks: readonly Block[]): string[] {
	const groups = closingBlocks(blocks);
	const found = groups.map((group, at) =>
		closingSentences(group, isRequestToUser).map((request) => withChoices(request, group, groups[at + 1])),
	);
	// To choose without a list of choices is an instruction.
	return found
		.flat()
		.filter((request) => !/[:：]$/.test(request) || COMES_BACK.test(request))
		.slice(-2);
}

/** Number of blocks at the end of a reply in which a question counts as addressed to the user. A list counts as one block. */
const CLOSING_BLOCKS = 3;
/** Maximum number of questions to the user. */
const MOST = 3;

/** Whether a heading asks for a decision: "**What would you like to do?**" */
function asksForChoice({ kind, text }: Block): boolean {
	return (
		kind === "heading" &&
		isQuestion(text) &&
		DECISION.test(text) &&
		!/^(?:which|quel|cuál|qual|welche|как)/iu.test(text)
	);
}

/** Returns the last blocks. Those of a list are together. */
function closingBlocks(blocks: readonly Block[]): Block[][] {
	const groups: Block[][] = [];
	const beforeList = blocks.findLast(({ kind }) => kind !== "item");
	for (const block of blocks) {
		const isLead = block === beforeList && asksForChoice(block);
		if (block.kind === "code" || block.kind === "row" || (block.kind === "heading" && !isLead)) continue;
		const before = groups.at(-1);
		if (block.kind === "item" && before?.[0]?.kind === "item") before.push(block);
		else groups.push([block]);
	}
	return groups.slice(-CLOSING_BLOCKS);
}

/** Returns the questions in the last paragraphs, unless the text after them answers them. */
function closingQuestions(blocks: readonly Block[]): string[] {
	const text = blocks.map((block) => block.text).join(" ");
	if (countWords(text) <= GREETING_WORDS && OPENING.test(text)) return [];
	// In a list of which fewer than half of the items are questions, the questions are rhetorical.
	const isAsking = (group: Block[]): boolean =>
		group[0]?.kind !== "item" || group.filter((item) => isQuestion(item.text)).length * 2 >= group.length;
	const questionsIn = (group: Block[]): string[] =>
		group.flatMap(({ kind, text }) => closingQuestionsIn(kind === "text" ? sentencesOf(text) : [text]));
	const groups = closingBlocks(blocks);
	const questions = groups.flatMap((group, at) =>
		isAsking(group) ? questionsIn(group).map((question) => withChoices(question, group, groups[at + 1])) : [],
	);
	return questions.slice(-MOST);
}

/** Returns a question or request that ends with a colon or is a heading with the list behind it. */
function withChoices(question: string, group: readonly Block[], behind: readonly Block[] = []): string {
	const isLead = /[:：]$/.test(question) || group[0]?.kind === "heading";
	if (!isLead || behind[0]?.kind !== "item") return question;
	return `${question} ${behind.map(({ text }) => text).join("; ")}`;
}

/** Matches a question that asks the user for a decision. Remarks may follow it. */
const DECISION =
	/\b(?:should (?:i|we|it|the)|shall (?:i|we)|do you (?:want|prefer)|would you|which|what should|soll(?:en|te)?|möchtest|willst|welche[rs]?|dois-je|voulez|veux-tu|préfér\p{L}+|quel(?:le)?s?|debo|quieres|prefieres|cuál|devo|quer|prefere|qual|хотите|как(?:ой|ую|ие)|стоит ли|нужно ли)(?![\p{L}])|要不要|是否|哪(?:个|种)|どちら|どの|ましょうか|까요/iu;
/** Matches the beginning of a question that the next sentence answers: "And the old browsers?" */
const RHETORICAL =
	/^(?:so|and|but|why|how come|(?:what|how) (?:did|have) (?:i|we)|et|mais|pourquoi|und|aber|warum|wieso|y|pero|¿(?:y|por qué)|e|mas|por que|а|но|почему|зачем|那么?|为什么|では|なぜ)(?![\p{L}])/iu;
/** Matches the beginning of a sentence that answers the question before it: "Yes: …", "It does." */
const ANSWER =
	/^(?:(?:yes|yep|no(?! (?:rush|hurry|worries|problem|pressure|need|hay prisa|há pressa))|nope|nothing|none|short answer|in short|ja|nein|nichts|oui|non|rien|sí|nada|sim|não|да|нет|ничего)(?![\p{L}])|(?:it|they|that|this|there) (?:does|do|did|is|are|was|were|can|will|has|have)(?:n['’]t| not)?[:,.;!]|是的|不是|没有|对[，。：]|はい|いいえ|네[,.]|아니요)/iu;
/** Matches a statement by which the agent answers its own question. */
const DECIDED =
	/^(?:so |then |in the end,? )?(?:i(?:['’]ve| have)? (?:decided|chose|chosen|went (?:for|with)|picked|opted|settled)\b|ich habe (?:mich .{1,60}entschieden|.{1,60}gewählt)|j['’]ai (?:choisi|opté|décidé|retenu)|(?:he )?(?:elegido|decidido|optado)\b|(?:me )?(?:decidí|elegí|opté)|(?:decidi|escolhi|optei)\b|я (?:решил|выбрал|остановился)|(?:最终|最后)?我(?:选择|选|决定|采用)了?)|(?:にしました|を選びました|に決めました|を採用しました)|(?:로 했습니다|선택했습니다|결정했습니다|골랐습니다)/iu;
/** Matches an exclamation that adds nothing to the question before it: "Your turn!" */
const EXCLAMATION = /^\S+(?:\s\S+){0,2}[!！]$/u;
/** Maximum number of statements after a question that asks for a decision, and after any other question. */
const REMARKS = { decision: 3, other: 1 };

/** Returns the questions to the user at the end of a paragraph. Offers and courtesies after a question do not answer it. */
function closingQuestionsIn(sentences: readonly string[]): string[] {
	const questions: string[] = [];
	let statements = 0;
	let isDecided = false;
	let behind = "";
	const said = sentences.filter((sentence) => countWords(sentence) > 0);
	for (const sentence of said.toReversed()) {
		if (!isQuestion(sentence)) {
			isDecided ||= DECIDED.test(sentence);
			if (!isOffer(sentence) && !isCourtesy(sentence) && !EXCLAMATION.test(sentence)) statements++;
			behind = sentence;
			continue;
		}
		const isAnswered =
			isDecided ||
			ANSWER.test(behind) ||
			statements > (DECISION.test(sentence) ? REMARKS.decision : REMARKS.other) ||
			(statements > 0 && RHETORICAL.test(sentence));
		if (!isAnswered && asksUser(sentence)) questions.unshift(sentence);
		behind = sentence;
		if (questions.length === MOST) break;
	}
	return questions;
}
