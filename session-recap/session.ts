import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { RecapDrafted } from "../session-core/events.ts";
import { hostSource } from "../session-core/session/host-source.ts";
import { lastMessageId } from "../session-core/session/stamp.ts";
import { createScreen } from "../session-core/terminal/screen.ts";
import type { Wordbook } from "../session-core/words/wordbook.ts";
import type { Words } from "../session-core/words/words.ts";
import { CANCELLED, dailyAnswers, explainFailure, isRefusal } from "./command/answers.ts";
import type { RecapConfig } from "./config/config.ts";
import { type ConversationReaderDeps, createConversationReader } from "./conversation-reader.ts";
import { type Draft, viewOf } from "./draft/draft.ts";
import { createDrafter, type DrafterDeps } from "./draft/drafter.ts";
import { createRetry } from "./draft/retry.ts";
import { startPresence, step } from "./presence/step.ts";
import type { Effect, PresenceEvent } from "./presence/types.ts";
import type { Question, Reading } from "./reading.ts";
import { attachTerminal } from "./terminal/attach.ts";
import { createTimers } from "./timers.ts";
import { widgetLines } from "./widget.ts";

export interface SessionDeps extends Pick<DrafterDeps, "save"> {
	ctx: ExtensionContext;
	config: RecapConfig;
	wordbook: Wordbook;
	ask: DrafterDeps["ask"];
	loadReader: ConversationReaderDeps["load"];
	/** Offer a reopened session to others. `claimed`: somebody will show where it stands, so the recap need not. */
	offer(stamp: string): { claimed: boolean; shown: boolean };
	drafted(recap: RecapDrafted): void;
	shown(stamp: string): void;
	log(event: string, fields: Record<string, string | number | boolean | undefined>): void;
	now(): number;
}

export interface RecapSession {
	/** Begin: a session with a past says where it stands. */
	start(options: { reopened: boolean }): void;
	dispatch(event: PresenceEvent): void;
	/** `/recap`: on screen at once; a model's answer follows in place. Resolves then, or when there will be none. */
	recap(options: { force: boolean }): Promise<void>;
	/** `/recap show`: what is known, without a call. Resolves when it is on screen. */
	show(): Promise<void>;
	/** What `/recap show` would show, for the clipboard; undefined: nothing, which was said. */
	copyText(): Promise<string | undefined>;
	/** `/recap clear`; false: nothing was on screen. */
	dismiss(): boolean;
	isShown(): boolean;
	/** A card says the same: leave the screen to it. A draft in flight goes on, for the card. */
	giveWay(stamp: string): void;
	isLive(): boolean;
	/** The fixed words, in the user's language. */
	readonly words: Words;
	/** What a model would be given now, for `doctor`. */
	question(): Promise<Question>;
	/** The user is known to look at the terminal. */
	isLookedAt(): boolean;
	readonly terminal: { isTerminal: boolean; focusSeen: boolean };
	readonly draft: Draft | undefined;
	end(): void;
}

/** Without focus reports, who pressed a key this long ago looks at the terminal. */
const AT_THE_KEYS_MS = 5_000;

type Stamped = Reading & { stamp: string };

