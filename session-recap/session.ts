import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { RecapDrafted } from "../session-core/events.ts";
import { createScreen } from "../session-core/host/screen.ts";
import { lastMessageId } from "../session-core/session-file/branch.ts";
import { hostSource } from "../session-core/session-file/entry.ts";
import type { Wordbook } from "../session-core/words/wordbook.ts";
import type { Words } from "../session-core/words/words.ts";
import type { RecapConfig } from "./config.ts";
import { type ConversationReaderDeps, createConversationReader, isStamped } from "./conversation-reader.ts";
import type { Draft } from "./draft/draft.ts";
import { createDrafter, createRetry, type DrafterDeps } from "./draft/drafter.ts";
import { createPresence, type OutwardEffect } from "./presence/machine.ts";
import type { PresenceEvent } from "./presence/types.ts";
import type { Question } from "./reading.ts";
import { createSurface } from "./surface.ts";
import { attachTerminal } from "./terminal/attach.ts";
import { createTypedRecap, type TypedRecap } from "./typed-recap.ts";

export interface SessionDeps extends Pick<DrafterDeps, "save"> {
	ctx: ExtensionContext;
	/** The current configuration; the same object until a setting changes. */
	config(): RecapConfig;
	/** The key that shows and hides the recap, if one is bound. */
	hideKey: string | undefined;
	wordbook: Wordbook;
	ask: DrafterDeps["ask"];
	loadReader: ConversationReaderDeps["load"];
	/** Offers a reopened session to other extensions. `claimed`: one of them will show its state instead of the recap. */
	offer(stamp: string): Promise<{ claimed: boolean; shown: boolean }>;
	drafted(recap: RecapDrafted): void;
	/** The terminal regained the focus. */
	returned(): void;
	shown(stamp: string): void;
	log(event: string, fields: Record<string, string | number | boolean | undefined>): void;
	now(): number;
}

export interface RecapSession extends Pick<TypedRecap, "recap" | "show" | "copyText"> {
	/** Starts; a reopened session shows its recap. */
	start(options: { reopened: boolean }): void;
	dispatch(event: PresenceEvent): void;
	/** Applies changed settings. `dispatch` does this, too. */
	followSettings(): void;
	/** `/recap clear`; false if there was nothing on the screen. */
	dismiss(): boolean;
	isShown(): boolean;
	/** Hides the recap because a card shows the same state. A request in flight continues, for the card. */
	giveWay(stamp: string): void;
	isLive(): boolean;
	/** The strings of the interface, in the user's language. */
	readonly words: Words;
	/** The request that would be sent to a model now, for `doctor`. */
	question(): Promise<Question>;
	/** Whether the user is known to be looking at the terminal. */
	isLookedAt(): boolean;
	readonly terminal: { isTerminal: boolean; focusSeen: boolean };
	readonly draft: Draft | undefined;
	end(): void;
}

/** Without focus reports, a key press within this time shows that the user is looking at the terminal. In ms. */
const AT_THE_KEYS_MS = 5_000;

