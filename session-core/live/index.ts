export { canGo, type GoOutcome, outerTerminal, type WayThere, wayTo } from "./go-to-terminal.ts";
export { type Lease, type LeaseState, leaseFinder, liveLeases, offerRestore } from "./lease-files.ts";
export { HEARTBEAT_MS, liveFolder } from "./liveness.mjs";
