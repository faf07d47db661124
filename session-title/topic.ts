import { countWords } from "../session-core/text/count.ts";
import { stepsOf } from "../session-core/timeline/turn.ts";
import type { Timeline } from "../session-core/timeline/types.ts";

/** Minimum number of words in a prompt that states a topic. */
const TOPIC = 3;
/** Minimum number of words in a prompt that states a topic, if the agent has run commands in the session ("fix tests"). */
const TOPIC_WITH_WORK = 2;

const URL_LIKE = /\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+/gi;
/** Matches a first line that begins with a slash command, but not one that begins with a path, which has a second slash. */
const SLASH_LINE = /^\s*\/[\p{L}\d][\w:-]*(?=\s|$)[^\n]*/u;

/** Matches greetings that have as many words as a request. Shorter greetings, in any language, are excluded by their length. */
const GREETING = new RegExp(
	`(?<![\\p{L}\\p{N}])(?:${[
		"hi+|hiya|hello+|hey+|heya|yo|howdy|greetings|good (?:morning|afternoon|evening|day|night)|there|everyone|all|again",
		"how (?:are|r) (?:you|u)(?: doing)?(?: today)?|how'?s it going|how do you do|what'?s up|sup|nice to meet you",
		"are you (?:there|ready|awake|ok)|can you (?:hear|see) me|anybody|anyone|test(?:ing)?|ping|thanks?(?: you)?|please",
		"hola|buen[oa]s (?:d[ií]as|tardes|noches)|qu[eé] tal|c[oó]mo (?:est[aá]s|est[aá] usted|va)|gracias",
		"bonjour|bonsoir|salut|coucou|ça va|comment (?:ça va|vas-tu|allez-vous)|merci",
		"hallo|guten (?:morgen|tag|abend)|gr[uü]ß (?:gott|dich)|moin|servus|wie geht(?:'?s| es)(?: (?:dir|ihnen))?|danke",
		"ol[aá]|oi|bom dia|boa (?:tarde|noite)|tudo bem|obrigad[oa]|ciao|salve|buon ?giorno|buona ?sera|come (?:stai|va)",
		"привет|здравствуй(?:те)?|добр(?:ый|ое|ой) (?:день|утро|вечер)|как дела|привіт|добрий день|cześć|dzień dobry|jak się masz",
		"merhaba|selam|nasılsın(?:ız)?|xin chào|chào bạn|halo|apa kabar|selamat (?:pagi|siang|sore|malam)|hej|hei|god morgen",
		"مرحبا|السلام عليكم|كيف حالك|שלום|מה שלומך|नमस्ते|आप कैसे हैं|สวัสดี(?:ครับ|ค่ะ)?|γεια(?: σου| σας)?",
	].join("|")})(?![\\p{L}\\p{N}])`,
	"giu",
);
/** Matches greetings in scripts without spaces between words. */
const DENSE_GREETING =
	/你好|您好|大家好|早上好|下午好|晚上好|早安|晚安|在吗|谢谢|こんにちは|こんばんは|おはよう(?:ございます)?|はじめまして|もしもし|ありがとう(?:ございます)?|お元気ですか|안녕(?:하세요|하십니까|히 계세요)?|반가워요?|반갑습니다|여보세요|잘 ?지내(?:세요|니)?|감사합니다|고마워요?/gu;

/** Matches a prompt that asks the agent to read, in the languages that put the verb first, and in those that put it last. */
const READ_FIRST =
	/^(?:(?:please|first|ok(?:ay)?|can you|could you|start by|begin by|let's|bitte|zuerst|d'abord|primero|primeiro|por favor|сначала|请|先|你|帮我)[\s,]*)*(?:read(?:ing)?|skim|explor(?:e|ing)|study|familiari[sz]e|(?:get|become|make yourself) familiar|get to know|get up to speed|look (?:at|through|over|around)|(?:take|have) a look|check out|go through|browse|understand|learn|lies|lese|mach dich|verschaff|schau|sieh|lerne|lis|lisez|familiarise|prends connaissance|parcours|regarde|découvre|lee|lea|familiar[ií]za|explora|mira|conoce|leia|familiarize|explore|conheça|veja|прочита|прочти|почита|изучи|ознаком|посмотри|разберись|阅读|读一下|读取|看一下|看看|熟悉|了解|浏览)/iu;
const READ_LAST =
	/(?:読(?:ん|み|め)|把握|理解|慣れ|目を通|읽|파악|숙지|익숙|익혀|살펴|이해)[\p{Script=Hiragana}\p{Script=Hangul} 下願]*[。.!！]*$/u;
