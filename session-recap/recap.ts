import { join } from "node:path";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { hear, tell } from "../session-core/events.ts";
import { readFlags } from "../session-core/flags.ts";
import { lazily } from "../session-core/lazily.ts";
import { describeUnusable, type ModelChoice, recapModels } from "../session-core/model/policy.ts";
import { openLog } from "../session-core/open-log.ts";
import { sayOnce } from "../session-core/say-once.ts";
import { appendCarefully } from "../session-core/session/append.ts";
import { appendTarget } from "../session-core/session/host-source.ts";
import { openSettings, SETTINGS_FILE } from "../session-core/settings/open.ts";
import type { Ledger } from "../session-core/usage/ledger.ts";
import { type RecapConfig, resolveConfig } from "./config/config.ts";
import { RECAP_FLAGS } from "./config/flags.ts";
import { RECAP_ENTRY } from "./draft/entry.ts";
import { createClock } from "./presence/clock.ts";
import { createRecapSession, type RecapSession } from "./session.ts";

/** The extension in one session of the host, with a user in front of it. */
export interface Recap {
	session: RecapSession;
	/** Perform `/recap …`. Never waits for a model. */
	command(args: string): Promise<void>;
	end(): void;
}

/** How `session_start` says that the session began. */
export type StartReason = "startup" | "reload" | "new" | "resume" | "fork";

/**
 * Start in a session that has a UI. What is wrong with settings and flags is said here, once.
 * Undefined when `isOver` turned true meanwhile.
 */
export async function startRecap(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	reason: StartReason,
	isOver: () => boolean,
): Promise<Recap | undefined> {
	const agentDir = getAgentDir();
	const { settings, problems, quieted } = await openSettings({ agentDir, cwd: ctx.cwd });
	const config = resolveConfig(settings, readFlags(pi, RECAP_FLAGS), process.env, quieted);
	const log = await openLog({ agentDir, enabled: settings.debug });
	const flagProblems = await describeFlagProblems(config);
	if (isOver()) return undefined;
	let ledger: Ledger | undefined;
	const openLedger = async () => {
		const { createLedger } = await lazily(() => import("../session-core/usage/ledger.ts"));
		ledger ??= createLedger({ agentDir, now: Date.now });
		return ledger;
	};
	const sessionId = ctx.sessionManager.getSessionId();
	const choose = (): ModelChoice => recapModels(config.models, ctx.model, ctx.modelRegistry);

	const session = createRecapSession({
		ctx,
		config,
		log,
		now: createClock({ wall: Date.now, steady: () => performance.now() }),
		loadReader: async () => {
			await openLedger();
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
		mayCall: () => ledger?.overLimit(config.dailyCostLimit) === false,
		save: (stamp, answer) => {
			// What is not kept is asked for again after a restart; nothing else is lost.
			const saved = appendCarefully(appendTarget(ctx.sessionManager), () =>
				pi.appendEntry(RECAP_ENTRY, { last_message_id: stamp, ...answer }),
			);
			if (!saved.ok) log("recap.not_saved", { stamp, reason: saved.reason });
		},
		ask: async (reading, signal) => {
			const { askForRecap } = await lazily(() => import("./draft/ask.ts"));
			return askForRecap(
				{ reading, signal, choice: choose(), projectContext: await instructions(config, ctx.cwd, agentDir) },
				{
					gateway: ctx.modelRegistry,
					spent: (model, result) => {
						const outcome = result.ok ? "ok" : result.reason;
						ledger?.record({ session: sessionId, feature: "recap", model, outcome, ...result.usage });
					},
				},
			);
		},
	});

	const unusable = choose().unusable.map((it) => `recap: ${describeUnusable(it)}`);
	for (const problem of [...problems, ...flagProblems, ...unusable]) {
		sayOnce(ctx.ui, problem, () => ctx.ui.notify(problem, "warning"));
	}
	session.start({ reopened: reason !== "new" && reason !== "reload" });
	// A prompt on the command line is at work before this is loaded.
	if (!ctx.isIdle()) session.dispatch({ type: "run_start" });

	const stopHearing = hear(pi.events, "session-suite:card-shown", ({ stamp }) => session.giveWay(stamp));

	return {
		session,
		command: async (args) => {
			const { runCommand } = await lazily(() => import("./command/run.ts"));
			const spent = await openLedger();
			if (!session.isLive()) return;
			await runCommand(args, {
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
				spending: () => ({ session: spent.sessionTotal(sessionId), today: spent.dayTotal() }),
				agentDir,
				settingsFile: join(agentDir, SETTINGS_FILE),
			});
		},
		end: () => {
			stopHearing();
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
	const { describeProblem } = await lazily(() => import("./config/problem.ts"));
	return problems.map(describeProblem);
}
