import type { Paint } from "../session-core/pi/host/index.ts";
import type { FailedNote } from "../session-core/pi/index.ts";
import type { FailedModel } from "../session-core/pi/model/index.ts";
import {
	artifactLine,
	type CardWords,
	type OfflineRecap,
	recapLines,
	sentencesOfNote,
	writtenBy,
} from "../session-core/recap/index.ts";

export interface RecapView {
	lines: readonly string[];
	/** The last line, which names what the latest work created or changed; may be empty. */
	artifacts: string;
	/** Whether the text is quoted from the session. If not, a model or a person wrote it, and no further model call is needed. */
	offline: boolean;
	by: string;
}

export function viewOfRecord({ recap, work }: OfflineRecap, words: CardWords): RecapView {
	const offline = recap.generator.type === "heuristic";
	const sentences = sentencesOfNote(recap);
	const by = writtenBy(recap);
	if (sentences === undefined)
		return { lines: recapLines({ recap, work }, words), artifacts: "", offline, by };
	// The sentences already say what comes next, so only the artifacts follow them.
	const artifacts = artifactLine(recap.artifacts);
	const lines = [sentences, artifacts].filter((line) => line !== "");
	return { lines, artifacts, offline, by };
}

/** Returns the view of a note of which only the sentences have arrived so far. */
export function viewOfSentences(sentences: string, by: string): RecapView {
	return { lines: [sentences], artifacts: "", offline: false, by };
}

export interface Draft {
	stamp: string;
	view: RecapView;
	isAsked: boolean;
	failure: FailedNote | undefined;
	tried?: readonly FailedModel[] | undefined;
}

const GLYPH = "✦";
/** Maximum number of lines below the header. With the header, the widget stays well within the host's limit of ten strings. */
const MAX_LINES = 3;

/**
 * Returns the lines of the widget: a header and the recap. The host wraps them to the width of the terminal. `hideKey`: the key that hides
 * the recap, if one is bound. The header of an offline recap says that the text is quoted; only the line with the artifacts is dim.
 */
export function widgetLines(
	{ view }: Draft,
	hideKey: string | undefined,
	paint: Paint | undefined,
): string[] {
	const { lines, artifacts, offline } = view;
	const body = lines.slice(0, MAX_LINES);
	if (!paint) return [`${GLYPH} recap`, ...body];
	const glyph = offline ? paint.dim(GLYPH) : paint.accent(paint.bold(GLYPH));
	const notes = [hideKey && `${hideKey} to hide this`, offline && "quoted"].filter(Boolean);
	const hint = notes.map((note) => paint.dim(` · ${note}`)).join("");
	return [
		`${glyph} ${paint.accent(paint.bold("recap"))}${hint}`,
		...body.map((line) => (line === artifacts ? paint.dim(line) : line)),
	];
}
