import { checkSession } from "../session-core/log/check-session.ts";
import type {
	ExtensionAPI,
	ExtensionCommandContext,
	ExtensionContext,
	StartReason,
} from "../session-core/pi/host/index.ts";
import {
	askForNote,
	type Commons,
	type HostSession,
	type NoteOutcome,
	type Settings,
	type Shared,
} from "../session-core/pi/index.ts";
import { createRequestSlot, type Trigger } from "../session-core/pi/model/index.ts";
import type { Prepared, SessionRecord } from "../session-core/recap/index.ts";
import { errorFields } from "../session-core/text/index.ts";
import { type CardScreen, createCard, createPin } from "./card/card.ts";
import { describeChanges } from "./card/content.ts";
import { forkCommand } from "./live/writer-text.ts";
import { explainRefusal, Keeper } from "./record/keeper.ts";

export type Happening = "run_started" | "settled" | "submitted" | "moved";

export type CommandName = "recap-card" | "resume-here" | "resume-from" | "today";

export interface ResumeDeps {
	pi: ExtensionAPI;
	ctx: ExtensionContext;
	host: HostSession;
	/** What session-recap does for the card. */
	shared: Pick<Shared, "recap" | "live" | "title" | "isDamaged">;
	settings(): Settings;
	commons: Commons;
	screen: CardScreen;
}

/** What commands need in one session of the host. */
export interface ResumeContext extends ResumeDeps {
	session: ResumeSession;
}

