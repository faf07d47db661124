import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { focusedEditor } from "./focused-editor.ts";
import { hostTui } from "./host-tui.ts";

/**
 * Run a command as if it had been typed: the host lets only a typed command replace the session, a shortcut's handler may
 * not. What stands in the editor stays there. False: it could not be, and `command` is worth telling the user.
 */
export function submitCommand(
	ui: Pick<ExtensionUIContext, "setWidget" | "getEditorText" | "setEditorText">,
	command: string,
): boolean {
	const tui = hostTui(ui, "session-suite:submit");
	const editor = tui && focusedEditor(tui);
	if (!editor?.onSubmit) return false;
	const draft = ui.getEditorText();
	editor.onSubmit(command);
	// While the agent works the host empties the editor at once.
	if (ui.getEditorText() !== draft) ui.setEditorText(draft);
	return true;
}
