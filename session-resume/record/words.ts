import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { jsonObjectsIn } from "../../session-core/json.ts";
import { isSupported, type SessionFacts } from "../../session-core/model/index.ts";
import { tidyWords } from "../../session-core/recap/index.ts";

/**
 * The part of a record that a model may fill in. The state, the checks, the artifacts, questions and next steps always come from the log.
 */
export const ModelWordsSchema = Type.Object({
	headline: Type.String({ description: "The task, at most 80 columns, no final punctuation" }),
	bullets: Type.Array(Type.String(), { description: "What happened, at most 5, short and concrete" }),
});

export type ModelWords = Static<typeof ModelWordsSchema>;

/**
 * Reads a model's answer, which consists of the tool's arguments or of equivalent JSON in the text. Drops lines that the content of the
 * session does not support. Returns undefined if too little is left.
 */
export function readWords(
	answer: { toolArguments?: Record<string, unknown>; text: string },
	ground: SessionFacts,
): ModelWords | undefined {
	const raw = answer.toolArguments ?? jsonObjectsIn(answer.text).at(-1);
	if (!Value.Check(ModelWordsSchema, raw)) return undefined;
	const words = tidyWords({ ...raw, next_actions: [] });
	if (words.headline === "" || !isSupported(words.headline, ground)) return undefined;
	const bullets = words.bullets.filter((line) => isSupported(line, ground));
	// If no bullet is supported, the headline cannot be trusted either.
	return bullets.length === 0 && words.bullets.length > 0 ? undefined : { headline: words.headline, bullets };
}
