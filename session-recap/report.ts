import type { DoctorSection } from "../session-core/command/doctor.ts";
import { describeUnusable, formatSpec, type ModelChoice } from "../session-core/model/choose-model.ts";
import { describeFailure } from "../session-core/model/failure.ts";
import { type Spending, uncountedText } from "../session-core/model/reserve-cost.ts";
import type { OffReason } from "../session-core/settings/flags.ts";
import { clipColumns } from "../session-core/text/clip.ts";
import { cleanLine } from "../session-core/text/sanitize.ts";
import type { DraftFailure, FailedDraft } from "./ask.ts";
import type { RecapConfig } from "./config.ts";
import type { Draft } from "./draft.ts";
import type { Presence, ReturnOutcome } from "./presence.ts";

/** Replies to typed commands: what happened, and what the user can do. */

/** The most frequent answers. */
export const ANSWERS = {
	working: "recap: the agent is still working; try again when it is done.",
	tooLittle: "recap: nothing to recap yet.",
	drafting: "recap: asking the model …",
	nothingShown: "recap: nothing to clear.",
	canceled: "recap: the request was canceled. Type /recap to try again.",
};

/**
 * Returns why a typed `/recap` produced no new result. `hasAnswer`: whether a model's recap is already shown; if so, that recap remains
 * unchanged.
 */
export function explainRecapFailure(failure: FailedDraft, { hasAnswer }: { hasAnswer: boolean }): string {
	const { reason, model } = failure;
	const stays = hasAnswer ? "the recap is unchanged" : "the recap was generated without a model";
	switch (reason) {
		case "no_model":
			return `recap: no model is available, so ${stays}. Choose one with /model or --recap-model.`;
		case "daily_limit":
			return `recap: today's limit for automatic calls has been reached; ${stays}. /recap --force calls the model anyway.`;
		case "asked":
			return `recap: the model was already called for this state; ${stays}. /recap --force calls it again.`;
		case "unusable":
			return `recap: the answer of ${model} could not be used; ${stays}. /recap --force calls the model again.`;
		default:
			return `recap: ${describeFailure({ ...failure, reason }, model || "The model")} ${hasAnswer ? "The recap" : "The recap without a model"} is unchanged.`;
	}
}

/** Whether the budget refused the call. Only automatic calls are refused, never typed commands. */
export function isRefusal(reason: DraftFailure): boolean {
	return reason === "asked" || reason === "daily_limit" || reason === "uncounted";
}

/** Returns why automatic recaps are off, and how to turn them on. */
export function explainOff(reason: OffReason): string {
	switch (reason) {
		case "flag":
			return "off for this run (--recap-disable)";
		case "environment":
			return "off (PI_DISABLE_AUTO_RECAP=1)";
		case "setting":
			return "off; type /recap on to turn them on";
		case "project":
			return "off in this project (.pi/session-suite.json)";
		case "unreadable":
			return "off until all settings files can be read; type /recap doctor to see which one cannot";
	}
}

/** The calls and costs in the ledger. */
export interface SpendingFacts {
	session: Spending;
	today: Spending;
	/** The ledger's file of today. */
	ledger: string;
	/** Why model calls cannot be counted, and what the user can do about it. */
	problem: string | undefined;
}

interface StatusFacts extends SpendingFacts {
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
function modelLine(choice: ModelChoice): string {
	const [first, ...others] = choice.candidates.map(({ model, source }) => `${formatSpec(model)} (${source})`);
	if (first === undefined)
		return "none, so recaps are generated without a model. Choose a model with /model or --recap-model.";
	return others.length === 0 ? first : `${first}; or, without credentials for it: ${others.join(", ")}`;
}

/** What an automatic recap needs; see `worthOf`. */
const NEEDS = "a tool call, 30 words of reply, an abort or an error since your last prompt";

const OUTCOMES: Readonly<Record<ReturnOutcome, string>> = {
	shown: "a recap was shown",
	off: "no recap, automatic recaps are off",
	working: "no recap, the agent was working",
	too_little: "no recap, the reply was short",
	seen: "no recap, nothing changed since the last one",
	brief: "no recap, you were away only briefly",
};

/** Returns what came of the user's last return. */
function returnLine(last: Presence["lastReturn"]): string {
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

/** Describes the calls whose cost in today's total is estimated or unknown. */
function unknownParts({ estimated, unpriced }: Spending): string[] {
	const parts: [number, string][] = [
		[estimated, "estimated, because the provider has reported no figures"],
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

/** Whether tmux forwards focus reports. Undefined outside tmux, or if this is unknown. */
export type TmuxFocus = "on" | "off" | undefined;

export interface DoctorFacts {
	config: RecapConfig;
	choice: ModelChoice;
	terminal: { isTerminal: boolean; isTooSlow: boolean; focusSeen: boolean };
	/** `TERM_PROGRAM` or `TERM`. */
	terminalName: string | undefined;
	insideTmux: boolean;
	tmuxFocus: TmuxFocus;
	settingsFile: string;
	/** The path of the ledger, or the reason why calls cannot be counted. */
	counted: string;
	/** See `sharedCommands`. */
	sharedCommands: readonly string[];
	/** The number of characters that would be sent to the model if a recap were requested now. */
	promptLength: number;
	lastReturn: Presence["lastReturn"];
}

/** Returns the answer to `/recap doctor`: diagnostic facts, and what the user should change. */
export function recapSection(facts: DoctorFacts): DoctorSection {
	const { config, choice } = facts;
	return {
		title: "recap doctor",
		rows: [
			["automatic", config.off ? explainOff(config.off) : "on"],
			["terminal", terminalLine(facts)],
			["needs", NEEDS],
			["return", returnLine(facts.lastReturn)],
			["model", modelLine(choice)],
			...choice.unusable.map((unusable) => ["", describeUnusable(unusable)] as const),
			[
				"sends",
				`about ${Math.ceil(facts.promptLength / 4)} tokens (${facts.promptLength} characters), secrets removed; /recap doctor --prompt shows them`,
			],
			...facts.sharedCommands.map((line) => ["commands", line] as const),
			["counted", facts.counted],
			["settings", facts.settingsFile],
		],
	};
}

function terminalLine(facts: DoctorFacts): string {
	const name = facts.terminalName ? clipColumns(cleanLine(facts.terminalName), 40) : "unnamed";
	if (!facts.terminal.isTerminal) return "none: a program runs pi, so only /recap shows a recap";
	if (!facts.config.limits.focus)
		return `${name}: focus reports are off; recaps appear only after the idle time`;
	if (facts.terminal.isTooSlow)
		return `${name}: focus reports arrive in pieces and would stop the agent, so they are off; set PI_TUI_ESC_TIMEOUT (milliseconds) if your pi supports it`;
	if (facts.terminal.focusSeen) return `${name}: reports focus`;
	if (facts.insideTmux) return tmuxLine(facts.tmuxFocus);
	return `${name}: no focus report yet. Switch to another window and back; until then, recaps appear only after the idle time`;
}

function tmuxLine(focus: TmuxFocus): string {
	if (focus === "on")
		return "tmux forwards focus reports, but none has arrived yet; until then, recaps appear only after the idle time";
	if (focus === "off")
		return 'tmux does not forward focus reports. Put "set -g focus-events on" into ~/.tmux.conf and reload it';
	return "tmux: unknown whether it forwards focus reports; see its option focus-events";
}
