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
export { Container, Input, matchesKey, Text, TUI_KEYBINDINGS } from "@mariozechner/pi-tui";

/**
 * The pi-ai library calls models in versions of pi before 0.86. The library is slow to load, so it is
 * imported only for the first call.
 */
export const modelLibrary = () => import("@mariozechner/pi-ai");
