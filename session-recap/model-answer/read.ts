import { clipSentence } from "../../session-core/text/clip.ts";
import { safeText } from "../../session-core/text/safe.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";

/** Maximum width of a recap that is shown, in terminal columns. */
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

/** Returns the text in the last pair of tags, because a model that thinks aloud mentions the tags before it uses them. */
function tagged(raw: string): string | undefined {
	const lower = raw.toLowerCase();
	const close = lower.lastIndexOf(CLOSE);
	if (close >= 0) {
		const open = lower.lastIndexOf(OPEN, close);
		return open < 0 ? undefined : raw.slice(open + OPEN.length, close);
	}
	const open = lower.lastIndexOf(OPEN);
	if (open < 0) return undefined;
	const rest = raw.slice(open + OPEN.length);
	return SENTENCE_END.test(rest) ? rest : undefined;
}

function withoutMarkdown(text: string): string {
	return text
		.replace(/\*\*|`/g, "")
		.replace(/^(?:#+|[-*•])\s+/u, "")
		.trim();
}
