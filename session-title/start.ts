import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import type { DoctorSection } from "../session-core/doctor/section.ts";
import { readFlags } from "../session-core/flags.ts";
import { type Candidate, describeUnusable, titleModels } from "../session-core/model/policy.ts";
import { sideCall } from "../session-core/model/side-call.ts";
import { formatSpec } from "../session-core/model/spec.ts";
import { openLog } from "../session-core/open-log.ts";
import { sayOnce } from "../session-core/say-once.ts";
import { openSettings } from "../session-core/settings/open.ts";
import { createBooks } from "../session-core/usage/books.ts";
import { uncountedNotice } from "../session-core/usage/uncounted-notice.ts";
import { createWordbook } from "../session-core/words/wordbook.ts";
import { askForTitle } from "./ask.ts";
import { runCommand } from "./command/run.ts";
import { titleSection } from "./command/why.ts";
import { resolveConfig } from "./config/config.ts";
import { TITLE_FLAGS } from "./config/flags.ts";
import { createTitleSession, type TitleSession } from "./session.ts";

/** The extension in one session of the host. */
export interface TitleExtension {
	session: TitleSession;
	/** What `/recap doctor` is told. */
	doctor(): DoctorSection;
	/** Perform `/rename …`. Never waits for a model; the result does. */
	command(args: string): Promise<void>;
	end(): void;
}

/** What was seen of the session before anything of ours was loaded. */
export interface Opening {
	/** See `loadedBytes`. */
	loaded: number;
	/** The session was replaced, or the host ends. */
	isOver(): boolean;
}

function withActive(candidates: Candidate[], active: ExtensionContext["model"]): Candidate[] {
	const isListed = candidates.some(({ model }) => active && formatSpec(model) === formatSpec(active));
	return active && !isListed ? [...candidates, { model: active, source: "active model" }] : candidates;
}

/**
 * Start in a session. What is wrong with settings and flags is said here, once.
 * Undefined if the session was replaced while this was loading: its host objects must not be touched any more.
 */
export async function startTitle(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	{ loaded, isOver }: Opening,
): Promise<TitleExtension | undefined> {
	if (isOver()) return undefined;
	const agentDir = getAgentDir();
	const { settings, problems } = await openSettings({ agentDir, cwd: ctx.cwd });
	const log = await openLog({ agentDir, enabled: settings.debug });
	if (isOver()) return undefined;
	const config = resolveConfig(settings, readFlags(pi, TITLE_FLAGS), process.env);
	const books = createBooks({
		agentDir,
		session: ctx.sessionManager.getSessionId(),
		feature: "title",
		limit: config.dailyCostLimit,
		now: Date.now,
		log,
		uncounted: uncountedNotice(ctx.ui),
	});
	/** Models that turned out not to answer; asking them again would only take time. */
	const useless = new Set<string>();
	const choose = () => titleModels(config.models, ctx.model, ctx.modelRegistry);
	const usable = (candidates: readonly Candidate[]) =>
		candidates.filter(({ model }) => !useless.has(formatSpec(model)));

	const wordbook = createWordbook({ setting: settings.language, env: process.env });
	// What is typed before anything was read answers in the language that is set, or the locale's.
	wordbook.follow(undefined);
	const session = createTitleSession({
		pi,
		ctx,
		loaded,
		log,
		wordbook,
		isOff: () => config.off !== undefined,
		off: () => config.off,
		books,
		automaticModels: () => usable(choose().candidates),
		// Typed is not in silence: where nothing cheaper answers, the model in use may.
		typedModels: () => withActive(usable(choose().candidates), ctx.model),
		ask: (question) =>
			askForTitle(question, {
				books,
				call: async (request) => {
					const result = await sideCall(ctx.modelRegistry, request);
					if (!result.ok && result.reason === "unsupported") useless.add(formatSpec(request.model));
					return result;
				},
			}),
	});

	for (const problem of problems) sayOnce(ctx.ui, problem, () => ctx.ui.notify(problem, "warning"));
	for (const unusable of choose().unusable) {
		const problem = describeUnusable(unusable);
		sayOnce(ctx.ui, problem, () => ctx.ui.notify(`title: ${problem}`, "warning"));
	}
	return {
		session,
		command: (args) => runCommand(args, session, (text, kind) => ctx.ui.notify(text, kind)),
		doctor: () => titleSection(session.facts()),
		end: () => session.end(),
	};
}
