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
	/\b(?:next|todo|to[- ]do|remaining|left|follow[- ]?ups?|outstanding|pending|still need|not (?:yet )?done|action items?|recommend(?:ed|ation)s?)\b|다음에|다음 ?(?:단계|작업|할)|남은|후속|해야 할|下一步|待办|剩余|后续|次の(?:ステップ|作業)|残り|今後|siguientes? pasos?|próxim|pendiente|prochaines? étapes?|reste à|nächste Schritte|offene Punkte/i;
const NEXT_LEAD =
	/^(?:so )?(?:the )?next(?: (?:big |logical )?(?:steps?|tasks?|up))?(?: is| are| would be|,|:)|^still (?:need|to)\b|^remaining\b|^다음(?:은|으로| 단계)|^남은 |^接下来|^下一步|^次は|^siguiente|^el siguiente paso/i;
const OFFER =
	/\b(?:if you(?:'d)? (?:want|like|prefer)|let me know|want me to|shall i|should i|i can (?!see|tell|find)(?:also |now )?\w+|happy to|just say|say the word|ready (?:to|for))\b|말씀|알려 ?주|원하시면|필요하면|할까요|드릴까요|해 ?주세요|(?:해|알려|걸어) ?주면|如果你|需要我|要我|请告诉|告诉我|确认|よろしければ|教えて|ましょうか|(?:으면|되면|이면|다면).*(?:겠습니다|할게요)|si quieres|avísame|dime|puedo|¿/i;

/** A courtesy at the end, which names nothing that the agent would do: nobody has to answer it. */
const COURTESY =
	/\blet me know (?:if|should|when(?:ever)? you)\b|면 (?:언제든(?:지)? )?(?:말씀|알려)|(?:たら|れば).{0,12}(?:教えて|お知らせ|おっしゃ)|(?:如果|若|需要).{0,24}(?:告诉我|随时)|\bsi (?:necesitas|quieres|hay)\b.{0,60}\b(?:avísame|dime|házmelo)/i;
const OWN_DEED =
	/\bi(?:'ll| will| can| could|'d| would)\b|\bwe can\b|겠습니다|할게요|드릴게요|드리겠|しましょう|我(?:可以|会|来)|puedo/i;

/** Reads what a reply leaves open. Bounded by the reply's own bound. */
export function readStatements(reply: string): Statements {
	const blocks = readBlocks(reply);
	const tail = closing(blocks);
	const questions = tail.flatMap((block) => sentencesOf(block.text).filter(isAsked)).slice(-3);
	const asked = questions.length > 0 ? questions : askedInList(blocks);
	const offers = tail
		.flatMap((block) => sentencesOf(block.text))
		.filter((sentence) => OFFER.test(sentence) && !isQuestion(sentence) && !/[:：]$/.test(sentence))
		.filter((sentence) => !COURTESY.test(sentence) || OWN_DEED.test(sentence))
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

/** What questions begin with that their speaker answers; a few languages' worth. */
const WONDERING =
	/^(?:(?:so|but|and),? )?(?:why|how come|what if|who|where)\b|^(?:왜|为什么|どうして|なぜ|¿?por qué|warum)/i;

/** Whether a sentence of a paragraph asks the reader, rather than raises what the next sentence says. */
function isAsked(sentence: string, index: number, paragraph: readonly string[]): boolean {
	if (!isQuestion(sentence)) return false;
	const isAnswered = index < paragraph.length - 1 && WONDERING.test(sentence) && !/\byour?\b/i.test(sentence);
	return !isAnswered;
}

/** Whether a sentence asks. The optional parameter at the end of a signature (`show(item, target?)`) does not. */
export function isQuestion(sentence: string): boolean {
	return /[?？]["')\]」』)]*$/.test(sentence) && !/\w\([^()]*\w\?\)$/.test(sentence);
}

/** The last few blocks, a list counting as one: what a person reads last is what is asked of them. Code and tables ask nothing. */
function closing(blocks: Block[]): Block[] {
	const prose = blocks.filter((block) => block.kind !== "code" && block.kind !== "row");
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

function nextSteps(blocks: Block[]): string[] {
	const steps: string[] = [];
	for (const block of blocks) {
		if (block.kind === "item" && block.depth === 0 && (block.open || isNextHeading(block.section))) {
			steps.push(block.text);
			continue;
		}
		if (block.kind !== "text") continue;
		for (const sentence of sentencesOf(block.text)) {
			if (isNextStep(sentence) && !isQuestion(sentence) && !/[:：]$/.test(sentence)) steps.push(sentence);
		}
	}
	return [...new Set(steps)];
}