/** Performs what the presence machine decides, for one session instance of the host. */
export function createRecapSession(deps: SessionDeps): RecapSession {
	const { ctx, config } = deps;
	const source = hostSource(ctx.sessionManager);
	let presence = startPresence(config.limits);
	let lastKeyAt = Number.NEGATIVE_INFINITY;
	let onScreen: string | undefined;
	let typedFor: string | undefined;
	let answered: () => void = () => undefined;
	let isLive = true;

	const screen = createScreen(ctx.ui, "session-recap");
	const daily = () => dailyAnswers(deps.wordbook.words);
	const timers = createTimers((timer) => dispatch({ type: "timer", timer }));
	const conversation = createConversationReader({
		source,
		cwd: ctx.cwd,
		wordbook: deps.wordbook,
		load: deps.loadReader,
		isLive: () => isLive,
		failed: (where, error) => deps.log(`${where}.failed`, { error }),
	});
	const drafter = createDrafter({ ask: deps.ask, save: saveIfCurrent, changed });
	const retry = createRetry((stamp) => {
		if (isLive && config.limits.auto && ctx.isIdle() && lastMessageId(source) === stamp)
			draftInBackground(stamp);
	});
	const link = attachTerminal(ctx.ui, config.limits.focus, {
		focusOut: () => dispatch({ type: "away", reported: true }),
		focusIn: () => dispatch({ type: "back", reported: true }),
		lost: () => dispatch({ type: "away", reported: false }),
		gained: () => dispatch({ type: "back", reported: false }),
		key: () => {
			lastKeyAt = deps.now();
		},
	});

	function dispatch(event: PresenceEvent): void {
		if (!isLive) return;
		if (lastKeyAt > presence.lastKeyAt) presence = step(presence, { type: "key" }, lastKeyAt).state;
		const { state, effects } = step(presence, event, deps.now());
		presence = state;
		for (const effect of effects) perform(effect);
	}

	function perform(effect: Effect): void {
		switch (effect.type) {
			case "arm":
				timers.arm(effect.timer, effect.ms);
				break;
			case "disarm":
				timers.disarm(effect.timer);
				break;
			case "inspect":
				inspect();
				break;
			case "draft":
				draftInBackground(effect.stamp);
				break;
			case "reveal":
				reveal(effect.stamp);
				break;
			case "clear":
				clear();
				break;
		}
	}

	function inspect(): void {
		const isBusy = () => !ctx.isIdle() || ctx.hasPendingMessages();
		const answer = (stamp: string | undefined, busy: boolean) => {
			dispatch({ type: "inspected", stamp, busy });
			deps.log("state.inspected", { stamp, busy });
		};
		if (isBusy()) answer(undefined, true);
		else conversation.read(({ worth, stamp }) => answer(worth.sincePrompt ? stamp : undefined, isBusy()));
	}

	function draftInBackground(stamp: string): void {
		conversation.read((reading) => {
			if (!isStamped(reading) || reading.stamp !== stamp) return;
			const draft = drafter.open(reading);
			if (draft.answer) {
				deps.drafted({ stamp, ...draft.answer });
				return;
			}
			drafter.improve(draft, reading, "auto");
			deps.log("draft.asked", { stamp, trigger: "auto" });
		});
	}

	function reveal(stamp: string): void {
		const known = drafter.find(stamp);
		if (known) put(known);
		else
			conversation.read(
				(reading) => isStamped(reading) && reading.stamp === stamp && put(drafter.open(reading)),
			);
	}

	function put(draft: Draft): void {
		onScreen = draft.stamp;
		deps.shown(draft.stamp);
		const { recap, keys } = deps.wordbook.words;
		const hide = config.hideKey && keys.hides(config.hideKey);
		screen.show((paint) => widgetLines({ ...viewOf(draft), hide }, paint, recap.name));
	}

	function clear(): void {
		onScreen = undefined;
		drafter.drop();
		retry.cancel();
		endTyped();
		screen.hide();
	}

	/** Escape: the request is broken off, what is on screen stays. */
	function cancel(): void {
		drafter.drop();
		endTyped();
		screen.say(CANCELLED);
	}

	function endTyped(): void {
		answered();
		if (typedFor === undefined) return;
		typedFor = undefined;
		screen.answered();
	}

	/** An answer arrived, or none did. Only the instance, session and state that asked may use it. */
	function changed(draft: Draft): void {
		if (!isLive) return;
		const { stamp, status, failure } = draft;
		retry.done(draft);
		deps.log("draft.done", { stamp, status, reason: failure?.reason, http: failure?.status });
		if (lastMessageId(source) !== draft.stamp) return;
		if (draft.answer) deps.drafted({ stamp: draft.stamp, ...draft.answer });
		if (onScreen === draft.stamp) put(draft);
		if (typedFor !== draft.stamp) return;
		if (failure && isRefusal(failure.reason)) {
			// A draft that nobody had asked for was refused while the user typed: what was typed is asked.
			conversation.read((reading) => drafter.improve(draft, reading, "typed"));
			return;
		}
		if (failure) screen.say(explainFailure(failure, { hasAnswer: draft.answer !== undefined }), "warning");
		endTyped();
	}

	function saveIfCurrent(stamp: string, answer: { text: string; model: string }): void {
		if (isLive && lastMessageId(source) === stamp) deps.save(stamp, answer);
	}

	/** Go on with the conversation as it stands, if a typed command may speak about it; otherwise say why not. */
	function withReadingForUser(use: (reading: Stamped) => "over" | "asking"): Promise<void> {
		if (!ctx.isIdle()) {
			screen.say(daily().working, "warning");
			return Promise.resolve();
		}
		let over: () => void = () => undefined;
		const done = new Promise<void>((resolve) => {
			over = resolve;
		});
		conversation.read((reading) => {
			const isWorthIt = isStamped(reading) && reading.hasTask;
			if (!isWorthIt) screen.say(daily().tooLittle);
			if (!isWorthIt || use(reading) === "over") over();
			else answered = over;
		});
		return done;
	}

	return {
		dispatch,
		isLive: () => isLive,
		isLookedAt() {
			if (!isLive || presence.awaySince !== undefined) return false;
			return presence.focusSeen || deps.now() - lastKeyAt < AT_THE_KEYS_MS;
		},
		isShown: () => onScreen !== undefined,
		dismiss() {
			const wasShown = onScreen !== undefined;
			clear();
			return wasShown;
		},
		giveWay(stamp) {
			onScreen = undefined;
			screen.hide();
			dispatch({ type: "covered", stamp });
		},
		start({ reopened }) {
			const hasPast = reopened && lastMessageId(source) !== undefined;
			const begin = (stamp: string | undefined) => {
				const offer = stamp === undefined ? undefined : deps.offer(stamp);
				if (stamp !== undefined && offer?.shown) dispatch({ type: "covered", stamp });
				const claimed = offer?.claimed ?? false;
				dispatch({ type: "session_start", stamp, reopened, claimed });
			};
			if (!hasPast) begin(undefined);
			else conversation.read(({ worth, stamp }) => begin(worth.reopened ? stamp : undefined));
		},
		recap({ force }) {
			return withReadingForUser((reading) => {
				const draft = drafter.open(reading);
				put(draft);
				dispatch({ type: "shown", stamp: draft.stamp });
				if (draft.answer && !force) return "over";
				if (force) drafter.drop();
				typedFor = draft.stamp;
				screen.asking(daily().drafting, deps.wordbook.words.keys.cancels("esc"), cancel);
				drafter.improve(draft, reading, "typed");
				deps.log("draft.asked", { stamp: draft.stamp, trigger: "typed" });
				return "asking";
			});
		},
		show() {
			return withReadingForUser((reading) => {
				put(drafter.open(reading));
				dispatch({ type: "shown", stamp: reading.stamp });
				return "over";
			});
		},
		async copyText() {
			let text: string | undefined;
			await withReadingForUser((reading) => {
				text = viewOf(drafter.open(reading)).lines.join("\n");
				return "over";
			});
			return text;
		},
		get words() {
			return deps.wordbook.words;
		},
		question: async () => (await conversation.reading()).question(),
		get terminal() {
			return { isTerminal: link.isTerminal, focusSeen: presence.focusSeen };
		},
		get draft() {
			const stamp = lastMessageId(source);
			return stamp === undefined ? undefined : drafter.find(stamp);
		},
		end() {
			if (!isLive) return;
			dispatch({ type: "session_end" });
			isLive = false;
			timers.disarmAll();
			link.detach();
		},
	};
}

function isStamped(reading: Reading): reading is Stamped {
	return reading.stamp !== undefined;
}
