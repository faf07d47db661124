import type { LogFields } from "../session-core/debug-log.ts";
import type { RequestSlot } from "../session-core/model/ask.ts";
import type { Candidate } from "../session-core/model/choose-model.ts";
import type { Trigger } from "../session-core/model/ledger.ts";
import type { Budget } from "../session-core/model/reserve-cost.ts";
import {
	type NamePorts,
	type NameRefusal,
	nameSession,
	namingRefusal,
} from "../session-core/session-file/names.ts";
import { newestName, type TitleData } from "../session-core/session-file/names-in-file.ts";
import type { TitleOutcome, TitleRequest } from "./ask.ts";
import type { TitleReading } from "./reading.ts";

/** Maximum number of automatic requests in a session without a title. */
export const MAX_ATTEMPTS = 3;

export interface AutomaticDeps {
	ports: NamePorts;
	slot: RequestSlot<Trigger>;
	ask(question: TitleRequest): Promise<TitleOutcome>;
	read(): TitleReading;
	candidates(): readonly Candidate[];
	isInteractive(): boolean;
	isOff(): boolean;
	budget: Pick<Budget, "attempts" | "wasRequested" | "isUsedUp">;
	/** A title was written. */
	landed(title: string): void;
	log(event: string, fields: LogFields): void;
}

/** Names an unnamed session, once. Failures are only logged. */
export class AutomaticTitle {
	readonly #deps: AutomaticDeps;
	/** Whether another process has written a name to the file. */
	#isNamedElsewhere = false;

	constructor(deps: AutomaticDeps) {
		this.#deps = deps;
	}

	/** The agent has settled. */
	consider(): void {
		const { log } = this.#deps;
		let known: TitleReading | undefined;
		const reading = () => {
			known ??= this.#deps.read();
			return known;
		};
		const refused = this.#refused(reading);
		this.#isNamedElsewhere ||= refused === "named_meanwhile";
		if (refused) log("title.skipped", { reason: refused });
		else this.#ask(reading());
	}

	/** Returns why the session would not be named now; undefined if it will be named after the next run. */
	whyNot(): GuardReason | NameRefusal | undefined {
		const { read } = this.#deps;
		return this.#refused(read);
	}

	/** Returns the first reason against a title, cheapest first. A person who removes a name has made a choice, too. */
	#refused(reading: () => TitleReading): GuardReason | NameRefusal | undefined {
		const { ports, slot, budget, candidates, isInteractive, isOff } = this.#deps;
		if (this.#isNamedElsewhere || newestName(ports.records())) return "named";
		if (slot.current) return "in_flight";
		if (budget.attempts() >= MAX_ATTEMPTS) return "attempts";
		if (!isInteractive()) return "not_interactive";
		if (ports.file() === undefined) return "not_kept";
		if (isOff()) return "off";
		const { stamp, ownTitle, hasTopic } = reading();
		// The user's own prompt costs nothing.
		const isFree = ownTitle !== undefined;
		if (!isFree && candidates().length === 0) return "no_model";
		if (stamp === undefined || (!isFree && budget.wasRequested(stamp))) return "asked";
		if (!hasTopic) return "no_topic";
		if (!isFree && budget.isUsedUp()) return "daily_limit";
		return namingRefusal(ports);
	}

	#ask(reading: TitleReading): void {
		const { slot, ask, candidates, budget, log } = this.#deps;
		const stamp = reading.stamp === undefined ? {} : { last_message_id: reading.stamp };
		const land = (made: { title: string; model?: string }) =>
			this.#land({ ...made, source: "auto", ...stamp });
		if (reading.ownTitle !== undefined) {
			land({ title: reading.ownTitle });
			return;
		}
		log("title.requested", { trigger: "auto", attempt: budget.attempts() + 1, stamp: reading.stamp });
		void slot.start(
			"auto",
			(signal) => ask({ reading, style: "title", candidates: candidates(), signal, by: "auto" }),
			(answer: TitleOutcome) => {
				if (!answer.ok) {
					const { reason, flaw, model, status, detail } = answer;
					log("title.failed", { reason, flaw, model, http: status, detail });
					return;
				}
				land({ title: answer.title, model: answer.model });
			},
		);
	}

	#land(data: TitleData): void {
		const { ports, landed, log } = this.#deps;
		const outcome = nameSession(ports, { data, mayReplace: () => false });
		log("title.written", { ok: outcome.ok, reason: outcome.ok ? undefined : outcome.reason });
		if (outcome.ok) landed(data.title);
		else this.#isNamedElsewhere ||= outcome.reason === "named_meanwhile";
	}
}

/** Why no title is requested automatically. */
export type GuardReason =
	| "named"
	| "in_flight"
	| "attempts"
	| "not_interactive"
	| "not_kept"
	| "off"
	| "no_model"
	| "asked"
	| "no_topic"
	| "daily_limit";
