/** The parts of the host that the extensions use. No other folder imports the host, except for its types. */

export type { Tool } from "@mariozechner/pi-ai";
export type {
	ExtensionAPI,
	ExtensionCommandContext,
	ExtensionContext,
	ExtensionUIContext,
	KeybindingsManager,
	Theme,
} from "@mariozechner/pi-coding-agent";
export {
	AssistantMessageComponent,
	copyToClipboard,
	getAgentDir,
	keyHint,
	loadProjectContextFiles,
	UserMessageComponent,
	VERSION,
} from "@mariozechner/pi-coding-agent";
export type { Component, Focusable, Keybinding, KeyId, TUI } from "@mariozechner/pi-tui";
export { Container, fuzzyMatch, Input, matchesKey, Text, TUI_KEYBINDINGS } from "@mariozechner/pi-tui";

/** Loads the library that calls models on hosts before 0.86. Loading takes time, so it happens only at the first call. */
export const modelLibrary = () => import("@mariozechner/pi-ai");
