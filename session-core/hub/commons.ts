import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { type DebugLog, errorFields, openLog } from "../debug-log.ts";
import { getAgentDir } from "../host/pi.ts";
import { readShortcuts } from "../host/register.ts";
import type { Feature } from "../model/ledger.ts";
import { type BudgetOptions, createBudget } from "../model/reserve-cost.ts";
import { type SideCallRequest, sideCall } from "../model/side-call.ts";
import { walkBranch } from "../session-file/branch.ts";
import { type Reading, readSession } from "../session-view/read-session.ts";
import { openSettings } from "../settings/load.ts";
import { hostSession } from "./host-session.ts";

/** What the extensions have in common in an open session. It is created once, by the first extension that starts. */
export type Commons = ReturnType<typeof createCommons>;

interface Holder {
	commons: Commons | undefined;
	sayOnce: BudgetOptions["sayOnce"];
}

export function commonsOf(shared: Holder, ctx: ExtensionContext): Commons {
	shared.commons ??= createCommons(ctx, shared.sayOnce);
	return shared.commons;
}

function createCommons(ctx: ExtensionContext, sayOnce: BudgetOptions["sayOnce"]) {
	const agentDir = getAgentDir();
	const { ui, cwd, sessionManager } = ctx;
	const sessionId = sessionManager.getSessionId();
	const warn = (problem: string) => sayOnce(problem, () => ui.notify(problem, "warning"));
	const settings = openSettings({ agentDir, cwd }, warn);
	const { language, debug } = settings.current().settings;
	const log = openLog({ agentDir, enabled: debug, session: () => sessionId });
	return {
		agentDir,
		/** Problems with the settings are reported when they are found. */
		settings,
		shortcuts: readShortcuts(),
		log,
		language,
		/** Warns the user, unless an extension has shown the same warning before. */
		warn,
		budget: (feature: Feature) =>
			createBudget({
				agentDir,
				session: sessionId,
				feature,
				limit: () => settings.current().settings.dailyCostLimit,
				now: Date.now,
				log,
				ui,
				sayOnce,
			}),
		call: (request: Omit<SideCallRequest, "sessionId">) =>
			sideCall(ctx.modelRegistry, { ...request, sessionId }),
		state: createStateReader(ctx, log),
	};
}

/**
 * Returns a function that reads the current state of the session. The branch is read only once for each state: entries never change, so a
 * state needs to be read again only if the leaf has moved. The result is undefined if the session cannot be read, because a malformed
 * session must not disturb the user.
 */
export function createStateReader(
	{ sessionManager, cwd }: Pick<ExtensionContext, "sessionManager" | "cwd">,
	log: DebugLog,
) {
	const { source, origin } = hostSession({ sessionManager, cwd });
	let known: { leaf: string | null; reading: Reading } | undefined;
	return (): Reading | undefined => {
		try {
			const leaf = sessionManager.getLeafId();
			if (known?.leaf === leaf) return known.reading;
			const reading = readSession(walkBranch(source), origin, cwd);
			known = { leaf, reading };
			return reading;
		} catch (bug) {
			log("read.failed", errorFields(bug));
			return undefined;
		}
	};
}
