import { isObject, jsonObjectsIn } from "../session-core/text/files/index.ts";
import { withoutThoughts } from "../session-core/text/index.ts";

/** Maximum number of words, and of characters, in a kebab-case name. */
const KEBAB_WORDS = 6;
const KEBAB_CHARACTERS = 60;

/**
 * Converts a title to a kebab-case name that consists of letters and digits in any writing system. Returns undefined if the title contains
 * none.
 */
export function toKebab(title: string): string | undefined {
	const words = title
		.normalize("NFC")
		.replace(/(\p{Ll}\p{M}*)(\p{Lu})/gu, "$1 $2")
		.toLowerCase()
		.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu);
	if (!words) return undefined;
	let name = "";
	for (const word of words.slice(0, KEBAB_WORDS)) {
		const longer = name === "" ? word : `${name}-${word}`;
		if (longer.length > KEBAB_CHARACTERS && name !== "") break;
		name = longer;
	}
	return [...name].slice(0, KEBAB_CHARACTERS).join("");
}

/**
 * Number of characters that are searched at the end of a text answer. Only the end is searched, because models reason first and answer
 * last.
 */
const BOUND = 4_000;
/** Maximum number of objects and encoded texts around a title. */
const DEPTH = 4;
/** Matches the key of a title in the spellings of `session_title`. */
const KEY = /^(?:session)?[_-]?title$/i;
const TAGGED = /<title>([^<>]{1,400})<\/title>/gi;

/**
 * Returns the title in a model's answer: the tool's argument, a JSON object in the text, or `<title>…</title>`. The arguments may be encoded
 * once more, or be inside other objects. Free text is not accepted.
 */
export function extractTitle(toolArguments: unknown, text: string): string | undefined {
	const answer = withoutThoughts(text).slice(-BOUND);
	const written = [...jsonObjectsIn(answer).reverse(), parse(answer.trim())];
	const [found] = [toolArguments, ...written].flatMap((value) => titleIn(value, DEPTH) ?? []);
	const tagged = [...(found ?? answer).matchAll(TAGGED)].at(-1)?.[1];
	return tagged ?? found;
}

function titleIn(value: unknown, depth: number): string | undefined {
	if (depth === 0) return undefined;
	if (typeof value === "string")
		return /^\s*["{[]/.test(value) ? titleIn(parse(value), depth - 1) : undefined;
	if (!isObject(value) && !Array.isArray(value)) return undefined;
	const title = Object.entries(value).find(([key]) => KEY.test(key))?.[1];
	if (typeof title === "string") return titleIn(title, depth - 1) ?? title;
	for (const inner of Object.values(value)) {
		const found = titleIn(inner, depth - 1);
		if (found !== undefined) return found;
	}
	return undefined;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// The text is prose.
		return undefined;
	}
}
