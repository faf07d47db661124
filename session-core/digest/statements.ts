import { isAsked, isCourtesy, isQuestion } from "./asking.ts";
import { type Block, readBlocks, sentencesOf } from "./prose.ts";

/** What a reply leaves to be done or decided, in its own words. */
export interface Statements {
	/** Questions to the user that the reply ends with. */
	questions: string[];
	/** Steps that it names as next. */
	nextSteps: string[];
	/** What it offers to do, if the user wants it. */
	offers: string[];
}

/** Headings of what is still to do. Structure (open check boxes, a closing list) counts without them. */
const NEXT_HEADING =
	/\b(?:next(?![.]\w)|to[- ]do|remaining|what(?:'s| is) left|left (?:to do|over)|follow[- ]?ups?|outstanding|still (?:need|pending|open)|not (?:yet )?done|action items?|recommend(?:ed|ation)s?)\b|^(?:left|pending|todos?)(?: (?:items?|tasks?|work))?$|다음에|다음 ?(?:단계|작업|할)|남은|후속|해야 할|下一步|待办|剩余|后续|次の(?:ステップ|作業)|残り|今後|siguientes? pasos?|próxim|pendiente|prochaines? étapes?|reste à|nächste Schritte|offene Punkte/i;
const NEXT_LEAD =
	/^(?:so )?(?:the )?next(?: (?:big |logical )?(?:steps?|tasks?|up))?(?: is| are| would be|,|:)|^still (?:need|to)\b|^remaining\b|^다음(?:은|으로| 단계)|^남은 |^接下来|^下一步|^次は|^siguiente|^el siguiente paso/i;
const OFFER =
	/\b(?:if you(?:'d)? (?:want|like|prefer)|let me know|want me to|shall i|should i|i can (?!see|tell|find|reproduce|confirm|not\b)(?:also |now )?\w+|just say|say the word)\b|(?:^|i'd be |i'm |i am )happy to\b|(?:^|\bor |i'm |i am |we're |we are )ready (?:to|for)\b|말씀(?:해|하|만|주)|알려 ?주(?:세요|시|면|실)|원하시면|필요하면.*(?:주세요|말씀|게요|겠습니다)|할까요|드릴까요|해 ?주세요|(?:해|알려|걸어) ?주면|如果你|需要我|要我|请.{0,6}告诉|告诉我(?!们)|请.{0,10}确认|确认(?:后|一下)|よろしければ|教えて(?:ください|いただ)|ましょうか|(?:으면|되면|이면|다면).*(?:겠습니다|할게요)|si quieres|avísame|dime|(?<!no )\bpuedo\b|¿|wenn du (?:willst|möchtest|magst)|si vous (?:voulez|souhaitez)|se (?:você )?(?:quiser|preferir)|если хотите/i;

/** Reads what a reply leaves open. Bounded by the reply's own bound. */
export function readStatements(reply: string): Statements {
	const blocks = readBlocks(reply);
	const tail = closing(blocks);
	const questions = tail.flatMap((block) => sentencesOf(block.text).filter(isAsked)).slice(-3);
	const asked = questions.length > 0 ? questions : askedInList(blocks);
	const offers = tail
		.flatMap((block) => sentencesOf(block.text))
		.filter((sentence) => OFFER.test(sentence) && !isQuestion(sentence) && !/[:：]$/.test(sentence))
		.filter((sentence) => !isCourtesy(sentence))
		.slice(-2);
	return { questions: asked, offers, nextSteps: nextSteps(blocks).slice(0, 5) };
}

/** Whether a sentence names a next step. */
export function isNextStep(sentence: string): boolean {
	return NEXT_LEAD.test(sentence);
}

/** Whether a heading stands over what is still to do. */
export function isNextHeading(section: string): boolean {
	return NEXT_HEADING.test(section);
}

/** A next step without the words that only say that it is one. */
export function bareStep(step: string): string {
	return step.replace(
		/^(?:so )?(?:the )?next(?: (?:big |logical )?(?:steps?|tasks?|up))?(?: is| are| would be|,|:)\s*(?:to )?/i,
		"",
	);
}

/** Both replies' statements, the first one's first. */
export function joinStatements(first: Statements, second: Statements): Statements {
	return {
		questions: [...second.questions, ...first.questions],
		nextSteps: [...first.nextSteps, ...second.nextSteps].slice(0, 5),
		offers: [...first.offers, ...second.offers].slice(0, 2),
	};
}

/** The last few blocks, a list counting as one: what a person reads last is what is asked of them. Code and tables ask nothing. */
function closing(blocks: Block[]): Block[] {
	// A heading that asks is answered by what stands below it.
	const prose = blocks.filter(
		({ kind }, index) =>
			kind !== "code" && kind !== "row" && (kind !== "heading" || index === blocks.length - 1),
	);
	let start = prose.length;
	for (let left = 4; start > 0; start--) {
		const isSameList = prose[start - 1]?.kind === "item" && prose[start]?.kind === "item";
		if (!isSameList && left-- === 0) break;
	}
	return prose.slice(start);
}

/** Questions inside a list are asked of the reader; those of a paragraph may be answered by the next sentence. */
function askedInList(blocks: Block[]): string[] {
	return blocks
		.flatMap((block) => (block.kind === "item" && /[?？](?:\s|$)/.test(block.text) ? [block.text] : []))
		.slice(-2);
}

/** Where nothing is left, lists say so. */
const NOTHING =
	/^(?:none|nothing(?: (?:else|left|for now))?|n\/?a|无|没有|없음|なし|keine[sr]?|nichts|rien|aucune?|nada|ninguno|нет|ничего)[.!。]?$/i;

function nextSteps(blocks: Block[]): string[] {
	const steps: string[] = [];
	for (const block of blocks) {
		if (block.kind === "item" && block.depth === 0 && (block.open || isNextHeading(block.section))) {
			if (!NOTHING.test(block.text)) steps.push(block.text);
			continue;
		}
		if (block.kind !== "text") continue;
		for (const sentence of sentencesOf(block.text)) {
			if (isNextStep(sentence) && !isQuestion(sentence) && !/[:：]$/.test(sentence)) steps.push(sentence);
		}
	}
	return [...new Set(steps)];
}
