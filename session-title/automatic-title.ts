import type { LogFields } from "../session-core/debug-log.ts";
import type { Candidate } from "../session-core/model/choose-model.ts";
import type { RequestSlot } from "../session-core/model/request-slot.ts";
import type { Budget, Trigger } from "../session-core/model/reserve-cost.ts";
import type { NamePorts } from "../session-core/session-file/name-precedence.ts";
import {
	type NameRefusal,
	type NameRequest,
	nameSession,
	refusal,
} from "../session-core/session-file/name-precedence.ts";
import { newestName } from "../session-core/session-file/name-records.ts";
import type { Question, TitleOutcome } from "./ask.ts";
import type { Reading } from "./reading.ts";
import { type GuardReason, guard } from "./when-to-request.ts";

export interface AutomaticDeps {
	ports: NamePorts;
	slot: RequestSlot<Trigger, TitleOutcome>;
	ask(question: Question): Promise<TitleOutcome>;
	read(): Reading;
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
	/** A title that was received but could not be written so far. */
	#held: NameRequest | undefined;

	constructor(deps: AutomaticDeps) {
		this.#deps = deps;
	}

	/** The agent has settled. */
	consider(): void {
		const { log } = this.#deps;
		if (this.#held) {
			this.#land(this.#held);
			return;
		}
		let known: Reading | undefined;
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

	#refused(reading: () => Reading): GuardReason | NameRefusal | undefined {
		const { ports, slot, budget } = this.#deps;
		const reason = guard({
			isNamed: () => this.#isNamedElsewhere || newestName(ports.records()) !== undefined,
			isInFlight: () => slot.current !== undefined,
			attempts: budget.attempts,
			isInteractive: this.#deps.isInteractive,
			isKept: () => ports.file() !== undefined,
			isOff: this.#deps.isOff,
			// The user's own prompt costs nothing.
			hasModel: () => this.#deps.candidates().length > 0 || reading().ownTitle !== undefined,
			wasRequested: () => {
				const { stamp, ownTitle } = reading();
				return stamp === undefined || (ownTitle === undefined && budget.wasRequested(stamp));
			},
			hasTopic: () => reading().hasTopic,
			isOverLimit: () => reading().ownTitle === undefined && budget.isUsedUp(),
		});
		return reason ?? refusal(ports, { unless: "named", seen: null });
	}

	#ask(reading: Reading): void {
		const { slot, ask, candidates, budget, log } = this.#deps;
		const stamp = reading.stamp === undefined ? {} : { last_message_id: reading.stamp };
		const land = (made: { title: string; model?: string }) =>
			this.#land({ data: { ...made, source: "auto", ...stamp }, unless: "named", seen: null });
		if (reading.ownTitle !== undefined) {
			land({ title: reading.ownTitle });
			return;
		}
		log("title.requested", { trigger: "auto", attempt: budget.attempts() + 1, stamp: reading.stamp });
		void slot.start(
			"auto",
			(signal) => ask({ reading, style: "title", candidates: candidates(), signal, by: "auto" }),
			(answer) => {
				if (!answer.ok) {
					const { reason, flaw, model, status, detail } = answer;
					log("title.failed", { reason, flaw, model, http: status, detail });
					return;
				}
				land({ title: answer.title, model: answer.model });
			},
		);
	}

	#land(request: NameRequest): void {
		const { ports, landed, log } = this.#deps;
		const outcome = nameSession(ports, request);
		// If another process is continuing the session at this moment, the extension tries to write the title again after the next run.
		this.#held = !outcome.ok && outcome.reason === "moved_on" ? request : undefined;
		log("title.written", { ok: outcome.ok, reason: outcome.ok ? undefined : outcome.reason });
		if (outcome.ok) landed(request.data.title);
		else this.#isNamedElsewhere ||= outcome.reason === "named_meanwhile";
	}
}
