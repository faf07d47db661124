import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { createScreen } from "../session-core/host/screen.ts";
import type { Commons } from "../session-core/hub/commons.ts";
import type { Shared } from "../session-core/hub/shared.ts";
import { lastMessageId } from "../session-core/session-file/branch.ts";
import { hostSource } from "../session-core/session-file/entry.ts";
import type { RecapConfig } from "./config.ts";
import { createDrafter, createSurface, type Draft, type DrafterDeps } from "./draft.ts";
import type { Presence, PresenceEvent } from "./presence.ts";
import { createPresence, type OutwardEffect } from "./presence-machine.ts";
import { type RecapQuestion, type RecapReading, recapReading } from "./reading.ts";
import { attachTerminal } from "./terminal.ts";
import { createTypedRecap, type TypedRecap } from "./typed-recap.ts";

interface RecapSessionDeps extends Pick<DrafterDeps, "save"> {
	ctx: ExtensionContext;
	/** Returns the current configuration. It is the same object until a setting changes. */
	config(): RecapConfig;
	/** The key that shows and hides the recap, if a key is bound. */
	hideKey: string | undefined;
	commons: Pick<Commons, "language" | "log" | "state">;
	ask: DrafterDeps["ask"];
	/** What session-resume does for the recap. */
	shared: Pick<Shared, "resume" | "live">;
	now(): number;
}

export interface RecapSession extends Pick<TypedRecap, "recap" | "show" | "copyText"> {
	/** Starts tracking the session. If the session was reopened, a recap is shown immediately. */
	start(options: { reopened: boolean }): Promise<void>;
	dispatch(event: PresenceEvent): void;
	/** Applies changed settings. `dispatch` does this as well. */
	followSettings(): void;
	/** Hides the recap for `/recap clear`. Returns false if no recap was shown. */
	dismiss(): boolean;
	isShown(): boolean;
	/** Hides the recap because a card shows the same state. A request in progress continues, because the card will use its answer. */
	giveWay(stamp: string): void;
	isLive(): boolean;
	/** Returns the request that would be sent to a model now, for `doctor`. Undefined if there is nothing to send. */
	question(): Promise<RecapQuestion | undefined>;
	/** Whether the user is known to be looking at the terminal. */
	isLookedAt(): boolean;
	readonly terminal: { isTerminal: boolean; isTooSlow: boolean; focusSeen: boolean };
	readonly draft: Draft | undefined;
	/** See `Presence`. */
	readonly lastReturn: Presence["lastReturn"];
	end(): void;
}

/** Number of milliseconds after a keystroke during which the user counts as looking at the terminal, if there are no focus reports. */
const AT_THE_KEYS_MS = 5_000;

/** Performs the effects of the presence machine for one session instance of the host. */
export function createRecapSession(deps: RecapSessionDeps): RecapSession {
	const { ctx, config, shared } = deps;
	const { language, log, state } = deps.commons;
	const source = hostSource(ctx.sessionManager);
	let isLive = true;

	const screen = createScreen(ctx.ui, "session-recap");
	const surface = createSurface({
		screen,
		hideKey: deps.hideKey,
		shown: () => shared.resume?.giveWay(),
	});
	const drafter = createDrafter({ ask: deps.ask, save: saveIfCurrent, changed });
	const presence = createPresence({ config, perform, log, now: deps.now });
	const { dispatch } = presence;
	const typed = createTypedRecap({
		screen,
		surface,
		readCurrent,
		drafter,
		log,
		isLive: () => isLive,
		isIdle: () => ctx.isIdle(),
		shown: (stamp) => dispatch({ type: "shown", stamp }),
	});
	const link = attachTerminal(ctx.ui, config().limits.focus, {
		focusOut: () => {
			shared.live?.focusReported();
			dispatch({ type: "away", reported: true });
		},
		focusIn: () => {
			shared.live?.focusReported();
			dispatch({ type: "back", reported: true });
		},
		lost: () => dispatch({ type: "away", reported: false }),
		gained: () => dispatch({ type: "back", reported: false }),
		key: presence.key,
	});

	function perform(effect: OutwardEffect): void {
		switch (effect.type) {
			case "inspect":
				void inspect();
				break;
			case "draft":
				void draftInBackground(effect.stamp);
				break;
			case "reveal":
				void reveal(effect.stamp);
				break;
			case "clear":
				clear();
				break;
		}
	}

	/** Reads the conversation. Returns undefined if there is no message yet, reading fails, or the session has ended. */
	async function readCurrent(): Promise<RecapReading | undefined> {
		const current = isLive ? state() : undefined;
		return current && recapReading(current, language);
	}

	async function readState(stamp: string): Promise<RecapReading | undefined> {
		const reading = await readCurrent();
		return reading?.stamp === stamp ? reading : undefined;
	}

	async function inspect(): Promise<void> {
		// A run that is active or starts during the inspection is inspected when it settles.
		const isBusy = () => !ctx.isIdle() || ctx.hasPendingMessages();
		if (isBusy()) return;
		const reading = await readCurrent();
		if (!isLive || isBusy()) return;
		const stamp = reading?.worth.sincePrompt ? reading.stamp : undefined;
		dispatch({ type: "inspected", stamp });
		log("state.inspected", { stamp });
	}

	async function draftInBackground(stamp: string): Promise<void> {
		const reading = await readState(stamp);
		if (!reading) return;
		const draft = drafter.open(reading);
		if (draft.answer) {
			shared.resume?.drafted({ stamp, ...draft.answer });
			return;
		}
		drafter.improve(draft, reading, "auto");
		log("draft.asked", { stamp, trigger: "auto" });
	}

	async function reveal(stamp: string): Promise<void> {
		const known = drafter.find(stamp);
		const reading = known ? undefined : await readState(stamp);
		const draft = known ?? (reading && drafter.open(reading));
		if (draft) surface.put(draft);
	}

	function clear(): void {
		drafter.drop();
		typed.end();
		surface.hide();
	}

	/** Called when a model call has ended. Its draft may be used only in the session and state for which it was requested. */
	function changed(draft: Draft): void {
		if (!isLive) return;
		const { stamp, status, failure } = draft;
		const { reason, status: http, detail } = failure ?? {};
		log("draft.done", { stamp, status, reason, http, detail });
		if (lastMessageId(source) !== stamp) return;
		if (draft.answer) shared.resume?.drafted({ stamp, ...draft.answer });
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
		async start({ reopened }) {
			const hasPast = reopened && lastMessageId(source) !== undefined;
			const reading = hasPast ? await readCurrent() : undefined;
			const stamp = reading?.worth.reopened ? reading.stamp : undefined;
			const offer = stamp === undefined ? undefined : await shared.resume?.claims(stamp);
			if (stamp !== undefined && offer?.shown) dispatch({ type: "covered", stamp });
			dispatch({ type: "session_start", stamp, reopened, claimed: offer?.claimed ?? false });
		},
		question: async () => (await readCurrent())?.question(),
		get terminal() {
			return {
				isTerminal: link.isTerminal,
				isTooSlow: link.isTooSlow(),
				focusSeen: presence.state.focusSeen,
			};
		},
		get lastReturn() {
			return presence.state.lastReturn;
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
