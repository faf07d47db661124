import { randomUUID } from "node:crypto";
import type { Api, Model } from "@mariozechner/pi-ai";
import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { isFirst } from "../../text/files/index.ts";
import type { LogFields } from "../../text/index.ts";
import { cheaperModel, formatSpec, type ModelCatalog } from "./choose-model.ts";
import type { Refusal } from "./failure.ts";
import {
	type Feature,
	type LedgerCall,
	ledgerFigure,
	ledgerName,
	openLedger,
	type Trigger,
	utcDay,
} from "./ledger.ts";
import { priceText, RECAP_TOKENS, TITLE_TOKENS } from "./price.ts";
import type { SideCallResult } from "./side-call.ts";

export interface PlannedCall {
	/** Identifies the request that the call belongs to; a request may try several models. */
	question: string;
	/** The state of the conversation: the id of its last message, or undefined if there is no message yet. */
	state: string | undefined;
	by: Trigger;
	model: Model<Api>;
	characters: number;
	/** Maximum length of the answer in tokens. */
	maxTokens: number;
}

/** Permission to make a call, whose result must be passed to `settle`, or the reason why it must not be made. */
type Reservation = { ok: true; settle(result: SideCallResult): void } | { ok: false; reason: Refusal };

export interface Spending {
	calls: number;
	/** The cost, including the maximum cost of calls whose result is missing: they are in progress, or their process died. */
	cost: number;
	/** The number of calls whose figures were estimated because the provider reported none. */
	estimated: number;
	/** The number of calls to models without a price, which `cost` does not include. */
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
	/** The catalog from which a cheaper model is suggested with the first call. */
	catalog: ModelCatalog;
	ui: Pick<ExtensionUIContext, "notify">;
	sayOnce(key: string, say: () => void): void;
}

/**
 * Limits what the suite may spend. Each state of the conversation gets only one automatic request, even across restarts, tabs, forks and
 * clones. Automatic calls stop when all processes together have reached the daily limit, or if they cannot be counted. Calls made by typed
 * commands count toward the limit but are never blocked.
 */
export function createBudget(options: BudgetOptions) {
	const { agentDir, session, feature, limit, now, log, ui, catalog, sayOnce } = options;
	const ledger = openLedger(agentDir, now);
	const { calls } = ledger;

	/** Shows one warning for all automatic calls, and one warning for each typed command. */
	const warn = (problem: string, { question, by }: PlannedCall) => {
		if (by === "auto") sayOnce("uncounted", () => ui.notify(uncountedText(problem), "warning"));
		else sayOnce(question, () => ui.notify(`This call is not counted: ${problem}`, "warning"));
	};

	/** If two calls are made at the same time, the call whose line comes second in the ledger is refused, so no lock is needed. */
	function refusal(call: LedgerCall): Refusal | undefined {
		const all = calls();
		const place = all.findIndex(({ id }) => id === call.id);
		if (place < 0) return "uncounted";
		const before = all.slice(0, place);
		if (isRequested(before, call)) return "asked";
		const { cost } = sumOf(before, now());
		return cost < limit() && cost + call.cost <= limit() ? undefined : "daily_limit";
	}

	return {
		/** Reserves the maximum cost of a call before the call is made. */
		reserve(planned: PlannedCall): Reservation {
			const { call, inputCost } = reservationOf(planned, { session, feature, now: now() });
			const { by, model } = call;
			ledger.append(call);
			const problem = ledger.problem();
			if (problem !== undefined) warn(problem, planned);
			const reason = by === "auto" ? refusal(call) : undefined;
			if (reason) {
				ledger.append({ ...call, outcome: "withdrawn", input: 0, cost: 0 });
				log("call.refused", { feature, model, stamp: call.state, reason });
				return { ok: false, reason };
			}
			const startedAt = now();
			return {
				ok: true,
				settle(result) {
					const over = settled(call, result, inputCost);
					ledger.append(over);
					const status = result.ok ? undefined : result.status;
					log("call.done", { feature, by, model, outcome: over.outcome, status, ms: now() - startedAt });
					if (by === "auto" && result.ok && isFirst("call", agentDir))
						ui.notify(firstCallText(feature, planned.model, catalog), "info");
				},
			};
		},
		wasRequested: (state: string) => isRequested(calls(), { feature, state: ledgerName(state) }),
		/** Returns the number of automatic requests in this session, without the requests that the user's next prompt aborted. */
		attempts() {
			const own = calls().filter(
				(call) =>
					call.session === ledgerName(session) &&
					call.feature === feature &&
					call.by === "auto" &&
					call.outcome !== "aborted",
			);
			return new Set(own.map(({ question }) => question)).size;
		},
		/** Whether today's limit is reached. A limit of 0 permits no automatic call. */
		isUsedUp: () => sumOf(calls(), now()).cost >= limit(),
		/** Returns a one-line explanation of why calls cannot be counted, with the file and the remedy; undefined if they can be counted. */
		problem: ledger.problem,
		spentToday: (by: "all" | "session") =>
			sumOf(
				calls().filter((call) => by === "all" || call.session === ledgerName(session)),
				now(),
			),
		path: ledger.path,
	};
}

