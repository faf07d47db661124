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

/** Returns the number of words in a prompt, not counting greetings, URLs and a slash command. */
function contentWords(prompt: string): number {
	const text = prompt.slice(0, 2_000).replace(SLASH_LINE, " ").replace(URL_LIKE, " ");
	return countWords(text.replace(GREETING, " ").replace(DENSE_GREETING, " "));
}

/** Whether a prompt states a topic. */
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
