import { FoldedText, foldCase } from "../text/fold.ts";
import { bytePattern, escapeRegExp } from "./query-bytes.ts";

/** A search as the user typed it: words that must all occur in one entry, in any order; `"…"` keeps words together. */
export interface Query {
	/** Finds lines of a session file that may match, in a byte-per-character view of the file. Never misses one that does. */
	candidate: RegExp;
	/** Finds the first of the words in real text; undefined unless all occur. */
	find(text: string): { start: number; end: number } | undefined;
}

/** Reads a query; a quotation mark that nothing closes reaches to the end. Undefined for one without a word. */
export function readQuery(input: string): Query | undefined {
	const words = [...input.matchAll(/"([^"]+)(?:"|$)|([^\s"]\S*)/g)]
		.map((found) => (found[1] ?? found[2] ?? "").trim())
		.filter(Boolean);
	const rarest = words.toSorted((one, other) => other.length - one.length)[0];
	if (rarest === undefined) return undefined;
	const tests = words.map((word) => new RegExp(bothForms(word, textPattern), "gu"));
	return {
		candidate: new RegExp(bothForms(rarest, bytePattern), "gi"),
		find: (text) => {
			const inText = new FoldedText(text);
			const found = tests.map((test) => firstIn(inText, test));
			return found.includes(undefined) ? undefined : found[0];
		},
	};
}

/** The first match that begins and ends with a letter of the text: `s` is no part of `ß`. */
function firstIn(text: FoldedText, test: RegExp): { start: number; end: number } | undefined {
	for (const { index, 0: found } of text.folded.matchAll(test)) {
		const start = text.placeOf(index);
		const end = text.placeOf(index + found.length);
		if (start !== undefined && end !== undefined) return { start, end };
	}
	return undefined;
}

/** Composed or decomposed accents: the log has whichever the keyboard, the file system or the model produced. */
function bothForms(word: string, pattern: (folded: string) => string): string {
	const forms = [word.normalize("NFC"), word.normalize("NFD")].map((form) => pattern(foldCase(form)));
	return [...new Set(forms)].join("|");
}

function textPattern(folded: string): string {
	return [...folded].map((char) => (/\s/.test(char) ? "\\s+" : escapeRegExp(char))).join("");
}
