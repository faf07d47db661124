import { checkSession } from "../session-core/log/index.ts";
import {
	type Answered,
	answerText,
	askForNote,
	type CommandForm,
	createRequestSlot,
	type ExtensionCommandContext,
	keyHelp,
	type StartReason,
	type Trigger,
} from "../session-core/pi/index.ts";
import type { Prepared } from "../session-core/recap/index.ts";
import { errorFields } from "../session-core/text/index.ts";
import { SessionCard } from "./card/card.ts";
import type { RecordOutcome, ResumeDeps } from "./deps.ts";
import { forkCommand } from "./live/leases.ts";
import { createIdleRecords } from "./record/idle.ts";
import { explainRefusal, Keeper } from "./record/keeper.ts";

export type Happening = "run_started" | "settled" | "submitted" | "moved";

export type CommandName = "recap-card" | "resume-here" | "resume-from" | "today";

export interface ResumeContext extends ResumeDeps {
	session: ResumeSession;
}

/** The context of a typed command, with the methods that the host offers only to typed commands. */
export interface CommandContext extends ResumeContext {
	commandCtx: ExtensionCommandContext;
}

/** Shows the help of a command, or why its arguments were refused. `key`: the key that runs the command, which the help names. */
export function sayAnswer(
	form: CommandForm,
	answered: Answered,
	{ screen, commons }: ResumeContext,
	key?: Parameters<typeof keyHelp>[0],
): void {
	screen.say(...answerText(form, answered, key && keyHelp(key, commons.shortcuts.keys)));
}

export function workingText(command: CommandName): string {
	return `${command}: the agent is still working; try again when it is done.`;
}

/** Whether a command may act now. If the agent is working, tells the user and returns false. */
export function isReady({ ctx, screen, session }: ResumeContext, command: CommandName): boolean {
	if (!session.isLive()) return false;
	if (!ctx.isIdle()) screen.say(workingText(command), "warning");
	return ctx.isIdle();
}

/** Returns the state that a command acts on. If there is none yet, tells the user and returns undefined. */
export function stateFor(context: ResumeContext, command: CommandName): Prepared | undefined {
	if (!isReady(context, command)) return undefined;
	const prepared = context.session.state();
	if (prepared?.reading.stamp !== undefined && prepared.reading.hasTask) return prepared;
	context.screen.say(`${command}: nothing to recap yet.`);
	return undefined;
}

export type ResumeSession = ReturnType<typeof createResumeSession>;

export function createResumeSession(deps: ResumeDeps) {
	const { host, screen, commons } = deps;
	const { log, prepared, repository } = commons;
	const settings = () => deps.settings().resume;
	const budget = commons.budget("recap");
	const slot = createRequestSlot<"note">();
	let isOpen = true;
	const isLive = () => isOpen;
	let isBegun = false;

	const keeper = new Keeper({
		...deps,
		repository,
		minMessages: () => settings().minMessages,
		prepared,
		log,
		isDamaged: () => deps.shared.isDamaged,
	});
	const state = () => (isOpen ? keeper.state() : undefined);
	const card = new SessionCard({ ...deps, state });
	const idle = createIdleRecords(deps, keeper, { isLive, askNote });

	/** Asks a model for a note on a state, and aborts any request in progress. Calls `done`, unless this request is aborted as well. */
	function askNote({ reading }: Prepared, by: Trigger, done: (outcome: RecordOutcome) => void): void {
		const { candidates } = commons.choose("recap");
		const request = { reading, setting: commons.language, candidates, by };
		void slot.start(
			"note",
			(signal) => askForNote({ ...request, signal }, { budget, ...commons.asking }),
			(answer) => {
				if (!answer.ok) return done(answer);
				const recap = commons.adopt(reading, answer.note);
				deps.shared.live?.noted();
				deps.shared.title?.noted();
				done({ ok: true, recap });
			},
		);
	}

	/** Queries git and then prepares the record, so that quitting only has to append it. */
	async function prepare(): Promise<void> {
		await repository.refresh();
		if (isOpen) keeper.state();
	}

	function inBackground(work: Promise<unknown>): void {
		void work.catch((bug: unknown) => log("background.failed", errorFields(bug)));
	}

	return {
		keeper,
		card,
		/** Whether the session is still open. After the session has ended, its host objects throw errors. */
		isLive,
		clear() {
			const wasShown = card.stamp !== undefined;
			card.hide();
			return wasShown;
		},
		/** Resolves when git has answered for the first time or has timed out. */
		async knowCheckout() {
			if (!repository.last) await repository.refresh();
		},
		askNote,
		dropRequest: slot.drop,
		/** Prepares the record of a session that has messages. If the session was reopened, shows its card. */
		async start(reason: StartReason) {
			if (reason === "startup") await checkFile(deps, isLive);
			if (!isOpen || keeper.state()?.reading.stamp === undefined) return;
			const isReopened = reason !== "new" && reason !== "reload";
			if (isReopened && !isBegun && settings().pinCard) card.pin();
			else inBackground(repository.refresh());
			idle.start();
		},
		happened(what: Happening) {
			isBegun = true;
			if (what !== "settled") card.hide();
			if (what === "run_started") {
				slot.drop();
				screen.answered();
				idle.stop();
			}
			if (what === "settled") {
				inBackground(prepare());
				idle.start();
			}
		},
		/** Whether this extension shows the card of a reopened session. */
		claims: () => isOpen && settings().pinCard,
		state,
		end({ write }: { write: boolean }) {
			if (!isOpen) return;
			isOpen = false;
			card.unpin();
			idle.stop();
			slot.drop();
			if (!write || !host.isCurrent()) return;
			const kept = keeper.keep({ cause: "end" });
			// The screen is gone, so the message goes to stderr.
			if (!kept.ok && kept.reason === "unwritable") process.stderr.write(`${explainRefusal(kept)}\n`);
		},
	};
}

/** `pi -c` opens a damaged session without asking, unlike the board and `/resume-from`. */
async function checkFile({ host, screen, shared }: ResumeDeps, isLive: () => boolean): Promise<void> {
	const file = host.source.getSessionFile();
	const check = file === undefined ? undefined : await checkSession(file);
	if (!check?.ok || check.sound || !isLive()) return;
	shared.isDamaged = true;
	const text = `resume: this session's file is damaged, so some of it may be missing here. ${forkCommand(host.id)} continues in a repaired copy.`;
	screen.say(text, "warning");
}
