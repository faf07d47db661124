export * from "./answers.ts";
export {
	canGo,
	type GoOutcome,
	goTo,
	type LiveTarget,
	outerTerminal,
	terminalName,
} from "./go-to-terminal.ts";
export * from "./lease-files.ts";
export { HEARTBEAT_MS, liveFolder } from "./liveness.mjs";
export { openLeases } from "./open-leases.ts";
export { leasesWith, type Overlap, overlapsOf, realPath } from "./overlaps.ts";
