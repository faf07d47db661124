import { namesOccur } from "../../session-core/model/check-claims.ts";
import { displayWidth } from "../../session-core/text/clip.ts";
import { countWords } from "../../session-core/text/count.ts";
import { fitsLanguage, type Language } from "../../session-core/text/language.ts";
import { REDACTED } from "../../session-core/text/redact.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { withCommandCase } from "../../session-core/timeline/command-text.ts";
import { MAX_ANSWER_COLUMNS, MAX_DENSE_WORDS, MAX_WORDS } from "../limits.ts";
import { BAD_EXAMPLES, GOOD_EXAMPLES } from "../prompt.ts";
import { titleOfPrompt } from "../topic.ts";
import { tidyTitle } from "./clean-title.ts";

/** The data that an answer is checked against. */
export interface Judged {
	/** The user's prompts. */
	prompts: readonly string[];
	language: Language | undefined;
	/**
	 * The complete text that the model received. Names and figures in a title must occur in this text. If `input` is absent, names and
	 * figures are not checked.
	 */
	input?: string;
}

export type Flaw =
	| "blank"
	| "secret"
	| "too_long"
	| "prose"
	| "copy"
	| "echo"
	| "refusal"
	| "thought"
	| "made_up"
	| "wrong_language";
export type Judgement = { ok: true; title: string } | { ok: false; flaw: Flaw };

/**
 * Returns the title in an answer, ready to be stored, or the reason why it cannot be used. The form of the title is checked first and its
 * wording last.
 */
export function judgeTitle(raw: string, { prompts, language, input }: Judged): Judgement {
	const whole = cleanLine(raw);
	const title = tidyTitle(raw);
	if (!/\p{L}\p{M}*[\s\S]*[\p{L}\p{N}]/u.test(title) && !/\p{Script=Han}/u.test(title))
		return flawed("blank");
	if (title.includes(REDACTED)) return flawed("secret");
	if (wordsOf(whole) > maxWords(whole) || displayWidth(whole) > MAX_ANSWER_COLUMNS) return flawed("too_long");
	if (SENTENCES.test(whole) || MARKUP.test(whole)) return flawed("prose");
	if (THOUGHT.test(title)) return flawed("thought");
	if (prompts.some((prompt) => isCopy(title, prompt))) return flawed("copy");
	if (EMPTY_TITLES.has(plain(title))) return flawed("echo");
	if (input !== undefined && !namesOccur(title, input)) return flawed("made_up");
	if (language && !fitsLanguage(title, language)) return flawed("wrong_language");
	if (REFUSAL.test(title)) return flawed("refusal");
	return { ok: true, title: withCommandCase(title, [...prompts, input].join("\n")) };
}

function flawed(flaw: Flaw): Judgement {
	return { ok: false, flaw };
}

function wordsOf(text: string): number {
	return Math.max(text.split(/\s+/).length, countWords(text));
}

/**
 * In scripts without spaces between words, the number of words is estimated from the number of characters. Names in a title inflate this
 * estimate, so the limit is higher.
 */
function maxWords(text: string): number {
	const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
	return dense.test(text) ? MAX_DENSE_WORDS : MAX_WORDS;
}

/**
 * Matches the end of a sentence that is followed by another sentence. The pattern requires a capital letter, so that it does not match
 * abbreviations and version numbers.
 */
