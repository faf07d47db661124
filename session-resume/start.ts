import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { loggedScreen } from "../session-core/command-log.ts";
import type { StartReason } from "../session-core/host/host-events.ts";
import { lazily } from "../session-core/host/lazily.ts";
import { commonsOf } from "../session-core/hub/commons.ts";
import type { Shared } from "../session-core/hub/shared.ts";
import { createRepository } from "../session-core/repository.ts";
import { checkSession } from "../session-core/session-file/check-session.ts";
import { readFlags } from "../session-core/settings/flags.ts";
import { createScreen } from "./card/screen.ts";
import type { Complete } from "./command/complete.ts";
import type { ResumeContext, ResumeExtension } from "./context.ts";
import { CARD_OFF_VARIABLE, RESUME_FLAGS } from "./flags.ts";
import { hostSession } from "./host-session.ts";
import { forkCommand } from "./live/others.ts";
import { showNeeds } from "./live/waiting.ts";
import { createRecordRequest } from "./record/record-request.ts";
import { createResumeSession } from "./session.ts";

const commands = () => lazily(() => import("./command/run.ts"));

export interface ResumeStart {
	reason: StartReason;
	shared: Shared;
	isOver(): boolean;
}

/**
 * Starts the extension in a session with a user, and reports problems with the settings once. Returns undefined if the session has ended.
 */
export async function startResume(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	{ reason, shared, isOver }: ResumeStart,
): Promise<ResumeExtension | undefined> {
	if (isOver()) return undefined;
	const commons = commonsOf(shared, ctx);
	const { agentDir, shortcuts, log, warn } = commons;
	const isCardOff =
		readFlags(pi, RESUME_FLAGS)["card-disable"] === true || process.env[CARD_OFF_VARIABLE] === "1";
	const settings = () => {
		const current = commons.settings.current().settings;
		return isCardOff ? { ...current, resume: { ...current.resume, pinCard: false } } : current;
	};
	const host = hostSession(ctx);
	let isDamaged = false;
	const screen = createScreen(ctx.ui, shortcuts.keys);
	const recordRequest = createRecordRequest({
		settings,
		ctx,
		budget: commons.budget("resume"),
	});

	const session = createResumeSession({
		pi,
		ctx,
		host,
		shared,
		settings: () => settings().resume,
		commons,
		screen,
		repository: createRepository(ctx.cwd),
		recordRequest,
		isDamaged: () => isDamaged,
	});

	for (const problem of shortcuts.problems) warn(problem);
	const { keys } = shortcuts;
	const context: ResumeContext = {
		agentDir,
		keys,
		pi,
		ctx,
		host,
		screen,
		session,
		recordRequest,
		log,
		get settings() {
			return settings();
		},
	};
	/** `pi -c` opens a damaged session without asking, unlike the board and `/resume-from`. */
	const checkFile = async () => {
		const file = host.target.getSessionFile();
		const check = reason === "startup" && file !== undefined ? await checkSession(file) : undefined;
		if (!check?.ok || check.sound || isOver()) return;
		isDamaged = true;
		const text = `resume: the file of this session is damaged, so some of it may be missing here. ${forkCommand(host.id)} continues in a repaired copy.`;
		screen.say(text, "warning");
	};
	const begin = async () => {
		await checkFile();
		await session.start({ reopened: reason !== "new" && reason !== "reload" });
		// Requests from `pi-sessions resume` are rare, so the code that handles them is not loaded for users who started pi by hand.
		if (process.env["PI_SESSION_SUITE_RESUME"] === undefined) return;
		const { takeOrder, continuationOf, continueHere } = await commands();
		const order = takeOrder(process.env);
		// Another agent's session continues in a session that is new.
		if (!order || reason !== (order.type === "handover" ? "new" : "startup") || isOver()) return;
		const continuation = await continuationOf(order, {
			source: host.source,
			parentSession: host.origin.parentSession,
			agentDir,
		});
		if (isOver()) return;
		if (!continuation) {
			log("resume.refused", { session: host.id, reason: "prompt_gone" });
			screen.say("resume: the prompt to return to is gone.", "warning");
			return;
		}
		if (order.type === "record" && continuation.prompt === undefined)
			log("resume.record_gone", { session: host.id, record: order.id });
		await continueHere(context, continuation, { keepsCard: true });
	};
	void begin().catch((bug: unknown) => {
		log("start.failed", { error: bug instanceof Error ? bug.name : "unknown" });
	});
	const hideNeeds =
		settings().resume.enabled && showNeeds({ ui: ctx.ui, agentDir, sessionId: host.id, key: keys.board[0] });
	let completion: Complete | undefined;
	// If pi was started with a prompt on the command line, the agent is already running when this code is loaded.
	if (!ctx.isIdle()) session.happened("run_started");

	return {
		async command(name, args, commandCtx) {
			const { runCommand } = await commands();
			log("command.run", { command: name });
			await runCommand(name, args, { ...context, screen: loggedScreen(screen, name, log), commandCtx });
		},
		end(why) {
			if (hideNeeds) hideNeeds();
			session.end({ write: why !== "reload" });
		},
		interactive: {
			session,
			async goOn(continuation) {
				const { continueHere } = await commands();
				await continueHere(context, continuation);
			},
			keepTyped(text, filled) {
				if (session.isLive()) screen.keepTyped(text, filled);
			},
			async toggleCard() {
				const { runCard } = await commands();
				await runCard(session.card.shown ? "clear" : "show", context);
			},
			async doctor() {
				const { resumeSection } = await commands();
				return resumeSection(context);
			},
			async complete(name, prefix) {
				const { createCompletion } = await commands();
				completion ??= createCompletion({
					agentDir,
					folder: host.folder,
					open: host,
					now: Date.now,
				});
				return completion(name, prefix);
			},
		},
	};
}
