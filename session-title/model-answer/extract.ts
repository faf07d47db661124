import { isObject } from "../../session-core/json.ts";
import { withoutThoughts } from "../../session-core/text/thoughts.ts";

/**
 * Number of characters that are searched at the end of a text answer. Only the end is searched, because models reason first and answer
 * last.
 */
const BOUND = 4_000;
/** Maximum number of opening braces, and of closing braces, that are tried as the bounds of a JSON object. */
const TRIES = 24;

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
	const found = titleIn(toolArguments, DEPTH) ?? lastObject(answer) ?? titleIn(parse(answer.trim()), DEPTH);
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

function lastObject(text: string): string | undefined {
	const starts = positions(text, "{").reverse().slice(0, TRIES);
	const ends = positions(text, "}").reverse().slice(0, TRIES);
	for (const end of ends) {
		for (const start of starts) {
			const found = start < end ? titleIn(parse(text.slice(start, end + 1)), DEPTH) : undefined;
			if (found !== undefined) return found;
		}
	}
	return undefined;
}

function positions(text: string, character: string): number[] {
	const found: number[] = [];
	for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found.push(at);
	return found;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// These braces belong to prose or code. The next pair may be the object.
		return undefined;
	}
}
