export * from "./ask-note.ts";
export * from "./commons.ts";
export * from "./doctor.ts";
export * from "./feature-settings.ts";
export * from "./host/index.ts";
export { type Continuation, type SessionEnd, Shared, sharedIn } from "./hub.ts";
export * from "./model/index.ts";
export * from "./session-records.ts";