/** A state is identified by a message's id, because forks and clones keep the ids of copied entries. */
function isRequested(
	calls: readonly LedgerCall[],
	{ feature, state, question }: Pick<LedgerCall, "feature" | "state"> & { question?: string },
): boolean {
	return calls.some((call) => call.feature === feature && call.state === state && call.question !== question);
}

function sumOf(calls: readonly LedgerCall[], now: number): Spending {
	const sum: Spending = { calls: 0, cost: 0, estimated: 0, unpriced: 0 };
	const today = utcDay(now / 1000);
	for (const { at, cost, outcome, estimated, unpriced } of calls) {
		if (utcDay(at) !== today) continue;
		sum.calls += 1;
		sum.cost += cost;
		if (outcome === "reserved" || estimated) sum.estimated += 1;
		if (unpriced) sum.unpriced += 1;
	}
	return sum;
}

/** The usual number of characters per token in plain text. This figure is used only for estimates. */
const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_PRICE = 1_000_000;

/** Returns the ledger line that reserves the cost of a call's input and longest possible answer, and the cost of the input alone. */
function reservationOf(
	{ question, state, by, model, characters, maxTokens }: PlannedCall,
	{ session, feature, now }: { session: string; feature: Feature; now: number },
): { call: LedgerCall; inputCost: number } {
	const price = model.cost;
	const input = Math.ceil(characters / CHARACTERS_PER_TOKEN);
	const inputCost = ledgerFigure((input * price.input) / TOKENS_PER_PRICE);
	const call: LedgerCall = {
		at: Math.floor(now / 1000),
		id: randomUUID(),
		session: ledgerName(session),
		feature,
		state: ledgerName(state ?? session),
		by,
		question,
		model: ledgerName(formatSpec(model)),
		input,
		output: 0,
		cost: inputCost + ledgerFigure((maxTokens * price.output) / TOKENS_PER_PRICE),
		outcome: "reserved",
		...(price.input === 0 && price.output === 0 && { unpriced: true }),
	};
	return { call, inputCost };
}

/** If a call may be billed but the provider reported no usable figures, the cost of its input is estimated. */
function settled(call: LedgerCall, result: SideCallResult, inputCost: number): LedgerCall {
	const input = ledgerFigure(result.usage.input);
	const output = ledgerFigure(result.usage.output);
	const cost = ledgerFigure(result.usage.cost);
	const outcome = result.ok ? "ok" : result.reason;
	const isBilled = outcome === "ok" || outcome === "timeout" || outcome === "aborted";
	const figures = Object.values(result.usage);
	const isReported = figures.every(Number.isFinite) && figures.some((figure) => figure > 0);
	return isReported || !isBilled
		? { ...call, outcome, input, output, cost }
		: { ...call, outcome, cost: inputCost, estimated: true };
}

function firstCallText(feature: Feature, model: Model<Api>, catalog: ModelCatalog): string {
	const price = priceText(model, feature === "title" ? TITLE_TOKENS : RECAP_TOKENS);
	const cheaper = cheaperModel(model, catalog) ? "for a cheaper one" : "to choose another";
	const uses = `${feature}s use ${model.id}, ${price === undefined ? "price unknown" : `${price} each`}`;
	const off = `/recap off turns automatic recaps off, and "title": { "enabled": false } in session-suite.json turns automatic titles off`;
	return `First automatic model call of pi-session-suite: ${uses} · /recap model ${cheaper} · ${off}`;
}

export function uncountedText(problem: string): string {
	return `No automatic model calls, because calls cannot be counted: ${problem} Typed commands still call a model.`;
}
