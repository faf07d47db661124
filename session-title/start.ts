import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { createPrintUi, withUi } from "../session-core/host/print-ui.ts";
import { commonsOf } from "../session-core/hub/commons.ts";
import type { Shared } from "../session-core/hub/shared.ts";
import {
	type Candidate,
	describeUnusable,
	formatSpec,
	titleModels,
	withActive,
} from "../session-core/model/choose-model.ts";
import { sideCall } from "../session-core/model/side-call.ts";
import { readFlags } from "../session-core/settings/flags.ts";
import { askForTitle } from "./ask.ts";
import { resolveConfig, TITLE_FLAGS } from "./config.ts";
import { createTitleSession, type TitleSession } from "./session.ts";

export { completeCommand } from "./command/parse.ts";

/** The values that `index.ts` knows before anything is loaded. */
export interface Opening {
	/** See `loadedBytes`. */
	loaded: number;
	shared: Pick<Shared, "commons" | "sayOnce" | "isOver">;
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
	const commons = commonsOf(shared, ctx);
	const flags = readFlags(pi, TITLE_FLAGS);
	const config = () => resolveConfig(commons.settings.current(), flags, process.env);
	const sessionId = ctx.sessionManager.getSessionId();
	const budget = commons.budget("title");
	/** Models that do not support the request. Calling them again would only waste time. */
	const useless = new Set<string>();
	const choose = () => titleModels(config().models, ctx.model, ctx.modelRegistry);
	const usable = (candidates: readonly Candidate[]) =>
		candidates.filter(({ model }) => !useless.has(formatSpec(model)));

	const session = createTitleSession({
		pi,
		ctx,
		loaded,
		commons,
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