/** Matches the other words of such a prompt: what may be read in any project, and the words between. */
const READING_WORDS = new RegExp(
	`[\\w./~-]+\\.(?:md|mdx|txt|rst|adoc)\\b|(?<![\\p{L}\\p{N}])(?:${[
		"read(?:ing)?|skim|explor(?:e|ing)|study|familiari[sz]e|familiar|become|make|get|know|up|speed|look|through|over|around|take|have|check|out|go|browse|understand|learn",
		"docs?|documentation|readme|agents|codebase|code|base|repo|repository|project|files?|folders?|director(?:y|ies)|sources?|structure|architecture|context|notes|specs?|guidelines|conventions|instructions",
		"please|first|can|could|you|your|yourself|start|begin|by|let's|the|this|these|a|an|all|and|of|in|with|to|at|it|its|our|my|me|for|then|wait|carefully|everything|whole|entire|before|we|so|tell|when|are|ready|do|not|don't|anything|yet|ok",
		"lies|lese|lesen|mach|dich|dir|vertraut|verschaff|überblick|einen|schau|sieh|lerne|kennen|doku\\p{L}*|projekt\\p{L}*|dateien|ordner|quellcode|die|der|das|den|dem|und|mit|an|ein|durch|mal|bitte|alle|zuerst",
		"lis|lisez|familiaris\\p{L}*|prends|connaissance|parcours|regarde|découvre|projet|dépôt|fichiers|la|le|les|et|avec|toi|te|du|de|tout|d'abord",
		"lee|lea|familiar[ií]za\\p{L}*|explora|mira|conoce|documentaci[oó]n|proyecto|c[oó]digo|repositorio|archivos|el|los|las|y|con|toda|todo|primero|del|en",
		"leia|familiariz\\p{L}*|conheça|veja|documentação|projeto|repositório|arquivos|o|os|as|e|com|se|primeiro|da",
		"прочита\\p{L}*|прочти|почита\\p{L}*|изучи\\p{L}*|ознаком\\p{L}*|посмотри\\p{L}*|разберись|документаци\\p{L}*|проект\\p{L}*|код\\p{L}*|репозитори\\p{L}*|файл\\p{L}*|и|с|в|все|весь|сначала",
		"문서\\p{L}*|프로젝트\\p{L}*|코드\\p{L}*|저장소\\p{L}*|파일\\p{L}*|먼저|모든|전체|그리고|잘|줘|주세요|(?:읽|파악|숙지|익숙|익혀|살펴|이해)\\p{L}*",
	].join("|")})(?![\\p{L}\\p{N}])|${[
		"阅读|读一下|读取|看一下|看看|熟悉|了解|浏览|文档|文件|项目|代码库?|仓库|源码|目录|一下|并|和|请|先|的|所有|全部|整个|这个|让|你|自己|帮我|然后",
		"ドキュメント|コードベース|コード|プロジェクト|リポジトリ|ファイル|全体|(?:読|把握|理解|慣|目を通)\\p{Script=Hiragana}*|[をにのとはで]|まず",
	].join("|")}`,
	"giu",
);

/** Returns the number of words in a prompt that say what the session is about: no greetings, URLs, slash command, or request to read. */
function contentWords(prompt: string): number {
	const text = prompt
		.slice(0, 2_000)
		.replace(SLASH_LINE, " ")
		.replace(URL_LIKE, " ")
		.replace(GREETING, " ")
		.replace(DENSE_GREETING, " ")
		.trim();
	const onlyLoads = READ_FIRST.test(text) || READ_LAST.test(text);
	return countWords(onlyLoads ? text.replace(READING_WORDS, " ") : text);
}

export function isTopic(prompt: string): boolean {
	return contentWords(prompt) >= TOPIC;
}

/** Whether the session has a topic. Injected text is not considered, because the timeline does not contain it. */
export function hasTopic({ turns, files }: Pick<Timeline, "turns" | "files">): boolean {
	if (files.length > 0) return true;
	const prompts = turns.flatMap(({ request }) => (request === undefined ? [] : [request]));
	if (prompts.some(isTopic)) return true;
	const ran = turns.some((turn) => stepsOf(turn).some(({ command }) => command !== undefined));
	return ran && prompts.some((prompt) => contentWords(prompt) >= TOPIC_WITH_WORK);
}

const LEAST = 3;
const MOST = 7;
/** Maximum number of words of a title in a script without spaces. */
const MOST_DENSE = 10;

