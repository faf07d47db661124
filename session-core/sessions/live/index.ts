export {
	type AnswerRefusal,
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
	goTo,
	type LiveTarget,
	outerTerminal,
	terminalName,
} from "./go-to-terminal.ts";
export {
	type ChangedFile,
	forgetLost,
	isChangedFile,
	type Lease,
	LeaseHolder,
	type LeaseOf,
	leaseFinder,
	liveLeases,
	lostSessions,
	offerRestore,
} from "./lease-files.ts";
export { HEARTBEAT_MS, type LeaseState, liveFolder } from "./liveness.mjs";
export { openLeases } from "./open-leases.ts";
