export * from "./answers.ts";
export * from "./go-to-terminal.ts";
export * from "./lease-files.ts";
export { HEARTBEAT_MS, type LeaseState, liveFolder } from "./liveness.mjs";
export * from "./open-leases.ts";