/** The context of a typed command, extended by the methods that the host offers only to typed commands. */
export interface CommandContext extends ResumeContext {
	commandCtx: ExtensionCommandContext;
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

/** The record with a model's note, or why there is none. */
export type RecordOutcome = { ok: true; recap: SessionRecord } | Exclude<NoteOutcome, { ok: true }>;

export type ResumeSession = ReturnType<typeof createResumeSession>;

/** Creates the card and the records of one session instance of the host. */
export function createResumeSession(deps: ResumeDeps) {
	const { ctx, host, screen, commons } = deps;
	const { log, prepared, repository, words } = commons;
	const settings = () => deps.settings().resume;
	const budget = commons.budget("recap");
	const slot = createRequestSlot<"note">();
	let isLive = true;
	/** Whether something has happened in the session since it was opened. */
	let isBegun = false;

	const keeper = new Keeper({
		...deps,
		repository,
		minMessages: () => settings().minMessages,
		prepared,
		log,
		isDamaged: () => deps.shared.isDamaged,
	});
	const card = createCard({
		screen,
		now: Date.now,
		cardShown: (stamp) => deps.shared.recap?.giveWay(stamp),
	});
	const pin = createPin({ text: screen.typed, show: pinned });
	let idleTimer: NodeJS.Timeout | undefined;
	const startIdleTimer = () => {
		clearTimeout(idleTimer);
		const ms = Math.min(settings().idleMinutes * 60_000, MAX_MS);
		if (ms > 0) idleTimer = setTimeout(() => void idle().catch(logBug), ms).unref();
	};

	/** `pi -c` opens a damaged session without asking, unlike the board and `/resume-from`. */
	async function checkFile(): Promise<void> {
		const file = host.source.getSessionFile();
		const check = file === undefined ? undefined : await checkSession(file);
		if (!check?.ok || check.sound || !isLive) return;
		deps.shared.isDamaged = true;
		const text = `resume: the file of this session is damaged, so some of it may be missing here. ${forkCommand(host.id)} continues in a repaired copy.`;
		screen.say(text, "warning");
	}

	async function settled(): Promise<void> {
		await repository.refresh();
		// The record is prepared in advance, so that it only has to be appended when the user quits.
		if (isLive) keeper.state();
	}

	async function idle(): Promise<void> {
		if (!isLive || !ctx.isIdle()) return;
		const { idleMinutes, generator } = settings();
		if (idleMinutes === 0) return;
		const wantsModel = generator === "llm";
		const proposed = keeper.propose({ cause: "idle", wantsModel });
		if (!proposed.ok) return;
		const keep = (recap: Prepared["recap"]) =>
			keeper.put(recap, { over: proposed.prepared.existing, cause: "idle" });
		if (!wantsModel) {
			keep(proposed.prepared.recap);
			return;
		}
		askNote(proposed.prepared, "auto", (outcome) => {
			if (isLive) keep(outcome.ok ? outcome.recap : proposed.prepared.recap);
		});
	}

	/** Asks a model for the note on a state, and aborts any request in progress. `done` is called unless this request is aborted in turn. */
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

	function logBug(bug: unknown): void {
		log("background.failed", errorFields(bug));
	}

	function pinned(): void {
		const prepared = isLive && ctx.isIdle() ? keeper.state() : undefined;
		if (prepared?.reading.hasTask) showCard(prepared);
		else void repository.refresh().catch(logBug);
	}

	function hide(): void {
		pin.cancel();
		card.hide();
	}

	function showCard({ reading, shown: recap }: Prepared): void {
		pin.cancel();
		const { stamp, at } = reading;
		if (stamp === undefined) return;
		const window = ctx.model?.contextWindow ?? 0;
		const fill = reading.calls && window > 0 ? reading.calls.context / window : undefined;
		const language = words(reading.language);
		card.show({ stamp, recap, at, fill, name: reading.timeline.name, words: language });
		// If pi continues the session in another folder, that folder's repository has nothing to do with the card.
		if (host.isMoved) return;
		const then = recap.workspace?.cwd === host.cwd ? recap.workspace : undefined;
		void repository.changes(then?.git_head).then((changes) => {
			if (isLive) card.setRepository(stamp, describeChanges(then, changes, language));
		}, logBug);
	}

	return {
		keeper,
		card,
		showCard,
		words,
		/** Whether the session is still open. After the session has ended, its host objects throw errors. */
		isLive: () => isLive,
		clear() {
			const wasShown = card.shown !== undefined;
			hide();
			return wasShown;
		},
		/** Resolves when git has answered for the first time or has timed out. */
		async knowCheckout() {
			if (!repository.last) await repository.refresh();
		},
		askNote,
		dropRequest: slot.drop,
		/** A model's note on the current state has arrived. */
		noted() {
			const current = isLive && card.shown ? keeper.state() : undefined;
			if (current && current.reading.stamp === card.shown?.stamp) showCard(current);
		},
		/** Prepares the record of a session that has messages. If the session was reopened, shows its card. */
		async start(reason: StartReason) {
			if (reason === "startup") await checkFile();
			if (!isLive || keeper.state()?.reading.stamp === undefined) return;
			const isReopened = reason !== "new" && reason !== "reload";
			if (isReopened && !isBegun && settings().pinCard) pin.set();
			else void repository.refresh().catch(logBug);
			startIdleTimer();
		},
		happened(what: Happening) {
			isBegun = true;
			if (what !== "settled") hide();
			if (what === "run_started") {
				slot.drop();
				screen.answered();
				clearTimeout(idleTimer);
			}
			if (what === "settled") {
				void settled().catch(logBug);
				startIdleTimer();
			}
		},
		/** Whether this extension shows the card of a reopened session. */
		claims: () => isLive && settings().pinCard,
		hide,
		state: () => (isLive ? keeper.state() : undefined),
		end({ write }: { write: boolean }) {
			if (!isLive) return;
			isLive = false;
			pin.cancel();
			clearTimeout(idleTimer);
			slot.drop();
			if (!write || !host.isCurrent()) return;
			const kept = keeper.keep({ cause: "end" });
			// The screen is gone.
			if (!kept.ok && kept.reason === "unwritable") process.stderr.write(`${explainRefusal(kept)}\n`);
		},
	};
}

/** The maximum delay of a timer. */
const MAX_MS = 2 ** 31 - 1;
