import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { hostTui } from "./host-tui.ts";

/** The colours of the host's theme that the extensions use. */
export interface Paint {
	accent(text: string): string;
	bold(text: string): string;
	dim(text: string): string;
}

/** Lines for the widget; without `paint` they go to a program, which wants no escape sequences. */
export type Painted = (paint: Paint | undefined) => string[];

/** An extension's places on the user's screen: one widget, one footer status, one-line answers. */
export interface Screen {
	/** False where a program shows what we say (RPC mode). */
	isTerminal(): boolean;
	/** Plain string lines, so that RPC clients get them too. */
	show(lines: Painted): void;
	hide(): void;
	/** The footer's status while a typed command waits for a model; undefined takes it away. */
	status(text: string | undefined): void;
	say(text: string, kind?: "info" | "warning"): void;
	/** The editor holds something. */
	isTyped(): boolean;
}

type Ui = Pick<ExtensionUIContext, "setWidget" | "setStatus" | "notify" | "getEditorText" | "theme">;

/** `key` names the widget and the status; each extension has its own. */
export function createScreen(ui: Ui, key: string): Screen {
	let isShown = false;
	let isBusy = false;
	let hasTui: boolean | undefined;
	const isTerminal = () => {
		hasTui ??= hostTui(ui, `${key}:probe`) !== undefined;
		return hasTui;
	};
	return {
		isTerminal,
		show(lines) {
			isShown = true;
			ui.setWidget(key, lines(isTerminal() ? paintOf(ui) : undefined));
		},
		hide() {
			if (!isShown) return;
			isShown = false;
			ui.setWidget(key, undefined);
		},
		status(text) {
			if (text === undefined && !isBusy) return;
			isBusy = text !== undefined;
			ui.setStatus(key, text);
		},
		say: (text, kind = "info") => ui.notify(text, kind),
		isTyped: () => ui.getEditorText().trim() !== "",
	};
}

function paintOf({ theme }: Pick<Ui, "theme">): Paint {
	return {
		accent: (text) => theme.fg("accent", text),
		bold: (text) => theme.bold(text),
		dim: (text) => theme.fg("dim", text),
	};
}
