import type { Api, Model } from "@mariozechner/pi-ai";
import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { cleanLine, isFirst, type LogFields } from "../../text/index.ts";
import { formatSpec, priceText, RECAP_TOKENS, TITLE_TOKENS } from "./choose-model.ts";
import type { CallRefusal } from "./failure.ts";
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

type Reservation = { ok: true; settle(result: SideCallResult): void } | { ok: false; reason: CallRefusal };

export interface Spending {
	calls: number;
	/**
	 * The total cost. For a call without a result, the maximum cost is assumed, because the call may be in
	 * progress or its process may have died.
	 */
	cost: number;
	estimated: number;
	/** The number of calls to models without a known price. `cost` does not include these calls. */
	unpriced: number;
}

export interface BudgetOptions {
	agentDir: string;
	session: string;
	feature: Feature;
	limit(): number;
	now(): number;
	log(event: string, fields: LogFields): void;
	ui: Pick<ExtensionUIContext, "notify">;
	sayOnce(key: string, say: () => void): void;
}

/**
 * Allows one automatic request for each feature and session state, even after a restart or in a fork.
 * All processes share a daily cost limit. Requests from the user count toward the limit but are never
 * blocked.
 */
export class Budget {
	readonly #options: BudgetOptions;
	readonly #session: string;
	readonly #ledger: ReturnType<typeof openLedger>;

	constructor(options: BudgetOptions) {
		this.#options = options;
		this.#session = safeName(options.session);
		this.#ledger = openLedger(options.agentDir, options.now);
	}

	reserve(planned: PlannedCall): Reservation {
		const { feature, log, now } = this.#options;
		const { call, inputCost } = this.#reservation(planned);
		this.#ledger.append(call);
		this.#warnIfUncounted(call);
		const reason = call.by === "auto" ? this.#refusal(call) : undefined;
		if (reason) {
			this.#ledger.append({ ...call, outcome: "withdrawn", input: 0, cost: 0 });
			log("call.refused", { feature, model: call.model, stamp: call.state, reason });
			return { ok: false, reason };
		}
		const startedAt = now();
		return {
			ok: true,
			settle: (result) => {
				this.#settle(call, result, { inputCost, startedAt });
				if (call.by === "auto" && result.ok) this.#announce(planned.model);
			},
		};
	}

	wasRequested(state: string): boolean {
		return isRequested(this.#ledger.calls(), { feature: this.#options.feature, state: safeName(state) });
	}

	attempts(): number {
		const { feature } = this.#options;
		const counted = this.#ofSession().filter(
			(call) => call.feature === feature && call.by === "auto" && call.outcome !== "aborted",
		);
		return new Set(counted.map(({ question }) => question)).size;
	}

	isUsedUp(): boolean {
		return this.spentToday("all").cost >= this.#options.limit();
	}

	spentToday(by: "all" | "session"): Spending {
		return sumOf(by === "all" ? this.#ledger.calls() : this.#ofSession(), this.#options.now());
	}

	problem(): string | undefined {
		return this.#ledger.problem();
	}

	path(): string {
		return this.#ledger.path();
	}

	#ofSession(): LedgerCall[] {
		return this.#ledger.calls().filter(({ session }) => session === this.#session);
	}

	#reservation({ question, state, by, model, characters, maxTokens }: PlannedCall) {
		const { session, feature, now } = this.#options;
		const { input: inputPrice, output: outputPrice } = model.cost;
		const input = Math.ceil(characters / CHARACTERS_PER_TOKEN);
		const inputCost = figureOf((input * inputPrice) / TOKENS_PER_PRICE);
		const call: LedgerCall = {
			at: Math.floor(now() / 1000),
			id: crypto.randomUUID(),
			session: this.#session,
			feature,
			state: safeName(state ?? session),
			by,
			question,
			model: safeName(formatSpec(model)),
			input,
			output: 0,
			cost: inputCost + figureOf((maxTokens * outputPrice) / TOKENS_PER_PRICE),
			outcome: "reserved",
			...(inputPrice === 0 && outputPrice === 0 && { unpriced: true }),
		};
		return { call, inputCost };
	}

	#warnIfUncounted({ by, question }: LedgerCall): void {
		const { ui, sayOnce } = this.#options;
		const fault = this.problem();
		if (fault === undefined) return;
		if (by === "auto") sayOnce("uncounted", () => ui.notify(uncountedText(fault), "warning"));
		else sayOnce(question, () => ui.notify(`This model call is not counted: ${fault}`, "warning"));
	}

	/**
	 * If two processes start a call at the same time, the call on the later line of the ledger is
	 * refused, so no lock is needed.
	 */
	#refusal(call: LedgerCall): CallRefusal | undefined {
		const limit = this.#options.limit();
		const all = this.#ledger.calls();
		const place = all.findIndex(({ id }) => id === call.id);
		if (place < 0) return "uncounted";
		const before = all.slice(0, place);
		if (isRequested(before, call)) return "asked";
		const { cost } = sumOf(before, this.#options.now());
		return cost < limit && cost + call.cost <= limit ? undefined : "daily_limit";
	}

	#settle(call: LedgerCall, result: SideCallResult, at: { inputCost: number; startedAt: number }): void {
		const { feature, log, now } = this.#options;
		const over = settled(call, result, at.inputCost);
		this.#ledger.append(over);
		const status = result.ok ? undefined : result.status;
		const { by, model, outcome } = over;
		log("call.done", { feature, by, model, outcome, status, ms: now() - at.startedAt });
	}

	#announce(model: Model<Api>): void {
		const { agentDir, feature, ui } = this.#options;
		if (isFirst("call", agentDir)) ui.notify(firstCallText(feature, model), "info");
	}
}

/** Forks and clones keep message ids, so an id identifies the same state in every copy of a session. */
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

/** The average number of characters per token of plain text, used only to estimate costs. */
const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_PRICE = 1_000_000;

/**
 * The maximum length of session ids and model names in the ledger. The limit keeps each line below 4,096
 * bytes, so that POSIX systems append the line atomically.
 */
const MAX_NAME = 200;

function safeName(text: string): string {
	return cleanLine(text).slice(0, MAX_NAME);
}

function figureOf(value: number): number {
	return Number.isFinite(value) && value > 0 ? value : 0;
}

/**
 * If the provider may bill a call but reported no usage, the cost of the input is used as an estimate.
 */
function settled(call: LedgerCall, result: SideCallResult, inputCost: number): LedgerCall {
	const outcome = result.ok ? "ok" : result.reason;
	const isBilled = outcome === "ok" || outcome === "timeout" || outcome === "aborted";
	const figures = Object.values(result.usage);
	const isReported = figures.every(Number.isFinite) && figures.some((figure) => figure > 0);
	if (isBilled && !isReported) return { ...call, outcome, cost: inputCost, estimated: true };
	const { input, output, cost } = result.usage;
	return { ...call, outcome, input: figureOf(input), output: figureOf(output), cost: figureOf(cost) };
}

function firstCallText(feature: Feature, model: Model<Api>): string {
	const price = priceText(model, feature === "title" ? TITLE_TOKENS : RECAP_TOKENS);
	const uses = `${feature}s use ${model.id}, ${price === undefined ? "whose price is unknown" : `${price} each`}`;
	const off = `/recap off turns automatic recaps off, and "title": { "enabled": false } in session-suite.json turns automatic titles off`;
	return `pi-session-suite made its first automatic model call: ${uses} · type /recap model to choose another model · ${off}`;
}

export function uncountedText(problem: string): string {
	return `Automatic model calls are off, because calls cannot be counted: ${problem} Commands that you type still call a model.`;
}
