export {
	type AskPorts,
	askModel,
	createRequestSlot,
	type NoAnswer,
	type NoAnswerReason,
	wantedLanguage,
} from "./ask.ts";
export {
	byPrice,
	type Candidate,
	cheaperModel,
	chooseModels,
	describeUnusable,
	formatSpec,
	type ModelCatalog,
	type ModelChoice,
	mayTitle,
	type NamedModel,
	parseSpec,
	regionOf,
} from "./choose-model.ts";
export { effortOf, MAX_TOKENS_WITH_REASONING } from "./effort.ts";
export { describeFailure, describeTried, type FailedModel, type Failure } from "./failure.ts";
export type { Feature, Trigger } from "./ledger.ts";
export { priceOf, priceText, RECAP_TOKENS } from "./price.ts";
export {
	type Budget,
	type BudgetOptions,
	createBudget,
	type Spending,
	uncountedText,
} from "./reserve-cost.ts";
export { type SideCallRequest, sideCall } from "./side-call.ts";
