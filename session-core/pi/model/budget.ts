import { randomUUID } from "node:crypto";
import type { Api, Model } from "@mariozechner/pi-ai";
import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { cleanLine, isFirst, type LogFields } from "../../text/index.ts";
import {
	cheaperModel,
	formatSpec,
	type ModelCatalog,
	priceText,
	RECAP_TOKENS,
	TITLE_TOKENS,
} from "./choose-model.ts";
import type { Refusal } from "./failure.ts";
import { type Feature, type LedgerCall, openLedger, type Trigger, utcDay } from "./ledger.ts";
import type { SideCallResult } from "./side-call.ts";

export interface PlannedCall {
	question: string;
	state: string | undefined;
	by: Trigger;
	model: Model<Api>;
	characters: number;
	maxTokens: number;
}

type Reservation = { ok: true; settle(result: SideCallResult): void } | { ok: false; reason: Refusal };

export interface Spending {
	calls: number;
	/** The total cost. A call without a result counts with its maximum cost, because it is still in progress or its process has died. */
	cost: number;
	estimated: number;
	/** The number of calls to models without a known price. These calls are not included in `cost`. */
	unpriced: number;
}

export type Budget = ReturnType<typeof createBudget>;

export interface BudgetOptions {
	agentDir: string;
	session: string;
	feature: Feature;
	limit(): number;
	now(): number;
	log(event: string, fields: LogFields): void;
	catalog: ModelCatalog;
	ui: Pick<ExtensionUIContext, "notify">;
	sayOnce(key: string, say: () => void): void;
}

/**
 * Each state of a session gets only one automatic request, even across restarts, tabs and forks. Automatic calls stop when all processes
 * together have reached the daily limit, or when calls cannot be counted. Calls that the user requests with a command count toward the
 * limit but are never blocked.
 */
export function createBudget(options: BudgetOptions) {
	const { agentDir, feature, limit, now, log, ui, sayOnce } = options;
	const session = safeName(options.session);
	const { calls, append, problem, path } = openLedger(agentDir, now);

	/** If two processes start a call at the same time, the call on the later line of the ledger is refused, so no lock is needed. */
	function refusal(call: LedgerCall): Refusal | undefined {
		const all = calls();
		const place = all.findIndex(({ id }) => id === call.id);
		if (place < 0) return "uncounted";
		const before = all.slice(0, place);
		if (isRequested(before, call)) return "asked";
		const { cost } = sumOf(before, now());
		return cost < limit() && cost + call.cost <= limit() ? undefined : "daily_limit";
	}

	/** Reserves the maximum cost of a call. This function must be called before the model is called. */
	function reserve({ question, state, by, model, characters, maxTokens }: PlannedCall): Reservation {
		const { input: inputPrice, output: outputPrice } = model.cost;
		const input = Math.ceil(characters / CHARACTERS_PER_TOKEN);
		const inputCost = figureOf((input * inputPrice) / TOKENS_PER_PRICE);
		const call: LedgerCall = {
			at: Math.floor(now() / 1000),
			id: randomUUID(),
			session,
			feature,
			state: safeName(state ?? options.session),
			by,
			question,
			model: safeName(formatSpec(model)),
			input,
			output: 0,
			cost: inputCost + figureOf((maxTokens * outputPrice) / TOKENS_PER_PRICE),
			outcome: "reserved",
			...(inputPrice === 0 && outputPrice === 0 && { unpriced: true }),
		};
		append(call);
		const fault = problem();
		// The user sees only one warning for all automatic calls, but a separate warning for each typed command.
		if (fault !== undefined && by === "auto")
			sayOnce("uncounted", () => ui.notify(uncountedText(fault), "warning"));
		else if (fault !== undefined)
			sayOnce(question, () => ui.notify(`This model call is not counted: ${fault}`, "warning"));
		const reason = by === "auto" ? refusal(call) : undefined;
		if (reason) {
			append({ ...call, outcome: "withdrawn", input: 0, cost: 0 });
			log("call.refused", { feature, model: call.model, stamp: call.state, reason });
			return { ok: false, reason };
		}
		const startedAt = now();
		const settle = (result: SideCallResult) => {
			const over = settled(call, result, inputCost);
			append(over);
			const status = result.ok ? undefined : result.status;
			log("call.done", {
				feature,
				by,
				model: call.model,
				outcome: over.outcome,
				status,
				ms: now() - startedAt,
			});
			if (by === "auto" && result.ok && isFirst("call", agentDir))
				ui.notify(firstCallText(feature, model, options.catalog), "info");
		};
		return { ok: true, settle };
	}

	const ofSession = () => calls().filter((call) => call.session === session);
	return {
		reserve,
		wasRequested: (state: string) => isRequested(calls(), { feature, state: safeName(state) }),
		attempts() {
			const counted = ofSession().filter(
				(call) => call.feature === feature && call.by === "auto" && call.outcome !== "aborted",
			);
			return new Set(counted.map(({ question }) => question)).size;
		},
		isUsedUp: () => sumOf(calls(), now()).cost >= limit(),
		spentToday: (by: "all" | "session") => sumOf(by === "all" ? calls() : ofSession(), now()),
		problem,
		path,
	};
}

