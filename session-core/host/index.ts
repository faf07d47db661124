export { hostBrand } from "./brand.ts";
export { copyAnswer } from "./clipboard.ts";
export { type EndReason, ownDialog, type RunOutcome, type StartReason } from "./host-events.ts";
export {
	type Notification,
	notificationBytes,
	notificationIn,
	throughTmux,
	wayByName,
} from "./notification.ts";
export {
	AssistantMessageComponent,
	type Component,
	Container,
	type ExtensionAPI,
	type ExtensionCommandContext,
	type ExtensionContext,
	type ExtensionUIContext,
	type Focusable,
	fuzzyMatch,
	getAgentDir,
	Input,
	type Keybinding,
	type KeybindingsManager,
	type KeyId,
	matchesKey,
	Text,
	type Theme,
	type Tool,
	type TUI,
	TUI_KEYBINDINGS,
	UserMessageComponent,
	VERSION,
} from "./pi.ts";
export { preload } from "./preload.ts";
export { type HeldPrompt, holdPrompt, promptIsReady } from "./prompt.ts";
export { keyHelp, readShortcuts, type ShortcutKeys } from "./register.ts";
export { type Choice, createScreen, hostColumns, pickFrom, type Screen } from "./screen.ts";
export { lazily } from "./start-work.ts";
export { hostTui, isInTerminal, submitCommand } from "./tui.ts";
