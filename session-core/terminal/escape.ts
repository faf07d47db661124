import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { matchesKey } from "@mariozechner/pi-tui";
import { focusedEditor } from "./focused-editor.ts";
import { hostTui } from "./host-tui.ts";

/**
 * Listen for Escape at the prompt until the returned function is called. The key is kept from the host only then: a dialog or
 * an open list of completions gets it as always.
 */
export function onEscape(
	ui: Pick<ExtensionUIContext, "setWidget" | "onTerminalInput">,
	key: string,
	pressed: () => void,
): () => void {
	const tui = hostTui(ui, key);
	if (!tui) return () => undefined;
	return ui.onTerminalInput((data) => {
		if (!matchesKey(data, "escape")) return undefined;
		const editor = focusedEditor(tui);
		if (!editor || editor.isShowingAutocomplete?.()) return undefined;
		pressed();
		return { consume: true };
	});
}
