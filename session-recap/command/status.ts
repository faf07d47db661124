import { describeUnusable, formatSpec, type ModelChoice } from "../../session-core/model/choose-model.ts";
import { describeFailure } from "../../session-core/model/failure.ts";
import { type Spending, uncountedText } from "../../session-core/model/reserve-cost.ts";
import type { RecapConfig } from "../config.ts";
import type { Draft } from "../draft/draft.ts";
import type { Presence, ReturnOutcome } from "../presence/types.ts";
import { explainOff } from "./answers.ts";

/** The calls and costs in the ledger. */
export interface SpendingFacts {
	session: Spending;
	today: Spending;
	/** The ledger's file of today. */
	ledger: string;
	/** Why model calls cannot be counted, and what the user can do about it. */
	problem: string | undefined;
}

export interface StatusFacts extends SpendingFacts {
	config: RecapConfig;
	choice: ModelChoice;
	draft: Draft | undefined;
	lastReturn: Presence["lastReturn"];
}

/** Returns the answer to `/recap status`. */
export function statusText(facts: StatusFacts): string {
	const { config } = facts;
	return [
		`recap: ${config.off ? explainOff(config.off) : "on"}`,
		`  model    ${modelLine(facts.choice)}`,
		...facts.choice.unusable.map((unusable) => `           ${describeUnusable(unusable)}`),
		`  last     ${lastLine(facts.draft)}`,
		`  return   ${returnLine(facts.lastReturn)}`,
		`  needs    ${NEEDS}`,
		`  session  ${spendingLine(facts.session)}`,
		`  today    ${spendingLine(facts.today)}, all extensions and tabs; automatic calls stop at ${money(config.dailyCostLimit)}`,
		...unknownParts(facts.today).map((part) => `           ${part}`),
		`  counted  ${countedLine(facts)}`,
		`  times    ${timesLine(config)}`,
	].join("\n");
}

/** Returns a line that names the model that would be called and says why it was chosen. */
export function modelLine(choice: ModelChoice): string {
	const [first, ...others] = choice.candidates.map(({ model, source }) => `${formatSpec(model)} (${source})`);
	if (first === undefined)
		return "none, so recaps are generated without a model. Choose a model with /model or --recap-model.";
	return others.length === 0 ? first : `${first}; or, without credentials for it: ${others.join(", ")}`;
}

/** What an automatic recap needs; see `worthOf`. */
export const NEEDS = "a tool call, 30 words of reply, an abort or an error since your last prompt";

const OUTCOMES: Readonly<Record<ReturnOutcome, string>> = {
	shown: "a recap was shown",
	off: "no recap, automatic recaps are off",
	working: "no recap, the agent was working",
	too_little: "no recap, the reply was short",
	seen: "no recap, nothing changed since the last one",
	brief: "no recap, you were away only briefly",
};

/** Returns what came of the user's last return. */
export function returnLine(last: Presence["lastReturn"]): string {
	if (!last) return "you have not been away yet";
	const at = new Date(last.at);
	const time = [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
	return `last return ${time}: ${OUTCOMES[last.outcome]}`;
}

function lastLine(draft: Draft | undefined): string {
	if (!draft) return "no recap of the current state yet";
	if (draft.answer) return `by ${draft.answer.model}`;
	if (draft.status === "drafting") return "request in progress";
	if (!draft.failure) return "without a model";
	const { reason, status } = draft.failure;
	if (reason === "asked")
		return "without a model (a model has already been called for this state; type /recap to call it again)";
	if (reason === "cut_off") return `without a model. ${describeFailure({ reason }, draft.failure.model)}`;
	return `without a model (${reason.replaceAll("_", " ")}${status === undefined ? "" : `, HTTP ${status}`})`;
}

/** Describes the calls whose cost in today's total is reserved, estimated or unknown. */
function unknownParts({ inFlight, reserved, estimated, unpriced }: Spending): string[] {
	const parts: [number, string][] = [
		[inFlight, `in progress; up to ${money(reserved)} is reserved`],
		[estimated, "estimated from the input, because the provider reported no figures"],
		[unpriced, "not included, because the price of the model is unknown"],
	];
	return parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
}

/** Returns the path of the ledger. If calls cannot be counted, returns why; in that case, automatic calls are off. */
export function countedLine({ ledger, problem }: Pick<SpendingFacts, "ledger" | "problem">): string {
	return problem === undefined ? `in ${ledger}` : uncountedText(problem);
}

function spendingLine({ calls, cost }: Spending): string {
	return `${calls} ${calls === 1 ? "call" : "calls"}, ${money(cost)}`;
}

/** A recap costs a fraction of a cent, so small amounts are shown with four decimal places. */
function money(amount: number): string {
	return amount === 0 || amount >= 0.1 ? amount.toFixed(2) : amount.toFixed(4);
}

function timesLine({ limits }: RecapConfig): string {
	const seconds = (ms: number) => `${ms / 1000} s`;
	const away = `away ${seconds(limits.awayMs)}, or ${seconds(limits.focusMinMs)} if the agent finished`;
	return limits.focus ? `${away}; idle ${seconds(limits.idleMs)}` : `idle ${seconds(limits.idleMs)}`;
}
