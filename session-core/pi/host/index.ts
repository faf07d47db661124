export { hostBrand } from "./brand.ts";
export { isReopened, ownDialog, type RunOutcome, type StartReason } from "./host-events.ts";
export {
	type Notification,
	notificationBytes,
	notificationIn,
	throughTmux,
	wayByName,
} from "./notification.ts";
export {
	type CommandForm,
	type Completion,
	commandForm,
	completeOptions,
	type HelpOrRefusal,
	helpText,
	readArguments,
	readChoice,
} from "./options.ts";
export {
	AssistantMessageComponent,
	type Component,
	Container,
	type ExtensionAPI,
	type ExtensionCommandContext,
	type ExtensionContext,
	type ExtensionUIContext,
	type Focusable,
	getAgentDir,
	Input,
	type Keybinding,
	type KeybindingsManager,
	type KeyId,
	keyHint,
	loadProjectContextFiles,
	matchesKey,
	modelLibrary,
	Text,
	type Theme,
	type TUI,
	TUI_KEYBINDINGS,
	UserMessageComponent,
	VERSION,
} from "./pi.ts";
export { type HeldPrompt, holdPrompt, promptIsReady } from "./prompt.ts";
export { type FlagValues, keyHelp, readShortcuts, type ShortcutKeys } from "./register.ts";
export {
	type Choice,
	copyToUser,
	createScreen,
	hostColumns,
	type Paint,
	type Painted,
	pickFrom,
	printMode,
	type Screen,
} from "./screen.ts";
export { inProcess, lazily } from "./start-work.ts";
export {
	hasStopped,
	hearFirst,
	hostInput,
	hostTui,
	isFullscreen,
	isInTerminal,
	submitCommand,
	watchOwnership,
} from "./tui.ts";
