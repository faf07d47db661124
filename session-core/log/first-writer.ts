import { cleanText, letters } from "../text/index.ts";
import { contentText, type Entry, hasRole, messageOf, readMessage } from "./entry.ts";
import { argumentStrings } from "./secrets.ts";
import { userWords } from "./user-words.ts";

/**
 * The maximum number of markup words, such as tags or line numbers, between two words of a quoted
 * text.
 */
const MARKUP_WORDS = 8;
/**
 * The minimum length, in words, of a passage whose words may be separated by markup in a tool's output.
 * The words of a shorter passage must be adjacent, because a few common words occur in almost any
 * output.
 */
const FEW_WORDS = 4;
const RAREST = 3;

/**
 * Returns true if a passage first appeared in a tool's output or an attached file, not in the user's or
 * the agent's own words. Case, markup, escapes and redacted parts are ignored.
 */
export function isFromTool(entries: Iterable<Entry>, text: string): boolean {
	const parts = text.split(/\[redacted\]|…/).map(wordsOf);
	const words = parts.flat();
	const rarest = words.toSorted((a, b) => b.length - a.length).slice(0, RAREST);
	const mayOccur = (written: string) => {
		const lower = written.toLowerCase();
		return rarest.some((word) => lower.includes(word));
	};
	for (const entry of entries) {
		const { own, foreign } = writtenIn(entry);
		if (mayOccur(own)) {
			const said = wordsOf(own).join(" ");
			if (parts.every((part) => said.includes(part.join(" ")))) return false;
		}
		if (mayOccur(foreign) && isQuoted(words, foreign)) return true;
	}
	return false;
}

function isQuoted(words: readonly string[], output: string): boolean {
	const text = cleanText(
		output.replace(/\\u00([\da-f]{2})|%([\da-f]{2})/gi, decoded).replace(/\\[nrt]/g, " "),
	);
	if (letters(text.replace(/<[^<>]{1,1000}>/g, "")).includes(letters(words.join(" ")))) return true;
	const gap = words.length < FEW_WORDS ? 1 : MARKUP_WORDS + 1;
	const written = wordsOf(text);
	return written.some((first, start) => {
		let at = start;
		return words.every((word, index) => {
			if (index === 0) return word === first;
			const distance = written.slice(at + 1, at + 1 + gap).indexOf(word) + 1;
			at += distance;
			return distance > 0;
		});
	});
}

function decoded(_: string, unicode: string | undefined, percent = ""): string {
	return String.fromCharCode(Number.parseInt(unicode ?? percent, 16));
}

function wordsOf(text: string): string[] {
	const plain = text.replace(/\]\([^()\s]*\)/g, "] ").toLowerCase();
	return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function writtenIn(entry: Entry): { own: string; foreign: string } {
	const content = contentText(messageOf(entry)?.["content"] ?? entry["content"]);
	if (hasRole(entry, "user")) {
		const own = userWords(content).text;
		const typed = new Set(own.split("\n").map((line) => line.trim()));
		const inserted = content.split("\n").filter((line) => !typed.has(line.trim()));
		return { own, foreign: inserted.join("\n") };
	}
	const message = readMessage(entry);
	if (message?.role === "assistant")
		return {
			own: [content, ...message.calls.flatMap(({ args }) => argumentStrings(args))].join("\n"),
			foreign: "",
		};
	const output = messageOf(entry)?.["output"];
	return { own: "", foreign: typeof output === "string" ? output : content };
}
