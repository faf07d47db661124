import { loadProjectContextFiles } from "../session-core/host/pi.ts";
import {
	type AnswerMessage,
	type AskPorts,
	askModel,
	type NoAnswer,
	type NoAnswerReason,
} from "../session-core/model/ask.ts";
import { supportedSentences } from "../session-core/model/check-claims.ts";
import type { Candidate } from "../session-core/model/choose-model.ts";
import type { Trigger } from "../session-core/model/ledger.ts";
import { clipSentence } from "../session-core/text/clip.ts";
import { countWords } from "../session-core/text/count.ts";
import { fitsScript } from "../session-core/text/language.ts";
import { safeText } from "../session-core/text/safe.ts";
import { cleanLine } from "../session-core/text/sanitize.ts";
import { withoutInnerThoughts, withoutThoughts } from "../session-core/text/thoughts.ts";
import { RECAP_SYSTEM_PROMPT, recapPrompt } from "./prompt.ts";
import type { RecapReading } from "./reading.ts";

export type DraftFailure = NoAnswerReason | "unusable";

/** Why a model gave no answer, which model was asked (`provider/model`; may be empty), and the provider's message. */
export interface FailedDraft extends Omit<NoAnswer, "ok" | "reason"> {
	reason: DraftFailure;
}

interface RecapRequest {
	reading: Pick<RecapReading, "question" | "stamp">;
	projectContext: string | undefined;
	candidates: readonly Candidate[];
	signal: AbortSignal;
	by: Trigger;
}

export type RecapAnswer = { ok: true; text: string; model: string } | ({ ok: false } & FailedDraft);

/**
 * Asks a model for the recap of one state of the conversation. An answer in the wrong writing system is rejected, and so are sentences that
 * are not supported by the session's facts.
 */
export async function askForRecap(question: RecapRequest, ports: AskPorts): Promise<RecapAnswer> {
	const { reading, projectContext, candidates, signal, by } = question;
	const { ground, language } = reading.question();
	const prompt = recapPrompt({ timeline: ground.input, language: language.hint, projectContext });
	const request = { systemPrompt: RECAP_SYSTEM_PROMPT, prompt };
	const isAnswer = ({ text }: AnswerMessage) => readAnswer(text) !== undefined;
	const answer = await askModel({ state: reading.stamp, by, candidates, request, signal, isAnswer }, ports);
	if (!answer.ok) return answer;
	const { model } = answer;
	const recap = readAnswer(answer.text);
	const isWanted =
		recap !== undefined &&
		isAboutSession(recap, ground.input) &&
		(language.language === undefined || fitsScript(recap, language.language));
	const text = isWanted ? supportedSentences(recap, { ...ground, input: prompt }) : undefined;
	return text === undefined ? { ok: false, reason: "unusable", model } : { ok: true, text, model };
}

/** Maximum length of the project's instructions in a recap call, in UTF-16 units. */
const MAX_CHARACTERS = 2_000;

/** Returns the text of the project's instruction files (such as AGENTS.md). The text is sent only if the user has enabled this. */
export function projectContext(cwd: string, agentDir: string): string | undefined {
	const files = loadProjectContextFiles({ cwd, agentDir });
	const text = files.map(({ content }) => content.trim()).join("\n\n");
	return text === "" ? undefined : safeText(text).slice(0, MAX_CHARACTERS).toWellFormed();
}

export const RECAP_COLUMNS = 400;

