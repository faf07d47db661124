import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { StartReason } from "../session-core/host/host-events.ts";
import { createPrintUi, withUi } from "../session-core/host/print-ui.ts";
import { commonsOf } from "../session-core/hub/commons.ts";
import { doctorSections, type Shared } from "../session-core/hub/shared.ts";
import { chooseModels, describeUnusable, type ModelChoice } from "../session-core/model/choose-model.ts";
import { sideCall } from "../session-core/model/side-call.ts";
import { RECAP_TEXT_ENTRY } from "../session-core/recap/stored-records.ts";
import { appendCarefully, appendTarget } from "../session-core/session-file/append.ts";
import { readFlags } from "../session-core/settings/flags.ts";
import type { SettingsReader } from "../session-core/settings/load.ts";
import { cleanLine } from "../session-core/text/sanitize.ts";
import { askForRecap, projectContext as instructions } from "./ask.ts";
import { runRecap } from "./command.ts";
import { RECAP_FLAGS, type RecapConfig, type RecapFlags, recapConfig } from "./config.ts";
import { createClock } from "./presence-machine.ts";
import { createRecapSession, type RecapSession } from "./session.ts";

export { completeRecap } from "./command.ts";

/** The extension, bound to one session of the host. */
export interface RecapExtension {
	session: RecapSession;
	/** Begins to show recaps automatically. */
	begin(): void;
	/** Runs `/recap …`. Never waits for a model; `answered` resolves when there is an answer. */
	command(args: string): Promise<{ answered: Promise<void> }>;
	end(): void;
}

interface RecapStart {
	reason: StartReason;
	shared: Shared;
	isOver(): boolean;
}

/**
 * Prepares the extension for a session, and reports problems with settings and flags once. Returns undefined if `isOver` became true in
 * the meantime.
 */
export async function startRecap(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	{ reason, shared, isOver }: RecapStart,
): Promise<RecapExtension | undefined> {
	if (isOver()) return undefined;
	const commons = commonsOf(shared, ctx);
	const { agentDir, shortcuts, log, warn } = commons;
	const config = currentConfig(commons.settings, readFlags(pi, RECAP_FLAGS));
	const sessionId = ctx.sessionManager.getSessionId();
	const budget = commons.budget("recap");
	const choose = (): ModelChoice => chooseModels(config().models, ctx.model, ctx.modelRegistry);

	const session = createRecapSession({
		ctx,
		config,
		hideKey: shortcuts.keys.recap[0],
		commons,
		now: createClock({ wall: Date.now, steady: () => performance.now() }),
		shared,
		save: (stamp, answer) => {
			// If the answer cannot be stored, the only consequence is that the recap is requested again after a restart.
			const saved = appendCarefully(appendTarget(ctx.sessionManager), () =>
				pi.appendEntry(RECAP_TEXT_ENTRY, { last_message_id: stamp, ...answer }),
			);
			if (!saved.ok) log("recap.not_saved", { stamp, reason: saved.reason });
		},
		ask: async (reading, signal, by) => {
			const { includeProjectContext } = config();
			const projectContext = includeProjectContext ? await instructions(ctx.cwd, agentDir) : undefined;
			return askForRecap(
				{ reading, signal, by, choice: choose(), projectContext },
				{ budget, call: (request) => sideCall(ctx.modelRegistry, { ...request, sessionId }) },
			);
		},
	});

	const unusable = choose().unusable.map((it) => `recap: ${describeUnusable(it)}`);
	for (const problem of [...shortcuts.problems, ...config().problems.map(cleanLine), ...unusable])
		warn(problem);
	return {
		session,
		begin() {
			void session.start({ reopened: reason !== "new" && reason !== "reload" });
			// A prompt that was given on the command line may already be running when this code is loaded.
			if (!ctx.isIdle()) session.dispatch({ type: "run_start" });
		},
		command: async (args) => {
			if (!session.isLive()) return { answered: Promise.resolve() };
			return runRecap(args, {
				pi,
				ctx,
				session,
				clearCard: () => shared.resume?.clear() ?? false,
				config,
				choose,
				spending: () => ({
					session: budget.spentToday("session"),
					today: budget.spentToday("all"),
					ledger: budget.path(),
					problem: budget.problem(),
				}),
				agentDir,
				cwd: ctx.cwd,
				others: () => doctorSections(shared),
				keys: shortcuts.keys,
			});
		},
		end: session.end,
	};
}

/** Runs `/recap …` when no user is present. The answer goes to stderr, and pi waits for it. */
export async function printRecap(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	args: string,
	shared: Shared,
): Promise<void> {
	const { ui, run } = createPrintUi(ctx.ui);
	const recap = await startRecap(pi, withUi(ctx, ui), {
		reason: "startup",
		shared,
		isOver: () => false,
	});
	if (!recap) return;
	await run(async () => {
		const { answered } = await recap.command(args);
		await answered;
	});
	recap.end();
}

/** Returns the current configuration. The same object is returned until the settings change. */
function currentConfig(reader: SettingsReader, flags: RecapFlags): () => RecapConfig {
	let loaded = reader.current();
	let config = recapConfig(loaded, flags, process.env);
	return () => {
		const now = reader.current();
		if (now !== loaded) config = recapConfig(now, flags, process.env);
		loaded = now;
		return config;
	};
}
