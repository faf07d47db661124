import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { StartReason } from "../session-core/host/host-events.ts";
import type { FlagValues } from "../session-core/host/register.ts";
import { createScreen } from "../session-core/host/screen.ts";
import { commonsOf } from "../session-core/hub/commons.ts";
import type { Shared } from "../session-core/hub/hub.ts";
import { chooseModels, describeUnusable } from "../session-core/model/choose-model.ts";
import { RECAP_TEXT_ENTRY } from "../session-core/recap/stored-records.ts";
import { appendCarefully } from "../session-core/session-file/append.ts";
import { lastMessageId } from "../session-core/session-file/branch.ts";
import { hostSource } from "../session-core/session-file/entry.ts";
import type { SettingsReader } from "../session-core/settings/load.ts";
import { cleanLine } from "../session-core/text/sanitize.ts";
import { askForRecap, projectContext as instructions } from "./ask.ts";
import { type RecapConfig, recapConfig } from "./config.ts";
import { createDrafter, createSurface, type Draft } from "./draft.ts";
import { createClock, createPresence, type Effect } from "./presence.ts";
import { type RecapReading, recapReading } from "./reading.ts";
import { attachTerminal } from "./terminal.ts";
import { createTypedRecap } from "./typed-recap.ts";

export type RecapSession = ReturnType<typeof startRecap>;

/** Number of milliseconds after a keystroke during which the user counts as looking at the terminal, if there are no focus reports. */
const AT_THE_KEYS_MS = 5_000;

