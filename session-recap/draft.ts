import type { Paint } from "../session-core/host/screen.ts";
import { describeFailure } from "../session-core/model/failure.ts";
import type { FailedDraft } from "./ask.ts";

/** The recap of one state of the conversation: first the offline text, then a model's answer. */
export interface Draft {
	stamp: string;
	/** The offline text. It is shown immediately, and kept if no model answers. */
	lines: readonly string[];
	/** The line that is shown below a model's answer. It says what the latest work created or changed. */
	artifacts: string;
	/** A model's answer, which replaces the offline text. */
	answer: { text: string; model: string } | undefined;
	/** Whether a model call for this draft is in progress. */
	isAsked: boolean;
	failure: FailedDraft | undefined;
}

export function draftView(draft: Draft): { lines: readonly string[]; offline: boolean } {
	return draft.answer
		? { lines: [draft.answer.text, draft.artifacts].filter((line) => line !== ""), offline: false }
		: { lines: draft.lines, offline: true };
}

const GLYPH = "✦";
/** Maximum number of lines below the header. With the header, the widget stays well within the host's limit of ten strings. */
const MAX_LINES = 3;

/**
 * Returns the lines of the widget: a header and the recap. The host wraps them to the width of the terminal. `hideKey`: the key that hides
 * the recap, if one is bound. The header of an offline recap says that the text is quoted; only the line with the artifacts is dim.
 */
export function widgetLines(draft: Draft, hideKey: string | undefined, paint: Paint | undefined): string[] {
	const { lines, offline } = draftView(draft);
	const body = lines.slice(0, MAX_LINES);
	if (!paint) return [`${GLYPH} recap`, ...body];
	const glyph = offline ? paint.dim(GLYPH) : paint.accent(paint.bold(GLYPH));
	const notes = [hideKey && `${hideKey} to hide this`, offline && "quoted"].filter(Boolean);
	const hint = notes.map((note) => paint.dim(` · ${note}`)).join("");
	return [
		`${glyph} ${paint.accent(paint.bold("recap"))}${hint}`,
		...body.map((line) => (line === draft.artifacts ? paint.dim(line) : line)),
	];
}

/**
 * Returns why a typed `/recap` produced no new result. `hasAnswer`: whether a model's recap is already shown; if so, that recap remains.
 */
export function explainRecapFailure(failure: FailedDraft, hasAnswer: boolean): string {
	const { reason, model } = failure;
	const stays = hasAnswer ? "the recap is unchanged" : "the recap was generated without a model";
	switch (reason) {
		case "no_model":
			return `recap: no model is available, so ${stays}. Choose one with /model or --recap-model.`;
		case "unusable":
			return `recap: the answer of ${model} could not be used; ${stays}. /recap --force calls the model again.`;
		default:
			return `recap: ${describeFailure({ ...failure, reason }, model || "The model")} ${stays.charAt(0).toUpperCase()}${stays.slice(1)}.`;
	}
}
