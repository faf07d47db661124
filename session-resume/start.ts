import {
	type Continuation,
	commonsOf,
	completeOptions,
	type EndReason,
	type ExtensionAPI,
	type ExtensionCommandContext,
	type ExtensionContext,
	hostSession,
	isInTerminal,
	lazily,
	type Shared,
	type StartReason,
} from "../session-core/pi/index.ts";
import { isFirst } from "../session-core/text/files/index.ts";
import { errorFields } from "../session-core/text/index.ts";
import { createCardScreen } from "./card/screen.ts";
import type { Complete } from "./command/completion.ts";
import type { ResumeDeps } from "./deps.ts";
import { goToNextWaiting, showNeeds } from "./live/waiting.ts";
import { type CommandName, createResumeSession, type ResumeContext } from "./session.ts";

export { preload, submitCommand } from "../session-core/pi/index.ts";
export { createAttention } from "./live/attention.ts";
export { mayFork, mayOpen } from "./live/gate.ts";

const commands = lazily(() => import("./command/run.ts"));

interface ResumeStart {
	reason: StartReason;
	shared: Shared;
	isCardOff: boolean;
	isOver(): boolean;
}

/** Returns undefined if the session has ended. */
export async function startResume(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	{ reason, shared, isCardOff, isOver }: ResumeStart,
) {
	if (isOver()) return undefined;
	const commons = commonsOf(shared, ctx);
	const { agentDir, shortcuts, log } = commons;
	const settings = () => {
		const current = commons.settings.current().settings;
		return isCardOff ? { ...current, resume: { ...current.resume, pinCard: false } } : current;
	};
	const host = hostSession(ctx);
	const screen = createCardScreen(ctx.ui, shortcuts.keys);
	const deps: ResumeDeps = { pi, ctx, host, shared, settings, commons, screen };
	const session = createResumeSession(deps);
	const context: ResumeContext = { ...deps, session };

	for (const problem of shortcuts.problems) commons.warn(problem);
	const begin = async () => {
		await session.start(reason);
		// Requests from `pi-sessions resume` are rare, so the code that handles them is not loaded for users who started pi by hand.
		if (process.env["PI_SESSION_SUITE_RESUME"] === undefined) return;
		await (await commands()).followRequest(context, reason, isOver);
	};
	void begin().catch((bug: unknown) => {
		log("start.failed", errorFields(bug));
	});
	const hideNeeds =
		settings().resume.enabled &&
		showNeeds({ ui: ctx.ui, agentDir, sessionId: host.id, key: shortcuts.keys.board[0] });
	const [boardKey] = shortcuts.keys.board;
	if (boardKey && settings().resume.enabled && isInTerminal(ctx) && isFirst("start", agentDir))
		screen.say(`${boardKey} lists your sessions, and F1 there explains the keys.`);
	let completion: Complete | undefined;
	// If pi was started with a prompt on the command line, the agent is already running when this code is loaded.
	if (!ctx.isIdle()) session.happened("run_started");

	return {
		/** Runs a typed command. May wait for the user, but never for a model. */
		async command(name: CommandName, args: string, commandCtx: ExtensionCommandContext) {
			const { COMMANDS } = await commands();
			log("command.run", { command: name });
			await COMMANDS[name].run(args, { ...context, commandCtx });
		},
		end(why: EndReason) {
			if (hideNeeds) hideNeeds();
			session.end({ write: why !== "reload" });
		},
		session,
		async goOn(continuation: Continuation) {
			const { continueHere } = await commands();
			await continueHere(context, continuation);
		},
		keepTyped(text: string, filled: string) {
			if (session.isLive()) screen.keepTyped(text, filled);
		},
		async toggleCard() {
			const { runCard } = await commands();
			await runCard(session.card.stamp ? "clear" : "show", context);
		},
		goToNextWaiting: () => goToNextWaiting(ctx),
		async doctor() {
			const { resumeSection } = await commands();
			return resumeSection(context);
		},
		async complete(name: CommandName, prefix: string) {
			const { COMMANDS, createCompletion } = await commands();
			if (name !== "resume-from") return completeOptions(COMMANDS[name].form, prefix);
			completion ??= createCompletion({ agentDir, folder: host.folder, open: host });
			return completion(prefix);
		},
	};
}
