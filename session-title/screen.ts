import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { hostTui } from "../session-core/terminal/host-tui.ts";
import { type Paint, type TitleView, widgetLines } from "./widget.ts";

const KEY = "session-title";

/** The extension's places on the user's screen: one widget, one footer status, one-line answers. */
export interface Screen {
	show(view: TitleView): void;
	hide(): void;
	/** The footer's status while a typed command waits for a model; undefined takes it away. */
	status(text: string | undefined): void;
	say(text: string, kind?: "info" | "warning"): void;
	/** The editor holds something. */
	isTyped(): boolean;
}

type Ui = Pick<ExtensionUIContext, "setWidget" | "setStatus" | "notify" | "getEditorText" | "theme">;

export function createScreen(ui: Ui): Screen {
	let isShown = false;
	let isBusy = false;
	let isTerminal: boolean | undefined;
	/** Programs that read our lines want no escape sequences. */
	const paint = (): Paint | undefined => {
		isTerminal ??= hostTui(ui, `${KEY}:probe`) !== undefined;
		if (!isTerminal) return undefined;
		const { theme } = ui;
		return { accent: (text) => theme.fg("accent", text), dim: (text) => theme.fg("dim", text) };
	};
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
		status(text) {
			if (text === undefined && !isBusy) return;
			isBusy = text !== undefined;
			ui.setStatus(KEY, text);
		},
		say: (text, kind = "info") => ui.notify(text, kind),
		isTyped: () => ui.getEditorText().trim() !== "",
	};
}
