import { substance } from "../digest/voice.ts";

/** Interjections that open a request and say nothing of it. Only ever shortens; nothing is found or lost by it. */
const FILLER =
	/^(?:(?:ok(?:ay)?|alright|all right|so+|h+m+|well|btw|also|now|then|first|hey|hi|hello|my dude|dude|wait|yeah|yes|no|nope|actually|please|wow|cool|great|perfect|nice|and|but|omfg|wtf|lol|jesus|damn|fuck|shit|(?:fucking |bloody )?hell|i (?:think|guess|suppose|believe|feel like))(?![\w'-])[\s,.!…-]*)+(?=\S)/i;

/** The polite or modal lead of a request; what is wanted stands behind it. */
const POLITE =
	/^(?:(?:can|could|would|will) (?:you|we|i) (?:please |maybe |also |now |just )*(?!not\b)|i(?:'d| would)? (?:actually |also |really |just )*(?:want(?:ed)?|need|like) (?:you )?to |i(?:'d| would)? (?:actually |also |really |just )*(?:want(?:ed)?|need) (?=an? |the )|(?:we|you) (?:now |also |then |first )*(?:need|have|want) to (?:now |also )?|(?:we|you) should (?:probably |also |now |maybe |just )*|should probably |let's |let us |please |i'm (?:especially |particularly |mostly )?interested in |there(?:'s| is) (?:i think )?(?=only |one |still |an? ))/i;

/** "…, aren't we?", "…, no?": turns a statement into a question that wants no answer. */
const TAG_QUESTION =
	/[,;]?\s+(?:(?:is|are|was|were|do|does|did|ca|wo|should|has|have)n['’]t (?:i|we|you|it|they|that|there))\s*[?？]+$|[,;]\s+(?:right|no|ok(?:ay)?|yes|correct)\s*[?？]+$/i;

/** A closing clause that only says to look at what was just named: "…, read it in full". */
const TRAILING_LOOK =
	/,\s+(?:then |and )*(?:read|open|check|look at|see|view) (?:it|them|this|that)\b[^,]{0,24}$/i;

/** "After you are done, …": when, not what. */
const WHEN = /^(?:after|once|when|before) (?:you|that|this|it)\b[^,]{0,40},\s+/i;
/** "(i think node has one)": a thought on the way. */
const ASIDE = /\s+\((?:i|you|we|maybe|not sure|btw)\b[^()]*\)/gi;

/** A clause of a request without what a speaker puts around it. */
export function withoutLead(clause: string): string {
	const bare = clause
		.replace(/^(?:[-*•]|\d{1,2}[.)])\s+/, "")
		.replace(FILLER, "")
		.replace(WHEN, "")
		.replace(ASIDE, "")
		.replace(TAG_QUESTION, "")
		.replace(TRAILING_LOOK, "");
	const wanted = bare.replace(POLITE, "");
	// What is left of "can we?" is no request.
	return substance(wanted) >= 2 ? wanted : bare;
}

/**
 * A clause without an exclamation at either end ("jesus, …", "…, wtf?"): a word or two before the first or behind the last comma
 * that nothing else in the session repeats. A list is no such thing.
 */
export function withoutExclamation(clause: string, isKnown: (text: string) => boolean): string {
	const parts = clause.split(/,\s+/);
	if (parts.length < 2) return clause;
	const isAside = (part: string | undefined): boolean =>
		part !== undefined &&
		part.split(/\s+/).length <= 2 &&
		!/^(?:in|on|at|for|with|from|under|en|con|para|bei|mit|für|dans|pour)\s/i.test(part) &&
		!/[\d./_@`"'(]/.test(part) &&
		!isKnown(part);
	const first = isAside(parts[0]) && !isList(parts) ? 1 : 0;
	const last =
		parts.length > first + 1 && isAside(parts.at(-1)) && !isList(parts) ? parts.length - 1 : parts.length;
	const kept = parts.slice(first, last).join(", ");
	return substance(kept) >= 4 ? kept : clause;
}

/** Commas between parts of a word or two each list things. */
function isList(parts: readonly string[]): boolean {
	const isShort = (part: string | undefined): boolean => part !== undefined && part.split(/\s+/).length <= 2;
	if (/^\S+ (?:and|or|y|o|und|oder|et|ou) /.test(parts[1] ?? "")) return true;
	return parts.length > 2 && isShort(parts[0]) && isShort(parts[1]);
}
