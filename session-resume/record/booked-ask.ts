import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { LogFields } from "../../session-core/debug-log.ts";
import { lazily } from "../../session-core/lazily.ts";
import { type ModelChoice, recapModels } from "../../session-core/model/policy.ts";
import type { Settings } from "../../session-core/settings/schema.ts";
import type { Trigger } from "../../session-core/usage/books.ts";
import { booksOnDemand } from "../../session-core/usage/books-on-demand.ts";
import type { AskOutcome } from "./ask.ts";
import type { Prepared } from "./keeper.ts";

/** Everything by which records cost money. */
export interface RecordAsker {
	/** Ask a model for the record of a state; unasked once, and only where it can be counted. */
	ask(prepared: Prepared, by: Trigger, signal: AbortSignal): Promise<AskOutcome>;
}

export interface RecordAskerDeps {
	agentDir: string;
	sessionId: string;
	settings: Settings;
	ctx: Pick<ExtensionContext, "model" | "modelRegistry" | "ui">;
	log(event: string, fields: LogFields): void;
}

export function createRecordAsker({ agentDir, sessionId, settings, ctx, log }: RecordAskerDeps): RecordAsker {
	const limit = settings.dailyCostLimit;
	const openBooks = booksOnDemand({
		agentDir,
		session: sessionId,
		feature: "resume",
		limit,
		log,
		ui: ctx.ui,
	});
	/** A record is a longer recap: the same model. */
	const choose = (): ModelChoice => {
		const named = { setting: settings.recap.model, fastModel: settings.fastModel };
		return recapModels(named, ctx.model, ctx.modelRegistry);
	};
	return {
		async ask({ reading, recap }, by, signal) {
			const { askForRecord } = await lazily(() => import("./ask.ts"));
			const { askOnce } = await lazily(() => import("../../session-core/usage/ask-once.ts"));
			const { sideCall } = await lazily(() => import("../../session-core/model/side-call.ts"));
			const books = await openBooks();
			const { candidates } = choose();
			const { stamp, timeline } = reading;
			return askOnce({ stamp, by, candidates, signal }, books, ({ book }) =>
				askForRecord(
					{ recap, timeline, language: settings.language, candidates, signal },
					{ call: (request) => sideCall(ctx.modelRegistry, request), book },
				),
			);
		},
	};
}