/** Performs the effects of the presence machine for one session instance of the host. */
export function createRecapSession(deps: SessionDeps): RecapSession {
	const { ctx, config, log } = deps;
	const source = hostSource(ctx.sessionManager);
	const words = () => deps.wordbook.words;
	let isLive = true;

	const screen = createScreen(ctx.ui, "session-recap");
	const surface = createSurface({ screen, words, hideKey: deps.hideKey, shown: deps.shown });
	const conversation = createConversationReader({
		source,
		cwd: ctx.cwd,
		wordbook: deps.wordbook,
		load: deps.loadReader,
		isLive: () => isLive,
		failed: (where, error) => log(`${where}.failed`, { error }),
	});
	const drafter = createDrafter({ ask: deps.ask, save: saveIfCurrent, changed });
	const retry = createRetry((stamp) => {
		if (isLive && config().limits.auto && ctx.isIdle() && lastMessageId(source) === stamp)
			draftInBackground(stamp);
	});
	const presence = createPresence({ config, perform, log, now: deps.now });
	const { dispatch } = presence;
	const typed = createTypedRecap({
		screen,
		surface,
		conversation,
		drafter,
		words,
		log,
		isIdle: () => ctx.isIdle(),
		shown: (stamp) => dispatch({ type: "shown", stamp }),
	});
	const link = attachTerminal(ctx.ui, config().limits.focus, {
		focusOut: () => dispatch({ type: "away", reported: true }),
		focusIn: () => {
			deps.returned();
			dispatch({ type: "back", reported: true });
		},
		lost: () => dispatch({ type: "away", reported: false }),
		gained: () => dispatch({ type: "back", reported: false }),
		key: presence.key,
	});

	function perform(effect: OutwardEffect): void {
		switch (effect.type) {
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
		// A run that starts meanwhile is inspected when it settles.
		const isBusy = () => !ctx.isIdle() || ctx.hasPendingMessages();
		if (isBusy()) return;
		conversation.read(({ worth, stamp: last }) => {
			if (isBusy()) return;
			const stamp = worth.sincePrompt ? last : undefined;
			dispatch({ type: "inspected", stamp });
			log("state.inspected", { stamp });
		});
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
			log("draft.asked", { stamp, trigger: "auto" });
		});
	}

	function reveal(stamp: string): void {
		const known = drafter.find(stamp);
		if (known) surface.put(known);
		else
			conversation.read(
				(reading) => isStamped(reading) && reading.stamp === stamp && surface.put(drafter.open(reading)),
			);
	}

	function clear(): void {
		drafter.drop();
		retry.cancel();
		typed.end();
		surface.hide();
	}

	/** A model call ended. Only the session and state that requested the draft may use it. */
	function changed(draft: Draft): void {
		if (!isLive) return;
		const { stamp, status, failure } = draft;
		retry.done(draft);
		const { reason, status: http, detail } = failure ?? {};
		log("draft.done", { stamp, status, reason, http, detail });
		if (lastMessageId(source) !== stamp) return;
		if (draft.answer) deps.drafted({ stamp, ...draft.answer });
		if (surface.stamp === stamp) surface.put(draft);
		typed.changed(draft);
	}

	function saveIfCurrent(stamp: string, answer: { text: string; model: string }): void {
		if (isLive && lastMessageId(source) === stamp) deps.save(stamp, answer);
	}

	return {
		...typed,
		dispatch,
		followSettings: presence.followSettings,
		isLive: () => isLive,
		isLookedAt() {
			const { awaySince, focusSeen, lastKeyAt } = presence.state;
			if (!isLive || awaySince !== undefined) return false;
			return focusSeen || deps.now() - lastKeyAt < AT_THE_KEYS_MS;
		},
		isShown: () => surface.stamp !== undefined,
		dismiss() {
			const wasShown = surface.stamp !== undefined;
			clear();
			return wasShown;
		},
		giveWay(stamp) {
			surface.hide();
			dispatch({ type: "covered", stamp });
		},
		start({ reopened }) {
			const hasPast = reopened && lastMessageId(source) !== undefined;
			const begin = async (stamp: string | undefined) => {
				const offer = stamp === undefined ? undefined : await deps.offer(stamp);
				if (stamp !== undefined && offer?.shown) dispatch({ type: "covered", stamp });
				const claimed = offer?.claimed ?? false;
				dispatch({ type: "session_start", stamp, reopened, claimed });
			};
			if (!hasPast) void begin(undefined);
			else conversation.read(({ worth, stamp }) => void begin(worth.reopened ? stamp : undefined));
		},
		get words() {
			return words();
		},
		question: async () => (await conversation.reading()).question(),
		get terminal() {
			return { isTerminal: link.isTerminal, focusSeen: presence.state.focusSeen };
		},
		get draft() {
			const stamp = lastMessageId(source);
			return stamp === undefined ? undefined : drafter.find(stamp);
		},
		end() {
			if (!isLive) return;
			presence.end();
			isLive = false;
			link.detach();
		},
	};
}
