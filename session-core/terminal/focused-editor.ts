import type { TUI } from "@mariozechner/pi-tui";

/** The part of the host's prompt editor that is used. */
export interface FocusedEditor {
	getText(): string;
	/** Set by the host: sends what was typed, or performs it where it is a command. */
	onSubmit?: (text: string) => unknown;
	/** A list of completions is open. */
	isShowingAutocomplete?: () => boolean;
}

/**
 * The prompt editor, if the user's keys go there; undefined while a dialog or an overlay has them. The host has no call for
 * that, so its field is read; where that is named otherwise, nothing is found and the caller does without.
 */
export function focusedEditor(tui: TUI): FocusedEditor | undefined {
	const focused: unknown = Reflect.get(tui, "focusedComponent");
	return isEditor(focused) ? focused : undefined;
}

function isEditor(component: unknown): component is FocusedEditor {
	return (
		typeof component === "object" && component !== null && "getText" in component && "onSubmit" in component
	);
}
