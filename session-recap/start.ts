import { join } from "node:path";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { askDoctors, hear, tell } from "../session-core/events.ts";
import { readFlags } from "../session-core/flags.ts";
import { lazily } from "../session-core/lazily.ts";
import { describeUnusable, type ModelChoice, recapModels } from "../session-core/model/policy.ts";
import { openLog } from "../session-core/open-log.ts";
import { sayOnce } from "../session-core/say-once.ts";
import { appendCarefully } from "../session-core/session/append.ts";
import { appendTarget } from "../session-core/session/host-source.ts";
import { openSettings } from "../session-core/settings/open.ts";
import { SETTINGS_FILE } from "../session-core/settings/schema.ts";
import { readShortcuts } from "../session-core/shortcuts/read.ts";
import { booksOnDemand } from "../session-core/usage/books-on-demand.ts";
import { createWordbook } from "../session-core/words/wordbook.ts";
import { type RecapConfig, resolveConfig } from "./config/config.ts";
import { RECAP_FLAGS } from "./config/flags.ts";
import { RECAP_TEXT_ENTRY } from "./draft/entry-type.ts";
import { createClock } from "./presence/clock.ts";
import { createRecapSession, type RecapSession } from "./session.ts";

/** The extension in one session of the host. */
export interface RecapExtension {
	session: RecapSession;
	/** Begin to show recaps by itself. */
	begin(): void;
	/** Perform `/recap …`. Never waits for a model; `answered` does. */
	command(args: string): Promise<{ answered: Promise<void> }>;
	end(): void;
}

/** How `session_start` says that the session began. */
export type StartReason = "startup" | "reload" | "new" | "resume" | "fork";

/**
 * Get ready in a session. What is wrong with settings and flags is said here, once.
 * Undefined when `isOver` turned true meanwhile.
 */
export async function startRecap(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	reason: StartReason,
	isOver: () => boolean,
): Promise<RecapExtension | undefined> {
	const agentDir = getAgentDir();
	const { settings, problems, quieted } = await openSettings({ agentDir, cwd: ctx.cwd });
	const shortcuts = readShortcuts(agentDir);
	const config = resolveConfig(settings, readFlags(pi, RECAP_FLAGS), process.env, quieted);
	config.hideKey = shortcuts.keys.recap[0];
	const log = await openLog({ agentDir, enabled: settings.debug });
	const flagProblems = await describeFlagProblems(config);
	if (isOver()) return undefined;
	const sessionId = ctx.sessionManager.getSessionId();
	const limit = config.dailyCostLimit;
	const openBooks = booksOnDemand({ agentDir, session: sessionId, feature: "recap", limit, log, ui: ctx.ui });
	const choose = (): ModelChoice => recapModels(config.models, ctx.model, ctx.modelRegistry);

	const session = createRecapSession({
		ctx,
		config,
		wordbook: createWordbook({ setting: settings.language, env: process.env }),
		log,
		now: createClock({ wall: Date.now, steady: () => performance.now() }),
		loadReader: async () => {
			const { readConversation } = await lazily(() => import("./reading.ts"));
			return readConversation;
		},
		offer: (stamp) => {
			const offer = { stamp, claimed: false, shown: false };
			tell(pi.events, "session-suite:reopened", offer);
			return offer;
		},
		drafted: (recap) => tell(pi.events, "session-suite:recap-drafted", recap),
		shown: (stamp) => tell(pi.events, "session-suite:recap-shown", { stamp }),
		save: (stamp, answer) => {
			// What is not kept is asked for again after a restart; nothing else is lost.
			const saved = appendCarefully(appendTarget(ctx.sessionManager), () =>
				pi.appendEntry(RECAP_TEXT_ENTRY, { last_message_id: stamp, ...answer }),
			);
			if (!saved.ok) log("recap.not_saved", { stamp, reason: saved.reason });
		},
		ask: async (reading, signal, by) => {
			const { askForRecap } = await lazily(() => import("./draft/ask.ts"));
			const deps = { gateway: ctx.modelRegistry, books: await openBooks() };
			const projectContext = await instructions(config, ctx.cwd, agentDir);
			return askForRecap({ reading, signal, by, choice: choose(), projectContext }, deps);
		},
	});

	const unusable = choose().unusable.map((it) => `recap: ${describeUnusable(it)}`);
	for (const problem of [...problems, ...shortcuts.problems, ...flagProblems, ...unusable]) {
		sayOnce(ctx.ui, problem, () => ctx.ui.notify(problem, "warning"));
	}
	const stops = [
		hear(pi.events, "session-suite:card-shown", ({ stamp }) => session.giveWay(stamp)),
		hear(pi.events, "session-suite:looked-at", (question) => {
			question.looked ||= session.isLookedAt();
		}),
	];

	return {
		session,
		begin() {
			session.start({ reopened: reason !== "new" && reason !== "reload" });
			// A prompt on the command line is at work before this is loaded.
			if (!ctx.isIdle()) session.dispatch({ type: "run_start" });
		},
		command: async (args) => {
			const { runCommand } = await lazily(() => import("./command/run.ts"));
			const { ledger, problem } = await openBooks();
			if (!session.isLive()) return { answered: Promise.resolve() };
			return runCommand(args, {
				pi,
				ctx,
				session,
				clearOthers: () => {
					const wish = { cleared: false };
					tell(pi.events, "session-suite:recap-cleared", wish);
					return wish.cleared;
				},
				config,
				choose,
				spending: () => ({
					session: ledger.sessionTotal(sessionId),
					today: ledger.dayTotal(),
					ledger: ledger.path(),
					problem: problem(),
				}),
				agentDir,
				cwd: ctx.cwd,
				others: () => askDoctors(pi.events),
				keys: shortcuts.keys,
				settingsFile: join(agentDir, SETTINGS_FILE),
			});
		},
		end: () => {
			for (const stop of stops) stop();
			session.end();
		},
	};
}

/** The project's instructions, for users who chose to send them. */
async function instructions(config: RecapConfig, cwd: string, agentDir: string): Promise<string | undefined> {
	if (!config.includeProjectContext) return undefined;
	const { projectContext } = await lazily(() => import("./project-context.ts"));
	return projectContext(cwd, agentDir);
}

async function describeFlagProblems({ problems }: RecapConfig): Promise<string[]> {
	if (problems.length === 0) return [];
	const { describeProblem } = await lazily(() => import("./config/flag-problem.ts"));
	return problems.map(describeProblem);
}
