export {
	type AnswerOutcome,
	agentAbove,
	explainAnswer,
	type InboxOutcome,
	type LiveAnswer,
	MAX_ANSWER,
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
export { type Overlap, overlapsOf } from "./overlaps.ts";
