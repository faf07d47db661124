export { type AskPorts, askModel, createRequestSlot, wantedLanguage } from "./ask.ts";
export { Budget, type Spending, uncountedText } from "./budget.ts";
export {
	byPrice,
	type Candidate,
	cheaperModel,
	chooseModels,
	describeUnusable,
	formatSpec,
	type ModelChoice,
	mayTitle,
	type NamedModel,
	parseSpec,
	priceOf,
	priceText,
	RECAP_TOKENS,
	regionOf,
} from "./choose-model.ts";
export { effortOf, MAX_TOKENS_WITH_REASONING } from "./effort.ts";
export {
	describeFailure,
	describeTried,
	type FailedModel,
	type NoAnswer,
	type NoAnswerReason,
} from "./failure.ts";
export type { Feature, Trigger } from "./ledger.ts";
export { type SideCallRequest, sideCall } from "./side-call.ts";
