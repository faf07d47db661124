import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { lazily } from "../session-core/lazily.ts";
import { type ModelChoice, recapModels } from "../session-core/model/policy.ts";
import type { Settings } from "../session-core/settings/schema.ts";
import type { Ledger } from "../session-core/usage/ledger.ts";
import type { AskOutcome } from "./record/ask.ts";
import type { Prepared } from "./record/keeper.ts";

/** Everything by which records cost money. */
export interface Spending {
	/** Load what counts; before that, no automatic call is made. */
	open(): Promise<void>;
	/** Automatic calls may still be made today. */
	mayCall(): boolean;
	ask(prepared: Prepared, signal: AbortSignal): Promise<AskOutcome>;
}

export interface SpendingDeps {
	agentDir: string;
	sessionId: string;
	settings: Settings;
	ctx: Pick<ExtensionContext, "model" | "modelRegistry">;
}

export function createSpending({ agentDir, sessionId, settings, ctx }: SpendingDeps): Spending {
	let ledger: Ledger | undefined;
	const open = async (): Promise<Ledger> => {
		const { createLedger } = await lazily(() => import("../session-core/usage/ledger.ts"));
		ledger ??= createLedger({ agentDir, now: Date.now });
		return ledger;
	};
	/** A record is a longer recap: the same model. */
	const choose = (): ModelChoice => {
		const named = { setting: settings.recap.model, fastModel: settings.fastModel };
		return recapModels(named, ctx.model, ctx.modelRegistry);
	};
	return {
		open: async () => void (await open()),
		mayCall: () => ledger?.overLimit(settings.dailyCostLimit) === false,
		async ask({ reading, recap }, signal) {
			const { askForRecord } = await lazily(() => import("./record/ask.ts"));
			const { sideCall } = await lazily(() => import("../session-core/model/side-call.ts"));
			const spent = await open();
			const { candidates } = choose();
			return askForRecord(
				{ recap, timeline: reading.timeline, candidates, signal },
				{
					call: (request) => sideCall(ctx.modelRegistry, request),
					spent: (model, result) => {
						const outcome = result.ok ? "ok" : result.reason;
						spent.record({ session: sessionId, feature: "resume", model, outcome, ...result.usage });
					},
				},
			);
		},
	};
}
