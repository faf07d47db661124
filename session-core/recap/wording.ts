import { stripMarks } from "../digest/prose.ts";
import { displayWidth } from "../text/clip.ts";
import { redact } from "../text/redact.ts";
import { cleanLine } from "../text/sanitize.ts";

/** Characters read of a text that ends up in one line. */
const BOUND = 4_000;

/** Session text as it may be shown: one line, no Markdown, no controls, no secrets. */
export function plain(text: string): string {
	return cleanLine(redact(stripMarks(cleanLine(text.slice(0, BOUND)))));
}

/** A path, a hash or an address as it may be shown: nothing of it is a mark. */
export function literal(text: string): string {
	return cleanLine(redact(cleanLine(text.slice(0, BOUND))));
}

/** Places at which the rest of a sentence may go without leaving half a thought. */
const BOUNDARY =
	/\s+[—–·-]\s+|\s+\(|（|[;；]\s*|[,，、]\s+|[，、]|[。！？]|[.!?](?=\s)|\s+(?:→|=>)\s+|:\s+/gu;
/** What stands behind these turns round what stands before: a sentence cut there would say the opposite. */
const TURNS_ROUND =
	/^[\s\p{P}]*(?:(?:except|excluding|but|yet|however|though|although|unless|until|only|if|when|aber|jedoch|außer|ausser|sofern|falls|wenn|sauf|mais|si|excepto|salvo|pero|exceto|mas|se|кроме|но|если)(?![\p{L}\p{N}])|除了|但|不过|除非|如果|ただし|けど|제외|단 |하지만)/iu;
/** The same anywhere behind the cut. */
const LIMITS =
	/\b(?:except|unless|only (?:if|when|after|where)|excepto|salvo|sauf|außer|exceto)\b|кроме|除了|除非|ただし|제외/i;
/** A bracket that takes something back must stay. */
const TAKES_BACK =
	/[(（]\s*(?:not?\b|except|only|unless|without|but|excluding|nicht|ohne|außer|pas\b|sans|sauf|sin\b|salvo|sem\b|не |кроме|без |不|未|没|除|ただし|제외|안 |미)/i;

/** Whether what would be left out changes what is left. */
function isTurnedRound(rest: string): boolean {
	const takesBack = /^\s*[(（]/.test(rest) && TAKES_BACK.test(rest.slice(0, 30));
	return takesBack || TURNS_ROUND.test(rest) || LIMITS.test(rest);
}

/** Below this share of the room, what is left says too little. */
const WORTHWHILE = 0.4;

/**
 * A text within `columns` as a whole thought: parentheses go first, then what stands behind the last boundary that fits. Undefined
 * where no boundary would leave enough.
 */
export function wholeThought(text: string, columns: number): string | undefined {
	const full = tidyEnd(text);
	if (displayWidth(full) <= columns) return isClosed(full) ? full : undefined;
	const lean = TAKES_BACK.test(full)
		? full
		: tidyEnd(full.replace(/\s+(?:\([^()]*\)(?!\s*=>)|（[^（）]*）)/gu, ""));
	if (displayWidth(lean) <= columns && displayWidth(lean) >= columns * WORTHWHILE) return lean;
	let best: string | undefined;
	for (const boundary of full.matchAll(BOUNDARY)) {
		const head = tidyEnd(full.slice(0, boundary.index));
		if (displayWidth(head) > columns) break;
		if (displayWidth(head) < columns * WORTHWHILE || !isBalanced(head)) continue;
		if (!isTurnedRound(full.slice(boundary.index))) best = head;
	}
	return best ?? cutAtConjunction(full, columns);
}

/** The last resort: English and Spanish join main clauses with words where others have marks. */
function cutAtConjunction(text: string, columns: number): string | undefined {
	let best: string | undefined;
	for (const match of text.matchAll(/\s+(?:and|while|because|so that|which|y|porque)\s+/g)) {
		const head = tidyEnd(text.slice(0, match.index));
		const isRoomy = displayWidth(head) >= columns * WORTHWHILE && isBalanced(head);
		if (displayWidth(head) <= columns && isRoomy && !isTurnedRound(text.slice(match.index))) best = head;
	}
	return best;
}

/** The end of a text within `columns`, for questions: what is asked stands last. */
export function closingThought(text: string, columns: number): string | undefined {
	if (displayWidth(text) <= columns) return text;
	for (const boundary of text.matchAll(/[,，、]\s*|[.。;；]\s+|\s+[—–-]\s+/gu)) {
		const tail = text.slice(boundary.index + boundary[0].length).trim();
		if (!isBalanced(tail)) continue;
		if (displayWidth(tail) <= columns) return displayWidth(tail) >= columns * 0.2 ? tail : undefined;
	}
	return undefined;
}

/** A text without the punctuation that only a longer text needed. */
export function tidyEnd(text: string): string {
	return text.trim().replace(/[\s,，、;；:：—–-]+$/u, "");
}

/** No bracket is left open, and no quotation. */
function isBalanced(text: string): boolean {
	return isClosed(text) && text.split('"').length % 2 === 1;
}

function isClosed(text: string): boolean {
	const count = (mark: string): number => text.split(mark).length;
	return count("(") <= count(")") && count("（") <= count("）") && count("[") <= count("]");
}
