import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { type Paint, type RecapView, widgetLines } from "./widget.ts";

const KEY = "session-recap";

/** The extension's places on the user's screen: one widget, one footer status, one-line answers. */
export interface Screen {
	show(view: RecapView): void;
	hide(): void;
	/** The footer's status while a typed command waits for a model; undefined takes it away. */
	status(text: string | undefined): void;
	say(text: string, kind?: "info" | "warning"): void;
	/** The editor holds something. */
	isTyped(): boolean;
}

type Ui = Pick<ExtensionUIContext, "setWidget" | "setStatus" | "notify" | "getEditorText" | "theme">;

/** `inColour`: false where the lines go to a program, which wants no escape sequences. */
export function createScreen(ui: Ui, inColour: () => boolean): Screen {
	const paint = (): Paint | undefined => {
		if (!inColour()) return undefined;
		const { theme } = ui;
		return {
			accent: (text) => theme.fg("accent", text),
			bold: (text) => theme.bold(text),
			dim: (text) => theme.fg("dim", text),
		};
	};
	let isShown = false;
	return {
		show(view) {
			isShown = true;
			ui.setWidget(KEY, widgetLines(view, paint()));
		},
		hide() {
			if (!isShown) return;
			isShown = false;
			ui.setWidget(KEY, undefined);
		},
		status: (text) => ui.setStatus(KEY, text),
		say: (text, kind = "info") => ui.notify(text, kind),
		isTyped: () => ui.getEditorText().trim() !== "",
	};
}
