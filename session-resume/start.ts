import {
	type Continuation,
	completeOptions,
	type EndReason,
	type ExtensionAPI,
	type ExtensionCommandContext,
	type ExtensionContext,
	isInTerminal,
	lazily,
	type Shared,
	type StartReason,
} from "../session-core/pi/index.ts";
import { errorFields, isFirst } from "../session-core/text/index.ts";
import type { Complete } from "./command/completion.ts";
import { goToNextWaiting, WaitingCount } from "./live/waiting.ts";
import { type CommandName, ResumeSession } from "./session.ts";

export { preload, submitCommand } from "../session-core/pi/index.ts";
export { Attention } from "./live/attention.ts";
export { mayFork, mayOpen } from "./live/gate.ts";

const commands = lazily(() => import("./command/run.ts"));

interface ResumeStart {
	reason: StartReason;
	shared: Shared;
	isCardOff: boolean;
	isBegun: boolean;
}

export async function startResume(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	{ reason, shared, isCardOff, isBegun }: ResumeStart,
) {
	const session = new ResumeSession(pi, ctx, shared, isCardOff);
	const { commons, host, screen } = session;
	const { agentDir, shortcuts, log, warn } = commons;
	const [boardKey] = shortcuts.keys.board;

	shortcuts.problems.forEach(warn);
	// The user may have typed something while this code was loading.
	if (!ctx.isIdle()) session.happened("run_started");
	else if (isBegun) session.happened("submitted");
	const begin = async () => {
		await session.start(reason);
		// Requests from `pi-sessions resume` are rare, so the code that handles them is loaded only when there is a request.
		if (process.env["PI_SESSION_SUITE_RESUME"] === undefined) return;
		await (await commands()).followRequest(session, reason);
	};
	void begin().catch((bug: unknown) => log("start.failed", errorFields(bug)));
	const { enabled } = session.settings();
	const count = enabled
		? new WaitingCount({ ui: ctx.ui, agentDir, sessionId: host.id, key: boardKey })
		: undefined;
	count?.start();
	if (boardKey && enabled && isInTerminal(ctx) && isFirst("start", agentDir))
		screen.say(`${boardKey} lists your sessions, and F1 there explains the keys.`);
	let completion: Complete | undefined;

	return {
		session,
		async command(name: CommandName, args: string, ctx: ExtensionCommandContext) {
			const { COMMANDS } = await commands();
			log("command.run", { command: name });
			await COMMANDS[name].run(args, { session, ctx });
		},
		end(why: EndReason) {
			count?.end();
			session.end({ write: why !== "reload" });
		},
		async continueWith(continuation: Continuation) {
			await (await commands()).continueHere(session, continuation);
		},
		async toggleCard() {
			await (await commands()).runCard(session.card.stamp ? "clear" : "show", { session });
		},
		goToNextWaiting: () => goToNextWaiting(ctx),
		doctor: async () => (await commands()).resumeSection(session),
		async complete(name: CommandName, prefix: string) {
			const { COMMANDS, createCompletion } = await commands();
			if (name !== "resume-from") return completeOptions(COMMANDS[name].form, prefix);
			completion ??= createCompletion({ agentDir, folder: host.folder }, host);
			return completion(prefix);
		},
	};
}
