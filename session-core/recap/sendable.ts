import type { NextStep } from "./record.ts";

declare const CHECKED: unique symbol;

/** A prompt that may be sent without being shown to the user first. */
export type Sendable = string & { readonly [CHECKED]: true };

/** `nothing` means that the user did not ask to send anything, or that there is no text to send. */
export type Sending =
	| { ok: true; send: Sendable }
	| { ok: false; reason: "nothing" | "too_long" }
	| { ok: false; reason: "planted"; step: NextStep | undefined }
	| { ok: false; reason: "needs_answer" | "quoted"; step: NextStep };

export interface PromptOrigin {
	/** Whether the session file may come from a repository. */
	isPlanted: boolean;
	/** True if the agent copied the proposed next step from a tool's output. */
	isQuoted: boolean;
}

/**
 * Decides whether text from a session may be sent as a prompt without being shown to the user first. If
 * `step` is undefined, the text is an earlier prompt from the session.
 */
export function sendable(
	text: string,
	step: NextStep | undefined,
	{ isPlanted, isQuoted }: PromptOrigin,
): Sending {
	if (isPlanted) return { ok: false, reason: "planted", step };
	if (step && needsAnswer(step)) return { ok: false, reason: "needs_answer", step };
	return step && isQuoted ? { ok: false, reason: "quoted", step } : { ok: true, send: asTyped(text) };
}

/** Marks text that the user has just typed as safe to send. */
export function asTyped(text: string): Sendable {
	return text as Sendable;
}

export function needsAnswer({ kind }: NextStep): boolean {
	return kind !== "step" && kind !== "cut_short";
}
