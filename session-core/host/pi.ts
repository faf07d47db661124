/** What the extensions use of the host. No other folder imports the host, except for its types. */
import { visibleWidth } from "@mariozechner/pi-tui";
import { clippingBy } from "../text/clip.ts";

export type {
	ExtensionAPI,
	ExtensionCommandContext,
	ExtensionContext,
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
export { Container, fuzzyMatch, Input, matchesKey, Text } from "@mariozechner/pi-tui";

/** Measures widths with the host's own functions, because the host exits if a line is too wide according to these functions. */
export const hostColumns = clippingBy(visibleWidth);
