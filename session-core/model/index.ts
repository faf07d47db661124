export {
	type AnswerMessage,
	type AskPorts,
	askModel,
	createRequestSlot,
	type NoAnswer,
	type NoAnswerReason,
	wantedLanguage,
} from "./ask.ts";
export { isSupported, type SessionFacts } from "./check-claims.ts";
export { chooseModels, parseSpec } from "./choose-model.ts";
export { describeFailure } from "./failure.ts";
export type { Trigger } from "./ledger.ts";
export { sideCall } from "./side-call.ts";
