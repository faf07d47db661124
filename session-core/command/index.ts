export type { DoctorSection } from "./doctor.ts";
export { keyHelp, readShortcuts } from "./key-bindings.ts";
export {
	type CommandOption,
	type Completion,
	completeOptions,
	findOption,
	helpText,
	readArguments,
	unknownText,
} from "./options.ts";
export type { ShortcutKeys } from "./shortcuts.ts";
