import { type Static, Type } from "typebox";
import { Value } from "typebox/value";

const AnswerSchema = Type.Object({ title: Type.String() });
type TitleAnswer = Static<typeof AnswerSchema>;

/**
 * Number of characters that are searched at the end of a text answer. Only the end is searched, because models reason first and answer
 * last.
 */
const BOUND = 4_000;
/** Maximum number of opening braces, and of closing braces, that are tried as the bounds of a JSON object. */
const TRIES = 24;

/** Returns the title in a model's answer: the tool's argument, or a JSON object in the text. Free text is not accepted. */
export function extractTitle(
	toolArguments: Record<string, unknown> | undefined,
	text: string,
): string | undefined {
	if (Value.Check(AnswerSchema, toolArguments)) return toolArguments.title;
	return lastObject(text.slice(-BOUND))?.title;
}

function lastObject(text: string): TitleAnswer | undefined {
	const starts = positions(text, "{").reverse().slice(0, TRIES);
	const ends = positions(text, "}").reverse().slice(0, TRIES);
	for (const end of ends) {
		for (const start of starts) {
			const value = start < end ? parse(text.slice(start, end + 1)) : undefined;
			if (Value.Check(AnswerSchema, value)) return value;
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
