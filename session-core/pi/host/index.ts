export * from "./brand.ts";
export * from "./host-events.ts";
export * from "./notification.ts";
export * from "./options.ts";
export * from "./pi.ts";
export { type FlagValues, keyHelp, readShortcuts, type ShortcutKeys } from "./register.ts";
export * from "./screen.ts";
export { inProcess, lazily } from "./start-work.ts";
export * from "./tui.ts";
