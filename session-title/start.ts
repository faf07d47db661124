import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { openLog } from "../session-core/debug-log.ts";
import { createPrintUi, withUi } from "../session-core/host/print-ui.ts";
import type { Shared } from "../session-core/hub/shared.ts";
import {
	type Candidate,
	describeUnusable,
	formatSpec,
	titleModels,
	withActive,
} from "../session-core/model/choose-model.ts";
import { createBudget } from "../session-core/model/reserve-cost.ts";
import { sideCall } from "../session-core/model/side-call.ts";
import { readFlags } from "../session-core/settings/flags.ts";
import { openSettings } from "../session-core/settings/load.ts";
import { createWordbook } from "../session-core/words/wordbook.ts";
import { askForTitle } from "./ask.ts";
import { resolveConfig, TITLE_FLAGS } from "./config.ts";
import { createTitleSession, type TitleSession } from "./session.ts";

export { completeCommand } from "./command/parse.ts";

/** The values that `index.ts` knows before anything is loaded. */
export interface Opening {
	/** See `loadedBytes`. */
	loaded: number;
	shared: Pick<Shared, "sayOnce" | "isOver">;
}

/**
 * Starts the extension in a session, and reports invalid settings and flags once. Returns undefined if the session was replaced during
 * loading, because the host objects of that session can no longer be used.
 */
export async function startTitle(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	{ loaded, shared }: Opening,
): Promise<TitleSession | undefined> {
	if (shared.isOver) return undefined;
	const agentDir = getAgentDir();
	const warn = (problem: string) => shared.sayOnce(problem, () => ctx.ui.notify(problem, "warning"));
	const reader = openSettings({ agentDir, cwd: ctx.cwd }, warn);
	const { settings } = reader.current();
	const log = openLog({ agentDir, enabled: settings.debug });
	if (shared.isOver) return undefined;
	const flags = readFlags(pi, TITLE_FLAGS);
	const config = () => resolveConfig(reader.current(), flags, process.env);
	const sessionId = ctx.sessionManager.getSessionId();
	const budget = createBudget({
		agentDir,
		session: sessionId,
		feature: "title",
		limit: () => config().dailyCostLimit,
		now: Date.now,
		log,
		ui: ctx.ui,
		sayOnce: shared.sayOnce,
	});
	/** Models that do not support the request. Calling them again would only waste time. */
	const useless = new Set<string>();
	const choose = () => titleModels(config().models, ctx.model, ctx.modelRegistry);
	const usable = (candidates: readonly Candidate[]) =>
		candidates.filter(({ model }) => !useless.has(formatSpec(model)));

	const wordbook = createWordbook({ setting: settings.language, env: process.env });
	// Until a conversation has been read, commands answer in the language that the user has set; failing that, in the language of the
	// locale.
	wordbook.follow(undefined);
	const session = createTitleSession({
		pi,
		ctx,
		loaded,
		log,
		wordbook,
		off: () => config().off,
		budget,
		automaticModels: () => usable(choose().candidates),
		typedModels: () => withActive(usable(choose().candidates), ctx.model, ctx.modelRegistry),
		ask: (question) =>
			askForTitle(question, {
				budget,
				call: async (request) => {
					const result = await sideCall(ctx.modelRegistry, { ...request, sessionId });
					if (!result.ok && result.reason === "unsupported") useless.add(formatSpec(request.model));
					return result;
				},
			}),
	});

	for (const unusable of choose().unusable) {
		const problem = describeUnusable(unusable);
		shared.sayOnce(problem, () => ctx.ui.notify(`session-title: ${problem}`, "warning"));
	}
	return session;
}

/** Runs `/rename …` in print mode. The answer goes to stderr, and pi waits for it. */
export async function printRename(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	opening: Opening,
	args: string,
): Promise<void> {
	const { ui, run } = createPrintUi(ctx.ui);
	const title = await startTitle(pi, withUi(ctx, ui), opening);
	if (!title) return;
	await run(() => title.command(args));
	title.end();
}
