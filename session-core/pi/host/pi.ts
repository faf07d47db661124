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
 * pi versions earlier than 0.86 call models through the pi-ai library, which is imported on first use
 * because it loads slowly.
 */
export const modelLibrary = () => import("@mariozechner/pi-ai");
