import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { internalError } from "../../session-core/model/failure.ts";
import { createRequestSlot } from "../../session-core/model/request-slot.ts";
import type { Budget, Trigger } from "../../session-core/model/reserve-cost.ts";
import type { Settings } from "../../session-core/settings/defaults.ts";
import { type AskOutcome, askForRecord } from "./ask.ts";
import type { Prepared } from "./keeper.ts";

export type RecordRequest = ReturnType<typeof createRecordRequest>;

export interface RecordRequestDeps {
	/** Returns the current settings. */
	settings(): Settings;
	ctx: Pick<ExtensionContext, "model" | "modelRegistry" | "sessionManager">;
	budget: Budget;
}

/** Creates an object that asks a model for records. At most one request is in progress at a time. */
export function createRecordRequest(deps: RecordRequestDeps) {
	const { settings, ctx, budget } = deps;
	const slot = createRequestSlot<"record", AskOutcome>(internalError);

	async function ask(prepared: Prepared, by: Trigger, signal: AbortSignal): Promise<AskOutcome> {
		return askForRecord(prepared, by, { settings: settings(), ctx, budget, signal });
	}

	return {
		/** Starts a request and aborts any request in progress. `done` is called unless the new request is aborted in turn. */
		start(prepared: Prepared, by: Trigger, done: (outcome: AskOutcome) => void): void {
			slot.start("record", (signal) => ask(prepared, by, signal), done);
		},
		/** Aborts the request in progress, whose answer is then never used. */
		drop: slot.drop,
	};
}
