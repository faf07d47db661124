import { hasRequest, remarksOf, stepsOf, type Timeline } from "../session-core/log/timeline/index.ts";
import type { Paint } from "../session-core/pi/index.ts";
import {
	artifactLine,
	type CardWords,
	recapLines,
	type SessionRecord,
	sentencesOfNote,
} from "../session-core/recap/index.ts";

/** Whether the text is quoted from the session. If not, a model or a person wrote it, and no further model call is needed. */
export function isQuoted(record: SessionRecord): boolean {
	return record.generator.type === "heuristic";
}

/** Whether a session contains enough for a recap. */
interface Worth {
	/** Whether anything worth a recap happened since the last prompt: a tool call, enough text, an abort or an error. */
	sincePrompt: boolean;
	/**
	 * Whether a reopened session contains enough for a recap: it meets the condition of `sincePrompt`, or it contains an earlier step or a
	 * second request.
	 */
	reopened: boolean;
}

/** Minimum number of words that the agent must have written since the last prompt for its text alone to be worth a recap. */
const ENOUGH_WORDS = 30;

export function worthOf({ turns }: Pick<Timeline, "turns">): Worth {
	const since = turns.slice(Math.max(0, turns.findLastIndex(hasRequest)));
	const text = since.flatMap((turn) => [turn.reply ?? "", ...remarksOf(turn)]).join(" ");
	const sincePrompt =
		since.flatMap(stepsOf).some(({ kind }) => kind === "call") ||
		(text.match(/\S+/g)?.length ?? 0) >= ENOUGH_WORDS ||
		since.some(({ end }) => end === "aborted" || end === "error");
	const requests = turns.filter(({ request }) => request !== undefined).length;
	return {
		sincePrompt,
		reopened: sincePrompt || requests > 1 || turns.some(({ steps }) => steps.length > 0),
	};
}

/** Returns the lines of a recap below its header. A note's sentences already say what comes next, so only the artifacts follow them. */
export function bodyLines(record: SessionRecord, words: CardWords): string[] {
	const sentences = sentencesOfNote(record);
	if (sentences === undefined) return recapLines(record, words);
	return [sentences, artifactLine(record.artifacts)].filter((line) => line !== "");
}

const GLYPH = "✦";
/** Maximum number of lines below the header. */
const MAX_LINES = 3;

/**
 * Returns the lines of the widget: a header and the recap. `createScreen` wraps them to the width of the terminal. `hideKey`: the key that
 * hides the recap, if one is bound. The header of an offline recap says that the text is quoted; only the line with the artifacts is dim.
 */
export function widgetLines(
	record: SessionRecord,
	words: CardWords,
	hideKey: string | undefined,
	paint: Paint | undefined,
): string[] {
	const body = bodyLines(record, words).slice(0, MAX_LINES);
	if (!paint) return [`${GLYPH} recap`, ...body];
	const quoted = isQuoted(record);
	const glyph = quoted ? paint.dim(GLYPH) : paint.accent(paint.bold(GLYPH));
	const notes = [hideKey && `${hideKey} to hide this`, quoted && "quoted"].filter(Boolean);
	const hint = notes.map((note) => paint.dim(` · ${note}`)).join("");
	const artifacts = sentencesOfNote(record) && artifactLine(record.artifacts);
	return [
		`${glyph} ${paint.accent(paint.bold("recap"))}${hint}`,
		...body.map((line) => (line === artifacts ? paint.dim(line) : line)),
	];
}
