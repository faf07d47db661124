import type { LogFields } from "../debug-log.ts";
import type { Booked, CallPlan } from "../model/ask.ts";
import type { SideCallResult } from "../model/side-call.ts";
import { type Asked, createAsked, type Trigger } from "./asked.ts";
import type { Feature } from "./entry.ts";
import { estimateCall } from "./estimate.ts";
import { describeProblem, type JournalProblem } from "./journal.ts";
import { type CallResult, createLedger, type Ledger } from "./ledger.ts";

export type { Trigger } from "./asked.ts";

/** Why a state is not asked about unasked. `asked`: it has had its call, here or in another process. */
export type AskRefusal = "asked" | "daily_limit" | "uncounted";

/** Leave to ask about one state. */
export interface Ticket {
	/** Book one call of it; see `AskPorts`. */
	book(plan: CallPlan): Booked;
	/** What came of it, also where nothing was asked. */
	close(outcome: string): void;
}

export type Begun = { ok: true; ticket: Ticket } | { ok: false; reason: AskRefusal };

export interface BooksOptions {
	agentDir: string;
	session: string;
	feature: Feature;
	/** What automatic calls of all processes may cost in a day. */
	limit: number;
	/** Milliseconds since the epoch. */
	now(): number;
	log(event: string, fields: LogFields): void;
	/** Calls cannot be counted: one line with the file and the remedy. `by`: who wanted the call that found it out. */
	uncounted(problem: string, by: Trigger): void;
}

/** What an extension has asked and spent in a session: one call a state, every call counted, none that cannot be. */
export interface Books {
	/** Begin to ask about a state. What the user typed is never refused. */
	begin(question: { stamp: string; by: Trigger }): Begun;
	/** Whether this state has had its call. */
	wasAsked(stamp: string): boolean;
	/** Calls of this session that nobody typed. */
	attempts(): number;
	/** Whether today's limit is used up. */
	isOverLimit(): boolean;
	/** What keeps calls from being counted: one line with the file and the remedy. */
	problem(): string | undefined;
	readonly ledger: Ledger;
}

export function createBooks(options: BooksOptions): Books {
	const { agentDir, session, feature, limit, now, log } = options;
	const ledger = createLedger({ agentDir, now });
	const asked: Asked = createAsked({ agentDir, session, now });

	/** Says what is wrong, once for each question. */
	const teller = (by: Trigger) => {
		let isTold = false;
		return (problem: JournalProblem | undefined) => {
			if (!problem || isTold) return;
			isTold = true;
			options.uncounted(describeProblem(problem), by);
		};
	};

	function book(
		plan: CallPlan,
		by: Trigger,
		tell: ReturnType<typeof teller>,
		done: (result: SideCallResult) => void,
	): Booked {
		const estimate = estimateCall(plan.model, plan);
		const call = { session, feature, model: plan.name, deadlineMs: plan.deadlineMs, ...estimate };
		const reserved = ledger.reserve(call, by === "auto" ? limit : undefined);
		if (!reserved.ok) {
			log("call.refused", { feature, model: plan.name, reason: reserved.reason });
			tell(reserved.reason === "uncounted" ? reserved.problem : undefined);
			return { ok: false, reason: reserved.reason };
		}
		const { booking } = reserved;
		tell(booking.problem);
		const startedAt = now();
		return {
			ok: true,
			settle(result) {
				const called = resultOf(result);
				booking.settle(called);
				const status = result.ok ? undefined : result.status;
				const ms = now() - startedAt;
				log("call.done", { feature, by, model: plan.name, outcome: called.outcome, status, ms });
				done(result);
			},
		};
	}

	return {
		ledger,
		begin({ stamp, by }) {
			const tell = teller(by);
			const claimed = asked.claim({ feature, stamp, by });
			if (!claimed.ok) {
				log("ask.refused", { feature, stamp, reason: claimed.reason });
				if (claimed.reason === "uncounted") tell(claimed.problem);
				return { ok: false, reason: claimed.reason };
			}
			const { claim } = claimed;
			tell(claim.problem);
			let isSent = false;
			const note = (result: SideCallResult) => {
				isSent ||= result.ok || result.stage !== "unsent";
			};
			return {
				ok: true,
				ticket: {
					book: (plan) => book(plan, by, tell, note),
					close: (outcome) => (isSent ? claim.settle(outcome) : claim.withdraw()),
				},
			};
		},
		wasAsked: (stamp) => asked.has({ feature, stamp }),
		attempts: () => asked.attempts(feature),
		isOverLimit: () => ledger.overLimit(limit),
		problem() {
			const found = ledger.problem() ?? asked.problem();
			return found && describeProblem(found);
		},
	};
}

/** What the ledger is told of a call. One that timed out or was broken off has cost its input, whoever counted it. */
function resultOf(result: SideCallResult): CallResult {
	if (result.ok) return { outcome: "ok", ...result.usage, isBilled: true };
	const { reason, stage, usage } = result;
	if (stage === "unsent") return { outcome: "withdrawn", ...usage, isBilled: false };
	const isBilled = stage === "answering" || reason === "timeout" || reason === "aborted";
	return { outcome: reason, ...usage, isBilled };
}
