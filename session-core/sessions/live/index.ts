export {
	explainAnswer,
	type InboxOutcome,
	type LiveAnswer,
	openInbox,
	sendAnswer,
	whyNotAnswered,
} from "./answers.ts";
export {
	canGo,
	type GoOutcome,
	outerTerminal,
	terminalName,
	type WayThere,
	wayTo,
} from "./go-to-terminal.ts";
export {
	type ChangedFile,
	type Lease,
	LeaseHolder,
	type LeaseState,
	leaseFinder,
	liveLeases,
	offerRestore,
} from "./lease-files.ts";
export { HEARTBEAT_MS, liveFolder } from "./liveness.mjs";
export { openLeases } from "./open-leases.ts";
export { leasesWith, type Overlap, overlapsOf, realPath } from "./overlaps.ts";
