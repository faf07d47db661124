import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { type Configured, readShortcuts } from "../command/shortcuts.ts";
import { type DebugLog, openLog } from "../debug-log.ts";
import { getAgentDir } from "../host/pi.ts";
import type { Feature } from "../model/ledger.ts";
import { type Budget, createBudget } from "../model/reserve-cost.ts";
import { type SideCallRequest, type SideCallResult, sideCall } from "../model/side-call.ts";
import type { BranchLimits } from "../session-file/branch.ts";
import { type Reading, readSession } from "../session-view/read-session.ts";
import { openSettings, type SettingsReader } from "../settings/load.ts";
import type { LanguageCode } from "../words/languages.ts";
import { hostSession } from "./host-session.ts";

/** What the extensions have in common in an open session. It is created once, by the first extension that starts. */
export interface Commons {
	agentDir: string;
	/** Problems with the settings are reported when they are found. */
	settings: SettingsReader;
	shortcuts: Configured;
	log: DebugLog;
	/** The `language` setting. */
	language: LanguageCode | undefined;
	/** Warns the user, unless an extension has shown the same warning before. */
	warn(problem: string): void;
	budget(feature: Feature): Budget;
	/** Calls a model on behalf of this session. */
	call(request: Omit<SideCallRequest, "sessionId">): Promise<SideCallResult>;
	/**
	 * Reads the current state of the session. The branch is read only once for each state. Returns
	 * undefined if it cannot be read, because a malformed session must not disturb the user. `limits` apply only to a state that has not
	 * been read yet.
	 */
	state(limits?: Partial<BranchLimits>): Reading | undefined;
}

interface Holder {
	commons: Commons | undefined;
	sayOnce(key: string, say: () => void): void;
}

/** Returns what the extensions have in common in this session. */
export function commonsOf(shared: Holder, ctx: ExtensionContext): Commons {
	shared.commons ??= createCommons(ctx, shared.sayOnce);
	return shared.commons;
}

function createCommons(ctx: ExtensionContext, sayOnce: Holder["sayOnce"]): Commons {
	const agentDir = getAgentDir();
	const { ui, cwd, sessionManager } = ctx;
	const sessionId = sessionManager.getSessionId();
	const warn = (problem: string) => sayOnce(problem, () => ui.notify(problem, "warning"));
	const settings = openSettings({ agentDir, cwd }, warn);
	const { language, debug } = settings.current().settings;
	const log = openLog({ agentDir, enabled: debug });
	return {
		agentDir,
		settings,
		shortcuts: readShortcuts(),
		log,
		language,
		warn,
		budget: (feature) =>
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
		call: (request) => sideCall(ctx.modelRegistry, { ...request, sessionId }),
		state: createStateReader(ctx, log),
	};
}

/** Entries never change, so a state needs to be read again only if the leaf has moved. */
export function createStateReader(
	{ sessionManager, cwd }: Pick<ExtensionContext, "sessionManager" | "cwd">,
	log: DebugLog,
): Commons["state"] {
	const { source, origin } = hostSession({ sessionManager, cwd });
	let known: { leaf: string | null; reading: Reading } | undefined;
	return (limits) => {
		try {
			const leaf = sessionManager.getLeafId();
			if (known?.leaf === leaf) return known.reading;
			const reading = readSession(source, origin, cwd, limits);
			if (!limits) known = { leaf, reading };
			return reading;
		} catch (bug) {
			log("read.failed", { error: bug instanceof Error ? bug.name : "unknown" });
			return undefined;
		}
	};
}