const SENTENCES = /(?:\p{L}{3}|[\p{M})])[.!?]["'”’)]?\s+\p{Lu}\p{Ll}*(?:\s|['’])|[。！？]\s*[\p{L}\p{N}]/u;
const MARKUP = /<\/?(?:session|title|think|thinking|tool_call|function)\b|set_session_title/i;

function plain(text: string): string {
	return text
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
		.trim();
}

/**
 * A title that repeats at least this fraction of a prompt counts as a copy. Such a title adds nothing, because lists of sessions show the
 * prompt anyway.
 */
const COPIED_SHARE = 0.85;

function isCopy(title: string, prompt: string): boolean {
	// Nothing names the session better than a prompt that is a title.
	if (titleOfPrompt(prompt) !== undefined) return false;
	const words = plain(cleanLine(prompt.slice(0, 1_000)));
	const named = plain(title);
	if (words === "" || !words.startsWith(named)) return false;
	const isCut = /…$/.test(title) || wordsOf(named) >= MAX_WORDS;
	return isCut || named.length >= words.length * COPIED_SHARE;
}

/** Answers that a model gives if it cannot think of a title: an example from the prompt, or a phrase that means "no title". */
const EMPTY_TITLES: ReadonlySet<string> = new Set(
	[
		...GOOD_EXAMPLES.title,
		...GOOD_EXAMPLES.kebab,
		...BAD_EXAMPLES,
		"title",
		"session title",
		"session",
		"new session",
		"coding session",
		"coding agent session",
		"untitled",
		"untitled session",
		"unknown",
		"none",
		"null",
		"undefined",
		"n/a",
		"no title",
		"no topic",
		"greeting",
	].map(plain),
);

/** Matches the beginning of a model's thoughts, or of an answer to the user, instead of a title. */
const THOUGHT = new RegExp(
	[
		"^(?:ok(?:ay)?|alright|hm+|well|sure|certainly|of course|got it|right|understood|first|now)[,!:.…]",
		"^here(?:['’]s| is| are)\\b|^let(?:['’]s| me)\\b|^(?:we|i)(?:['’]ll|['’]d)? (?:need|should|must|have to|want|could|think|will)\\b|^i['’]ll\\b",
		"^(?:the |this )?(?:user|developer)(?:['’]s)? (?:wants?|needs?|asks?|asked|is|has|says|said|requests?|requested|would|just|prompt|message)\\b",
		"\\b(?:thinking|thought) process\\b|^(?:thinking|reasoning|analysis|thoughts?)$|^(?:thinking|reasoning) (?:about|through)\\b|^the (?:session )?title (?:should|is|could|would|for)\\b",
		"^(?:okay|gut|also|alles klar|na gut),|^hier (?:ist|sind)\\b|^der (?:nutzer|benutzer|anwender|entwickler) (?:will|möchte|bittet|fragt|hat)\\b|^(?:ich|wir) (?:muss|müssen|soll|sollte|brauche|werde)\\b|^lass (?:mich|uns)\\b",
		"^(?:d['’]accord|bien|très bien|bon),|^voici\\b|^l['’](?:utilisateur|utilisatrice) (?:veut|demande|souhaite|a|voudrait)\\b|^je (?:dois|vais)\\b|^il faut\\b",
		"^(?:vale|de acuerdo|bien|claro),|^aquí (?:está|tienes|va)|^el usuario (?:quiere|pide|solicita|ha|desea|necesita)\\b|^(?:necesito|debo|voy a)\\b",
		"^(?:certo|ok|tudo bem|claro),|^aqui (?:está|vai)|^o (?:usuário|utilizador) (?:quer|pede|deseja|precisa|pediu)|^(?:preciso|devo|vou)\\b",
		"^(?:хорошо|ладно|итак|так|понятно|конечно),|^вот (?:мо|ход|назв|загол|как)|^пользователь (?:хочет|просит|спрашивает|запросил|попросил)|^(?:мне|нам) (?:нужно|надо)",
		"^(?:好的?|嗯|那么|首先|当然)[，,。！]|^用户(?:想|要|希望|请求|需要|让|说|在问)|^(?:让我|我需要|我来|我们需要|这是|以下是)",
		"^(?:はい|わかりました|了解|承知|まず|では|うーん)[、,。]|^ユーザーは|^(?:以下は|こちらは)|^考え(?:方|ます|る)",
		"^(?:네|좋아요?|좋습니다|알겠습니다|음|먼저|우선)[,.!]|^사용자(?:가|는)|^(?:다음은|여기)",
	].join("|"),
	"iu",
);

/** Matches refusals that are as short as a title. Longer refusals are rejected as prose. */
const REFUSAL = new RegExp(
	[
		"^(?:i['’]?m|i am) (?:so |very )?(?:sorry|afraid|unable|not able)\\b|^(?:sorry|apologies)\\b|^i apologi[sz]e\\b",
		"^i (?:can['’]?t|cannot|can not|won['’]?t|don['’]?t|do not|will not|need|would)\\b|^as an? (?:ai|language model|assistant)\\b",
		"^(?:unable|not able|cannot|can['’]?t)(?: to)? (?:determine|title|name|comply|assist|summari[sz]e|fulfill)\\b",
		"^(?:insufficient|not enough) (?:information|context)\\b|^no (?:information|context|conversation)\\b",
		"^lo siento|^no puedo|^(?:je suis )?désolé|^je ne peux|^(?:es )?tut mir leid|^ich kann nicht|^desculpe|^não posso|^mi dispiace|^non posso",
		"^(?:извините|простите|я не могу|к сожалению)",
		"^(?:抱歉|对不起|對不起|很抱歉|我无法|我無法|我不能|作为(?:一个|一名)?(?:AI|人工智能))",
		"申し訳|^すみません|お答えでき|^죄송|도와드릴 수 없|^미안하지만",
	].join("|"),
	"iu",
);
