import { randomUUID } from "node:crypto";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { loggedScreen } from "../session-core/command-log.ts";
import { tell } from "../session-core/events.ts";
import { lazily } from "../session-core/lazily.ts";
import { openLog } from "../session-core/open-log.ts";
import { sayOnce } from "../session-core/say-once.ts";
import { appendCarefully } from "../session-core/session/append.ts";
import { openSettings } from "../session-core/settings/open.ts";
import type { Settings } from "../session-core/settings/schema.ts";
import { readShortcuts } from "../session-core/shortcuts/read.ts";
import { createWordbook } from "../session-core/words/wordbook.ts";
import { createScreen } from "./card/screen.ts";
import type { Complete } from "./command/complete.ts";
import type { ResumeExtension, StartReason } from "./extension.ts";
import { hostSession } from "./host-session.ts";
import { shareWords } from "./instance-words.ts";
import { registerInstance } from "./instances.ts";
import { showNeeds } from "./live/needs-footer.ts";
import { permitsOf } from "./live/permits.ts";
import { createRecordAsker } from "./record/booked-ask.ts";
import { RECORD_ENTRY } from "./record/entry-type.ts";
import { createRecordRequest } from "./record/record-request.ts";
import { createResumeSession } from "./session.ts";
import { createRepository } from "./workspace/watch.ts";

/**
 * Start in a session with a user in front of it. What is wrong with the settings is said here, once.
 * Undefined when `isOver` turned true meanwhile.
 */
export async function startResume(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	reason: StartReason,
	isOver: () => boolean,
): Promise<ResumeExtension | undefined> {
	const agentDir = getAgentDir();
	const { settings, problems } = await openSettings({ agentDir, cwd: ctx.cwd });
	const log = await openLog({ agentDir, enabled: settings.debug });
	if (isOver()) return undefined;
	const host = hostSession(ctx);
	const shortcuts = readShortcuts(agentDir);
	const screen = createScreen(ctx.ui, shortcuts.keys);
	const asker = createRecordAsker({ agentDir, sessionId: host.id, settings, ctx, log });
	const recordRequest = createRecordRequest(asker.ask);

	const wordbook = createWordbook({ setting: settings.language, env: process.env });
	wordbook.follow(undefined);
	shareWords(pi, wordbook);
	const session = createResumeSession({
		ctx,
		session: host,
		config: sessionConfig(settings),
		wordbook,
		screen,
		repository: createRepository((...call) => pi.exec(...call), ctx.cwd),
		recordRequest,
		loadReader: async () => {
			const { readSession } = await lazily(() => import("../session-core/records/reading.ts"));
			return readSession;
		},
		told: (stamp) => tell(pi.events, "session-suite:card-shown", { stamp }),
		append: (recap, options) =>
			appendCarefully(host.target, () => pi.appendEntry(RECORD_ENTRY, recap), options),
		newId: randomUUID,
		now: Date.now,
		log,
		lastWords: (text) => process.stderr.write(`${text}\n`),
	});

	for (const problem of [...problems, ...shortcuts.problems])
		sayOnce(ctx.ui, problem, () => ctx.ui.notify(problem, "warning"));
	const permits = permitsOf(pi);
	const { keys } = shortcuts;
	const context = { agentDir, keys, permits, pi, ctx, host, screen, session, recordRequest, settings };
	const withdraw = registerInstance(host.id, {
		keepTyped: (text, filled) => context.screen.keepTyped(text, filled),
		goOn: async (continuation) => {
			const { goOn } = await lazily(() => import("./resume-here/go-on.ts"));
			await goOn(context, continuation);
		},
	});
	const begin = async () => {
		await session.start({ reopened: reason !== "new" && reason !== "reload" });
		// Rare, so its code is not loaded for those who started pi by hand.
		if (process.env["PI_SESSION_SUITE_RESUME"] === undefined) return;
		const { takeOrder, continuationOf } = await lazily(() => import("./resume-here/ordered.ts"));
		const order = takeOrder(process.env);
		if (!order || reason !== "startup" || isOver()) return;
		const continuation = await continuationOf(order, host.origin.parentSession);
		if (isOver()) return;
		if (!continuation) {
			screen.say("resume: the prompt to go back to is not there any more.", "warning");
			return;
		}
		const { goOn } = await lazily(() => import("./resume-here/go-on.ts"));
		await goOn(context, continuation);
	};
	void begin().catch((bug: unknown) => {
		log("start.failed", { error: bug instanceof Error ? bug.name : "unknown" });
	});
	const hideNeeds = showNeeds({ ui: ctx.ui, agentDir, sessionId: host.id, wordbook });
	let completion: Complete | undefined;
	// A prompt on the command line is at work before this is loaded.
	if (!ctx.isIdle()) session.happened("run_start");

	return {
		happened: session.happened,
		claims: session.claims,
		shows: (stamp) => session.card.shown?.stamp === stamp,
		clear: session.clear,
		drafted: session.drafted,
		recapShown: session.recapShown,
		async command(name, args, commandCtx) {
			const { runCommand } = await lazily(() => import("./command/run.ts"));
			log("command.run", { command: name });
			await runCommand(name, args, { ...context, screen: loggedScreen(screen, name, log), commandCtx });
		},
		async toggleCard() {
			const { runCard } = await lazily(() => import("./command/card.ts"));
			await runCard(session.card.shown ? "clear" : "show", context);
		},
		async doctor() {
			const { resumeSection } = await lazily(() => import("./command/why.ts"));
			return resumeSection(context);
		},
		async complete(name, prefix) {
			const { createCompletion } = await lazily(() => import("./command/complete.ts"));
			completion ??= createCompletion({
				agentDir,
				folder: host.folder,
				open: host,
				now: Date.now,
				words: () => wordbook.words,
			});
			return completion(name, prefix);
		},
		end(why) {
			withdraw();
			hideNeeds();
			session.end({ write: why !== "reload" });
		},
	};
}

function sessionConfig({ resume }: Settings) {
	const { pinCard, minMessages, idleMinutes, generator } = resume;
	return { pinCard, minMessages, generator, idleMs: idleMinutes * 60_000 };
}