/** Matches punctuation that separates sentences or parts of them, quotes, flags of commands, and mentions. */
const NO_TITLE_MARK =
	/[?？¿¡!！,，、;；:：。()（）"“”„«»「」『』`<>{}|…=@$*\n[\]]|(?<!\p{L})[.]\s|\s-{1,2}\w|\.\.\./u;
/** Matches words that ask, that refer to earlier messages, or that address the agent. */
const NO_TITLE_WORD =
	/^(?:the|an?|what|why|how|when|where|who|which|can|could|would|should|shall|will|is|are|was|were|do|does|did|have|has|yes|yep|no|nope|ok|okay|sure|go|sounds|looks|try|now|so|and|but|then|also|next|continue|proceed|keep|run it|der|die|das|ein|eine|was|warum|wie|wann|wo|wer|welche\p{L}*|kannst|könntest|ist|sind|hat|ja|nein|und|weiter|le|les|un|une|quoi|pourquoi|comment|quand|où|qui|est-ce|peux|pouvez|oui|non|et|el|los|las|una?|qué|por qué|cómo|cuándo|dónde|quién|puedes|es|está|sí|y|os?|as|uma?|que|por que|como|quando|onde|quem|pode|você|sim|não|e|что|почему|как|когда|где|кто|можешь|да|нет|и|а)(?![\p{L}\p{N}'’-])|(?<![\p{L}\p{N}.'’-])(?:i|me|my|we|us|our|you|your|it|its|this|that|these|those|them|they|he|she|him|her|there|here|again|same|above|below|previous|last|other|another|more|else|instead|too|ich|mir|mich|mein\p{L}*|wir|uns|unser\p{L}*|du|dir|dich|dein\p{L}*|sie|ihn|es|dies\p{L}*|jene\p{L}*|dort|hier|noch|nochmal|je|j|moi|mon|ma|mes|nous|notre|vous|votre|tu|toi|ton|il|elle|ils|ce|cet|cette|ces|ça|cela|ici|là|encore|yo|mi|mis|me|nosotros|nos|nuestr\p{L}*|tú|te|tu|tus|lo|este|esta|esto|ese|esa|eso|aquí|allí|otra|otro|eu|meu|minha|nós|nosso|seu|sua|isso|isto|esse|essa|aqui|ali|novamente|я|мне|меня|мой|мы|нам|нас|наш|ты|тебе|вы|вам|он|она|оно|они|его|её|их|это|этот|эту|эти|то|тот|там|тут|здесь|снова|ещё)(?![\p{L}\p{N}'’-])/iu;
/** Matches the same in scripts without spaces, and the endings of spoken sentences. */
const NO_TITLE_DENSE =
	/[我你您他她它这那哪吗呢吧请]|什么|怎么|为什么|如何|继续|再|[私僕俺]|[こそあど](?:れ|の|こ)|なぜ|どう|何|(?:ください|下さい|して|しろ|ます|です|ません|ました|でした|たい|か|よ|ね)$|[이그저](?:것|거|걸|게)|무엇|뭐|왜|어떻게|다시|(?:요|줘|니다|십시오|까|해|봐|자|네|지)$/u;

/**
 * Returns a prompt as a title if it is one already, as in "fix login redirect loop": a few words in one line that neither greet, ask nor
 * address anybody and that are clear without context. The form decides, so in case of doubt there is no title. `commands`: what the agent
 * ran; the name of a program keeps its case.
 */
export function titleOfPrompt(prompt: string, commands: readonly string[] = []): string | undefined {
	const text = prompt.trim().replace(/[.。]$/u, "");
	if (text.length > 80 || /^[/!#]/.test(text) || NO_TITLE_MARK.test(text)) return undefined;
	const words = countWords(text);
	const isDense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
	if (words < LEAST || words > (isDense ? MOST_DENSE : MOST) || contentWords(text) < words) return undefined;
	if (NO_TITLE_WORD.test(text) || (isDense && NO_TITLE_DENSE.test(text))) return undefined;
	const [first = ""] = text.split(" ", 1);
	// A word without a vowel is a name, such as npm or tsc.
	const isName =
		!/[aeiouy\u0080-\uffff]/.test(first) || commands.some((command) => command.startsWith(`${first} `));
	return isName ? text : text.replace(/^\p{Ll}(?=[\p{Ll}'’]* )/u, (letter) => letter.toUpperCase());
}

/** Matches English articles. "Run the tests" needs its context, and a model leaves articles out. */
const ARTICLE = /(?<![\p{L}\p{N}])(?:the|an?)(?![\p{L}\p{N}'’-])/iu;

/** Returns the title that the session's only topic is itself; undefined if there are several topics or if a model has to find a title. */
export function ownTitle({ turns }: Pick<Timeline, "turns">): string | undefined {
	const [topic, ...others] = turns.flatMap(({ request }) => (request && isTopic(request) ? [request] : []));
	if (topic === undefined || others.length > 0 || ARTICLE.test(topic)) return undefined;
	return titleOfPrompt(
		topic,
		turns.flatMap(stepsOf).flatMap(({ command }) => command ?? []),
	);
}
