export * from "./ask-note.ts";
export * from "./commons.ts";
export * from "./host/index.ts";
export { type Continuation, type Shared, sharedIn } from "./hub.ts";
export * from "./load-settings.ts";
export * from "./model/index.ts";
export * from "./note-requests.ts";
export * from "./session-records.ts";
export type { Settings } from "./settings.ts";