const OPEN = "<recap>";
const CLOSE = "</recap>";
/** Matches the end of a sentence, including the full stops of other writing systems and any closing quotes and brackets. */
const SENTENCE_END = /[.!?…。！？।؟։።][\p{Pf}\p{Pe}"'*`]*\s*$/u;

/**
 * Extracts the recap from a model's answer and makes it safe to show. Returns undefined if there is none. Text without tags is never shown,
 * because it may be reasoning. If the closing tag is missing, the text after the opening tag is used only if it ends with a complete
 * sentence.
 */
export function readAnswer(raw: string): string | undefined {
	const inside = tagged(raw);
	if (inside === undefined) return undefined;
	const plain = withoutMarkdown(cleanLine(safeText(inside)));
	const text = clipSentence(plain, RECAP_COLUMNS);
	return /[\p{L}\p{N}]/u.test(text) ? text : undefined;
}

/**
 * Returns the text in the last pair of tags, because a model that thinks aloud mentions the tags before it uses them. An opening tag without
 * a closing one counts only if text or a line break follows directly: "inside <recap> tags" only mentions it.
 */
function tagged(answer: string): string | undefined {
	const raw = withoutThoughts(answer, /<recap>/gi);
	const lower = raw.toLowerCase();
	const close = lower.lastIndexOf(CLOSE);
	if (close >= 0) {
		const open = lower.lastIndexOf(OPEN, close);
		return open < 0 ? undefined : withoutTags(raw.slice(open + OPEN.length, close));
	}
	const open = lower.lastIndexOf(OPEN);
	const rest = withoutThoughts(raw.slice(open + OPEN.length));
	return open >= 0 && /^(?:\s*\n|\S)/.test(rest) && SENTENCE_END.test(rest) ? withoutTags(rest) : undefined;
}

function withoutTags(text: string): string {
	return withoutInnerThoughts(text).replace(/<\/?recap>/gi, " ");
}

const LEAST_WORDS = 5;
/** Maximum number of words in an answer that is only a question to the user, such as "What's the task?". */
const LONGEST_QUESTION = 6;
/** Matches an answer that is about the request for a recap and not about the session, in the languages that the suite supports. */
const ABOUT_ITSELF =
	/\b(?:i (?:don['’]?t|do not|cannot|can['’]?t|am unable to|see no) (?:see|have|find|help|assist|provide|write|summar\w+|any)|i['’]m (?:sorry|unable)|(?:could|can|would) you (?:please )?(?:share|provide|clarify|tell|give|paste)|please (?:share|provide|clarify)|no (?:task|session|conversation|context|transcript) (?:was |is |has been )?(?:given|provided|shared|found|here)|as an ai)\b|\b(?:ich sehe (?:keine?n?|hier)|ich kann (?:nicht|keine?n?)|könnten sie|kannst du mir|je ne (?:vois|peux)|pourriez-vous|no veo|no puedo|¿?podrías|não (?:vejo|posso)|você poderia|я не (?:вижу|могу)|не могли бы вы|можете ли вы)(?![\p{L}])|我(?:没有看到|看不到|无法|不能)|请(?:您|你)?提供|(?:提供|共有)して(?:ください|いただけ)|(?:見当たりません|わかりません)|(?:제공|공유)해 ?(?:주세요|주시겠)|(?:보이지 않|없어서)/iu;

/** Matches an answer that offers help, or says that there is nothing. */
const OFFERS_HELP =
	/(?<!\p{L})(?:(?:how|what) (?:can|may|should|could) i (?:help|assist|do)|let me know|feel free to|(?:happy|glad) to help|i am sorry|what would you like|you haven['’]t (?:shared|provided|given|asked)|there (?:is|are|was) (?:no|nothing) (?:task|session|conversation|timeline|recap|to (?:recap|summari[sz]e))|nothing to (?:recap|summari[sz]e)|wie kann ich (?:ihnen|dir|euch|helfen)|womit kann ich|lass(?:en sie)? (?:es )?mich wissen|es gibt (?:hier )?keine? (?:aufgabe|sitzung|unterhaltung)|comment puis-je|n['’]hésitez pas|il n['’]y a (?:pas de|aucune?) (?:tâche|session|conversation)|(?:cómo|en qué) puedo ayudar|no hay (?:ninguna )?(?:tarea|sesión|conversación)|como posso|em que posso|não há (?:nenhuma )?(?:tarefa|sessão|conversa)|чем (?:я )?могу помочь|(?:нет|не вижу) (?:задач|сесси|разговор))|有什么(?:可以|能)|(?:没有|看不到)(?:任何)?(?:任务|会话|对话)|お手伝い|(?:タスク|セッション|会話)[がは](?:ありません|ない)|도와 ?드릴까|(?:작업|세션|대화)[이가] 없/iu;
/** Number of letters by which words are compared, so that inflected forms are equal. */
const STEM = 4;

/** Returns the stems of the words of a text, and the pairs of characters in scripts without spaces between words. */
function stemsOf(text: string): Set<string> {
	const stems = new Set<string>();
	for (const [run] of text.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
		const dense = run.match(/[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]+/gu) ?? [];
		for (const part of dense) for (let at = 0; at + 1 < part.length; at++) stems.add(part.slice(at, at + 2));
		if (run.length >= STEM || /\d/.test(run)) stems.add(run.slice(0, STEM));
	}
	return stems;
}

function namesSomething(text: string, session: string): boolean {
	const known = stemsOf(session);
	return [...stemsOf(text)].some((stem) => known.has(stem));
}

/**
 * Whether a text is a recap: long enough, and about the session and not about the request for a recap. `session`: the text that the model
 * received about the session.
 */
export function isAboutSession(text: string, session: string): boolean {
	const words = countWords(text);
	if (words < LEAST_WORDS || ABOUT_ITSELF.test(text) || OFFERS_HELP.test(text)) return false;
	if (!namesSomething(text, session)) return false;
	return words > LONGEST_QUESTION || !/[?？]$/.test(text);
}

function withoutMarkdown(text: string): string {
	return text
		.replace(/\*\*|`/g, "")
		.replace(/^(?:#+|[-*•])\s+/u, "")
		.trim();
}
