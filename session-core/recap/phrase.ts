import { displayWidth } from "../text/clip.ts";
import { tidyEnd } from "./wording.ts";

/** Korean and Japanese put the verb last: there, the end of a sentence says what is wanted. */
const VERB_LAST = /[\p{Script=Hangul}\p{Script=Hiragana}]/gu;
/** Korean endings behind which a clause or a part of one is complete. */
const JOINT = /(?:고|서|면|데|만|려고|니까|지만|에서|으로|에게|은|는|이|가|을|를)$/;
/** Korean words that belong to what stands before. */
const BOUND_WORD = /^(?:말고|대신|때|때문에|후|뒤|전|중|등|및|의|를|을)$/;
/** Words that belong to what follows: no phrase ends with one. */
const OPEN_END =
	/(?:^|\s)(?:a|an|the|of|to|in|on|at|by|for|with|from|and|or|but|that|which|who|when|where|if|as|than|into|is|are|be|must|not|every|each|any|its|their|our|my|your|de|del|la|el|los|las|un|una|en|con|por|para|que|y|der|die|das|und|mit|von|für|des|du|le|et|à)$/i;
/** What follows may be left out where it begins a phrase of its own. */
const NEW_PHRASE =
	/^(?:of|to|in|on|at|by|for|with|from|and|or|but|that|which|who|when|where|if|as|than|into|so|because|de|en|con|por|para|que|y|und|mit|von|für|et|à)\s/i;

/** Characters of a sentence that are looked at. */
const BOUND = 300;
/** Share of the whole that must be left for its end to stand for it. */
const ENOUGH = 0.65;

/**
 * A long sentence without clauses to leave out, as a whole phrase within `columns`. Undefined where its words show no place to cut:
 * scripts without spaces have none.
 */
export function wholePhrase(text: string, columns: number): string | undefined {
	// Of a text that runs on and on, only the beginning can be a headline.
	if (text.length > BOUND) {
		const end = text.lastIndexOf(" ", BOUND);
		return end > 0 ? wholePhrase(text.slice(0, end), columns) : undefined;
	}
	const marks = text.match(VERB_LAST)?.length ?? 0;
	return marks * 3 > text.replace(/\s/g, "").length ? verbLast(text, columns) : verbFirst(text, columns);
}

/** Modifiers stand first and may go; where too much would, the topic at the beginning stays instead. */
function verbLast(text: string, columns: number): string | undefined {
	const words = text.split(" ");
	const tails = words.flatMap((_, index) => {
		const tail = words.slice(index).join(" ");
		const isJoint = index > 0 && JOINT.test(words[index - 1] ?? "") && !BOUND_WORD.test(words[index] ?? "");
		return isJoint && displayWidth(tail) <= columns ? [tail] : [];
	});
	const tail = tails[0];
	if (tail !== undefined && displayWidth(tail) >= displayWidth(text) * ENOUGH) return tail;
	const heads = words.flatMap((word, index) => {
		const head = words.slice(0, index + 1).join(" ");
		return JOINT.test(word) && displayWidth(head) <= columns ? [head] : [];
	});
	const head = heads.at(-1);
	return head !== undefined && displayWidth(head) >= columns * 0.4 ? head : tail;
}

function verbFirst(text: string, columns: number): string | undefined {
	const words = text.split(" ");
	for (let count = words.length - 1; count > 0; count--) {
		const head = words.slice(0, count).join(" ");
		if (displayWidth(head) > columns) continue;
		if (displayWidth(head) < columns * 0.4) return undefined;
		if (NEW_PHRASE.test(`${words[count] ?? ""} `) && !OPEN_END.test(head) && isClosed(head))
			return tidyEnd(head);
	}
	return undefined;
}

function isClosed(text: string): boolean {
	const open = (text.match(/[([{（]/g) ?? []).length;
	const close = (text.match(/[)\]}）]/g) ?? []).length;
	return open <= close && text.split('"').length % 2 === 1;
}