/** Starts the extension in a session: performs the effects of presence, and reports problems with settings and flags once. */
export function startRecap(pi: ExtensionAPI, ctx: ExtensionContext, shared: Shared, flags: FlagValues) {
	const commons = commonsOf(shared, ctx);
	const { agentDir, shortcuts, log } = commons;
	const config = currentConfig(commons.settings, flags);
	const budget = commons.budget("recap");
	const choose = () => chooseModels(config().models, ctx.model, ctx.modelRegistry);
	const source = hostSource(ctx.sessionManager);
	const now = createClock({ wall: Date.now, steady: () => performance.now() });
	let isLive = true;
	/** Whether the terminal has reported its focus. */
	let focusSeen = false;

	const screen = createScreen(ctx.ui, "session-recap");
	const surface = createSurface(screen, shortcuts.keys.recap[0], () => shared.resume?.giveWay());
	const drafter = createDrafter({
		ask: async (reading, signal, by) => {
			const { includeProjectContext } = config();
			const projectContext = includeProjectContext ? await instructions(ctx.cwd, agentDir) : undefined;
			const request = { reading, signal, by, candidates: choose().candidates, projectContext };
			return askForRecap(request, { budget, call: commons.call });
		},
		save: (stamp, answer) => {
			if (shared.isDamaged || !isCurrent(stamp)) return;
			// If the answer cannot be stored, the only consequence is that the recap is requested again after a restart.
			const saved = appendCarefully(source, () =>
				pi.appendEntry(RECAP_TEXT_ENTRY, { last_message_id: stamp, ...answer }),
			);
			if (!saved.ok) log("recap.not_saved", { stamp, reason: saved.reason });
		},
		changed,
	});
	const presence = createPresence({ config, perform, log, now });
	const { dispatch } = presence;
	const typed = createTypedRecap({
		screen,
		surface,
		read,
		drafter,
		log,
		isIdle: () => ctx.isIdle(),
		shown: (stamp) => dispatch({ type: "shown", stamp }),
	});
	const link = attachTerminal(ctx.ui, config().limits.focus, {
		focusOut: () => focusReported("away"),
		focusIn: () => focusReported("back"),
		lost: () => dispatch({ type: "away" }),
		gained: () => dispatch({ type: "back" }),
		key: presence.key,
	});

	function focusReported(type: "away" | "back"): void {
		focusSeen = true;
		shared.live?.focusReported();
		dispatch({ type });
	}

	function perform(effect: Effect): void {
		switch (effect.type) {
			case "inspect":
				// The effects of the current event are performed first.
				queueMicrotask(inspect);
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

	/** Reads the conversation. Returns undefined if there is no message yet, reading fails, or the session has ended. */
	function read(): RecapReading | undefined {
		const current = isLive ? commons.state() : undefined;
		return current && recapReading(current, commons.language);
	}

	/** Opens the draft of this state. Returns undefined if the conversation has another state now. */
	function openDraft(stamp: string): { draft: Draft; reading: RecapReading } | undefined {
		const reading = read();
		return reading?.stamp === stamp ? { draft: drafter.open(reading), reading } : undefined;
	}

	function isCurrent(stamp: string): boolean {
		return isLive && lastMessageId(source) === stamp;
	}

	function inspect(): void {
		// A run that is active is inspected when it settles.
		if (!isLive || !ctx.isIdle() || ctx.hasPendingMessages()) return;
		const reading = read();
		const stamp = reading?.worth.sincePrompt ? reading.stamp : undefined;
		dispatch({ type: "inspected", stamp });
		log("state.inspected", { stamp });
	}

	function draftInBackground(stamp: string): void {
		const opened = openDraft(stamp);
		if (!opened) return;
		const { draft, reading } = opened;
		if (draft.answer) {
			shared.resume?.drafted({ stamp, ...draft.answer });
			return;
		}
		drafter.improve(draft, reading, "auto");
		log("draft.asked", { stamp, trigger: "auto" });
	}

	function reveal(stamp: string): void {
		const draft = drafter.find(stamp) ?? openDraft(stamp)?.draft;
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
		const { stamp, failure } = draft;
		const status = failure ? "failed" : "answered";
		const { reason, status: http, detail } = failure ?? {};
		log("draft.done", { stamp, status, reason, http, detail });
		if (!isCurrent(stamp)) return;
		if (draft.answer) shared.resume?.drafted({ stamp, ...draft.answer });
		if (surface.stamp === stamp) surface.put(draft);
		typed.changed(draft);
	}

	const unusable = choose().unusable.map((it) => `recap: ${describeUnusable(it)}`);
	for (const problem of [...shortcuts.problems, ...config().problems, ...unusable].map(cleanLine))
		commons.warn(problem);

	return {
		pi,
		ctx,
		shared,
		agentDir,
		shortcuts,
		budget,
		config,
		choose,
		read,
		typed,
		dispatch,
		followSettings: presence.followSettings,
		isLive: () => isLive,
		/** Begins to show recaps automatically. If the session was reopened, a recap is shown at once. */
		async begin(reason: StartReason): Promise<void> {
			// A prompt that was given on the command line may already be running when this code is loaded.
			if (!ctx.isIdle()) dispatch({ type: "run_start" });
			const reopened = reason !== "new" && reason !== "reload";
			const reading = reopened && lastMessageId(source) !== undefined ? read() : undefined;
			const stamp = reading?.worth.reopened ? reading.stamp : undefined;
			const offer = stamp === undefined ? undefined : await shared.resume?.claims(stamp);
			if (stamp !== undefined && offer?.shown) dispatch({ type: "covered", stamp });
			dispatch({ type: "session_start", stamp, reopened, claimed: offer?.claimed ?? false });
		},
		/** Whether the user is known to be looking at the terminal. */
		isLookedAt() {
			const { awaySince, lastKeyAt } = presence.state;
			if (!isLive || awaySince !== undefined) return false;
			return focusSeen || now() - lastKeyAt < AT_THE_KEYS_MS;
		},
		isShown: () => surface.stamp !== undefined,
		/** Hides the recap for `/recap clear`. Returns false if no recap was shown. */
		dismiss() {
			const wasShown = surface.stamp !== undefined;
			clear();
			return wasShown;
		},
		/** Hides the recap because a card shows the same state. A request in progress continues, because the card will use its answer. */
		giveWay(stamp: string) {
			surface.hide();
			dispatch({ type: "covered", stamp });
		},
		terminal: () => ({ isTerminal: link.isTerminal, focusSeen }),
		/** See `Presence`. */
		lastReturn: () => presence.state.lastReturn,
		/** The draft of the current state. */
		draft() {
			const stamp = lastMessageId(source);
			return stamp === undefined ? undefined : drafter.find(stamp);
		},
		end() {
			if (!isLive) return;
			presence.end();
			clear();
			isLive = false;
			link.detach();
		},
	};
}

function currentConfig(reader: SettingsReader, flags: FlagValues): () => RecapConfig {
	let loaded = reader.current();
	let config = recapConfig(loaded, flags, process.env);
	return () => {
		const now = reader.current();
		if (now !== loaded) config = recapConfig(now, flags, process.env);
		loaded = now;
		return config;
	};
}