/** Forks and clones keep message ids, so an id identifies the same state of the session in all of them. */
function isRequested(
	calls: readonly LedgerCall[],
	{ feature, state, question }: Pick<LedgerCall, "feature" | "state"> & { question?: string },
): boolean {
	return calls.some((call) => call.feature === feature && call.state === state && call.question !== question);
}

function sumOf(calls: readonly LedgerCall[], now: number): Spending {
	const day = utcDay(now / 1000);
	const today = calls.filter(({ at }) => utcDay(at) === day);
	return {
		calls: today.length,
		cost: today.reduce((sum, { cost }) => sum + cost, 0),
		estimated: today.filter(({ outcome, estimated }) => outcome === "reserved" || estimated).length,
		unpriced: today.filter(({ unpriced }) => unpriced).length,
	};
}

/** A rough average for plain text, which is used only for cost estimates. */
const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_PRICE = 1_000_000;

/**
 * The maximum length of session ids and model names in the ledger. With this limit, each line is far shorter than 4,096 bytes. POSIX
 * systems append such short lines atomically.
 */
const MAX_NAME = 200;

function safeName(text: string): string {
	return cleanLine(text).slice(0, MAX_NAME);
}

function figureOf(value: number): number {
	return Number.isFinite(value) && value > 0 ? value : 0;
}

/** If the provider may bill the call but reported no usage, the cost of the input is used as an estimate. */
function settled(call: LedgerCall, result: SideCallResult, inputCost: number): LedgerCall {
	const outcome = result.ok ? "ok" : result.reason;
	const isBilled = outcome === "ok" || outcome === "timeout" || outcome === "aborted";
	const figures = Object.values(result.usage);
	const isReported = figures.every(Number.isFinite) && figures.some((figure) => figure > 0);
	if (isBilled && !isReported) return { ...call, outcome, cost: inputCost, estimated: true };
	const { input, output, cost } = result.usage;
	return { ...call, outcome, input: figureOf(input), output: figureOf(output), cost: figureOf(cost) };
}

function firstCallText(feature: Feature, model: Model<Api>, catalog: ModelCatalog): string {
	const price = priceText(model, feature === "title" ? TITLE_TOKENS : RECAP_TOKENS);
	const cheaper = cheaperModel(model, catalog) ? "to choose a cheaper model" : "to choose another model";
	const uses = `${feature}s use ${model.id}, ${price === undefined ? "whose price is unknown" : `${price} each`}`;
	const off = `/recap off turns automatic recaps off, and "title": { "enabled": false } in session-suite.json turns automatic titles off`;
	return `pi-session-suite made its first automatic model call: ${uses} · type /recap model ${cheaper} · ${off}`;
}

export function uncountedText(problem: string): string {
	return `Automatic model calls are off, because calls cannot be counted: ${problem} Commands that you type still call a model.`;
}
