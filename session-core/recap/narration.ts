import { tellingTerms } from "../digest/terms.ts";

/** What an agent says about itself or to bridge to the next line. English and a few others; a miss costs a dull line, no fact. */
const NARRATION =
	/^(?:now |ok(?:ay)?,? |oh |good[,.!] |great[,.!] |perfect[,.!] |first,? )*(?:let me|let's|i'll|i will|i'm going to|i am going to|i need to|i should|i can see|i see\b|i have a|i now|now i|here(?:'s| is| are)|you(?:'re| are) (?:absolutely |exactly )?right|good (?:point|catch|idea|progress)|great (?:catch|point|progress|question)|excellent|look at|wait|ready|that's (?:much )?better|i agree|makes sense|sounds good|voy a|déjame|ahora voy|je vais|ich werde|让我|我来|我将|では)/i;

/** A bridge to what follows, the agent talking about itself, or shouting. */
export function isNarration(text: string): boolean {
	if (/[:：]$/.test(text) && tellingTerms(text).size < 4) return true;
	return isTalk(text) || (/[A-Z]/.test(text) && !/[\p{Ll}\p{Lo}\d]/u.test(text));
}

/** The agent talking about itself. */
export function isTalk(text: string): boolean {
	return NARRATION.test(text);
}

/** What the agent was about to do, from a sentence that says so; undefined for any other. */
export function intention(sentence: string): string | undefined {
	const match = sentence.match(
		/^(?:(?:now|good|great|ok(?:ay)?|perfect|first|next)[,.!]? )*(?:let me|let's|i(?:'ll| will| need to| should| have to)|we (?:need|have) to)(?: also| now| first| just)? ((?!check|see|look|verify|read|think)[a-z].{8,})/i,
	);
	return match?.[1]?.replace(/[:.]$/, "");
}
