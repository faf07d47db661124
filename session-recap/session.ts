import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { lastMessageId } from "../session-core/log/index.ts";
import {
	cheaperModel,
	createScreen,
	describeUnusable,
	explainNoteFailure,
	type FlagValues,
	type SettingsReader,
	type Shared,
	type StartReason,
} from "../session-core/pi/index.ts";
import { cleanLine } from "../session-core/text/index.ts";
import { type RecapConfig, recapConfig } from "./config.ts";
import { bodyLines, type Draft, isQuoted, widgetLines } from "./draft.ts";
import { Drafts } from "./drafts.ts";
import { activeAt, createClock, createPresence, type Effect } from "./presence.ts";
import { attachTerminal } from "./terminal.ts";

/** Number of milliseconds after a keystroke during which the user counts as looking at a terminal that does not report its focus. */
const AT_THE_KEYS_MS = 5_000;

export function startRecap(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	shared: Shared,
	flags: FlagValues,
): RecapSession {
	const recap = new RecapSession(pi, ctx, shared, flags);
	const unusable = recap.choose().unusable.map(describeUnusable);
	const { shortcuts, warn } = recap.drafts.commons;
	for (const problem of [...shortcuts.problems, ...recap.config().problems, ...unusable].map(cleanLine))
		warn(problem);
	return recap;
}

export class RecapSession {
	readonly pi: ExtensionAPI;
	readonly ctx: ExtensionContext;
	readonly shared: Shared;
	readonly config: () => RecapConfig;
	readonly choose: () => ReturnType<Drafts["commons"]["choose"]>;
	readonly drafts: Drafts;
	readonly #screen: ReturnType<typeof createScreen>;
	readonly presence: ReturnType<typeof createPresence>;
	readonly #now = createClock({ wall: Date.now, steady: () => performance.now() });
	readonly #link: ReturnType<typeof attachTerminal>;
	#focusSeen = false;
	/** Whether the last inspection found too little for a recap. */
	#isTooLittle = false;
	#onScreen: Draft | undefined;
	#awaited: Draft | undefined;

	constructor(pi: ExtensionAPI, ctx: ExtensionContext, shared: Shared, flags: FlagValues) {
		this.pi = pi;
		this.ctx = ctx;
		this.shared = shared;
		this.#screen = createScreen(ctx.ui, "session-recap");
		this.choose = () => this.drafts.commons.choose("recap", flags);
		this.drafts = new Drafts(pi, ctx, shared, {
			choose: this.choose,
			sendsInstructions: () => this.config().includeProjectContext,
			changed: (draft) => {
				if (this.#onScreen === draft) this.#put(draft);
			},
			ended: (draft) => this.#ended(draft),
		});
		const { log, settings } = this.drafts.commons;
		this.config = currentConfig(settings, flags);
		const perform = (effect: Effect) => this.#perform(effect);
		this.presence = createPresence({ config: this.config, perform, log, now: this.#now });
		this.#link = attachTerminal(ctx.ui, this.config().limits.focus, {
			focusOut: () => this.#focusReported("away"),
			focusIn: () => this.#focusReported("back"),
			lost: () => this.presence.dispatch({ type: "away" }),
			gained: () => this.presence.dispatch({ type: "back" }),
			key: this.presence.key,
			mouse: this.presence.mouse,
		});
	}

	readonly isShown = (): boolean => this.#onScreen !== undefined;
	readonly terminal = () => ({ isTerminal: this.#link.isTerminal, focusSeen: this.#focusSeen });

	readonly cheaper = () => {
		const [first] = this.choose().candidates;
		return first && cheaperModel(first.model, this.ctx.modelRegistry);
	};

	/** Begins to show recaps automatically. If the session was reopened, a recap is shown at once. */
	async begin(reason: StartReason): Promise<void> {
		// A prompt that was given on the command line may already be running when this code is loaded.
		if (!this.ctx.isIdle()) this.presence.dispatch({ type: "run_start" });
		const reopened = reason !== "new" && reason !== "reload";
		const hasMessages = lastMessageId(this.drafts.source) !== undefined;
		const reading = reopened && hasMessages ? this.drafts.read() : undefined;
		const stamp = reading?.worth.reopened ? reading.stamp : undefined;
		const offer = stamp === undefined ? undefined : await this.shared.resume?.claims(stamp);
		if (stamp !== undefined && offer?.shown) this.presence.dispatch({ type: "covered", stamp });
		this.presence.dispatch({ type: "session_start", stamp, reopened, claimed: offer?.claimed ?? false });
	}

	/**
	 * Returns for how many more milliseconds the user counts as looking at the terminal; 0 if the user is not looking. Focus proves that a
	 * person is present only for the idle time after the last key, because people walk away from terminals that keep the focus. Without focus
	 * reports, returns infinity if the user has just pressed a key, and 0 otherwise.
	 */
	looksForMs(): number {
		const { awaySince, lastKeyAt, limits } = this.presence.state;
		if (!this.drafts.isLive || awaySince !== undefined) return 0;
		if (this.#focusSeen) return Math.max(0, activeAt(this.presence.state) + limits.idleMs - this.#now());
		return this.#now() - lastKeyAt < AT_THE_KEYS_MS ? Number.POSITIVE_INFINITY : 0;
	}

	/** Whether a note on the current state has been requested, or will be while the user is away. */
	isNoting(): boolean {
		const { awaySince, limits } = this.presence.state;
		return this.drafts.isWriting || (limits.auto && awaySince !== undefined && !this.#isTooLittle);
	}

	async request({ force }: { force: boolean }): Promise<void> {
		const read = this.#readForCommand();
		if (!read) return;
		const draft = this.drafts.open(read);
		this.#putForCommand(draft);
		if (!isQuoted(draft) && !force) return;
		if (force) this.drafts.drop();
		this.#awaited = draft;
		this.#screen.asking("recap: asking the model …", () => this.#cancel());
		await this.drafts.improve(draft, "typed");
	}

	show(): void {
		const draft = this.#readForCommand();
		if (draft) this.#putForCommand(this.drafts.open(draft));
	}

	/** Returns the text that `show` would display, for the clipboard. If there is no such text, shows a message and returns undefined. */
	copyText(): string | undefined {
		const draft = this.#readForCommand();
		return draft && bodyLines(this.drafts.open(draft).record, this.#wordsOf(draft)).join("\n");
	}

	/** Hides the recap for `/recap clear`. Returns false if no recap was shown. */
	dismiss(): boolean {
		const wasShown = this.isShown();
		this.#clear();
		return wasShown;
	}

	/** Hides the recap because a card shows the same state. A request in progress continues, because the card will use its answer. */
	giveWay(stamp: string): void {
		this.#hide();
		this.presence.dispatch({ type: "covered", stamp });
	}

	end(): void {
		if (!this.drafts.isLive) return;
		this.presence.end();
		this.#clear();
		this.drafts.isLive = false;
		this.#link.detach();
	}

	#focusReported(type: "away" | "back"): void {
		this.#focusSeen = true;
		this.shared.live?.focusReported();
		this.presence.dispatch({ type });
		if (type === "back") this.#tellTitle();
	}

	/** A note also names an unnamed session. If no note will arrive soon, session-title may request a title instead. */
	#tellTitle(): void {
		if (!this.isNoting()) this.shared.title?.noted();
	}

	#perform(effect: Effect): void {
		switch (effect.type) {
			case "inspect":
				// The other effects of the current event must be performed first.
				queueMicrotask(() => this.#inspect());
				break;
			case "draft":
				this.#draftInBackground(effect.stamp);
				break;
			case "reveal":
				this.#put(this.drafts.of(effect.stamp));
				break;
			case "clear":
				this.#clear();
				break;
		}
	}

	#inspect(): void {
		// If a run is active, the session is inspected when that run has settled.
		if (!this.drafts.isLive || !this.ctx.isIdle() || this.ctx.hasPendingMessages()) return;
		const reading = this.drafts.read();
		const stamp = reading?.worth.sincePrompt ? reading.stamp : undefined;
		this.#isTooLittle = stamp === undefined;
		this.presence.dispatch({ type: "inspected", stamp });
		if (this.#isTooLittle) this.#tellTitle();
		this.drafts.commons.log("state.inspected", { stamp });
	}

	#draftInBackground(stamp: string): void {
		const read = this.drafts.read();
		// The conversation may have changed in the meantime.
		if (read?.stamp !== stamp) return;
		const draft = this.drafts.open(read);
		if (isQuoted(draft)) void this.drafts.improve(draft, "auto");
	}

	#ended(draft: Draft): void {
		if (this.#awaited !== draft) return;
		if (draft.failure) {
			const rest = isQuoted(draft) ? "The recap was generated without a model." : "The recap is unchanged.";
			const why = explainNoteFailure(draft.failure, rest, "/recap --force");
			this.#screen.say(`recap: ${why}`, "warning");
		}
		this.#stopWaiting();
	}

	#put(draft: Draft | undefined): void {
		if (!draft) return;
		this.#onScreen = draft;
		this.shared.resume?.giveWay();
		const [hideKey] = this.drafts.commons.shortcuts.keys.recap;
		const words = this.#wordsOf(draft);
		this.#screen.show((paint) => widgetLines(draft.record, words, hideKey, paint));
	}

	#wordsOf({ reading }: Draft) {
		return this.drafts.commons.words(reading.language);
	}

	#putForCommand(draft: Draft): void {
		this.#put(draft);
		this.presence.dispatch({ type: "shown", stamp: draft.stamp });
	}

	#hide(): void {
		this.#onScreen = undefined;
		this.#screen.hide();
	}

	#clear(): void {
		this.drafts.drop();
		this.#stopWaiting();
		this.#hide();
	}

	#stopWaiting(): void {
		if (!this.#awaited) return;
		this.#awaited = undefined;
		this.#screen.answered();
	}

	/** Handles Escape: aborts the request, and leaves the text on the screen. */
	#cancel(): void {
		this.drafts.drop();
		this.#stopWaiting();
		this.#screen.say("recap: the request was canceled. Type /recap to try again.");
	}

	/** Reads the conversation for a typed command. If that is not possible, reports why. */
	#readForCommand(): Draft | undefined {
		const draft = this.ctx.isIdle() ? this.drafts.read() : undefined;
		if (draft?.reading.hasTask) return draft;
		if (this.ctx.isIdle()) this.#screen.say("recap: nothing to recap yet.");
		else this.#screen.say("recap: the agent is still working; try again when it is done.", "warning");
		return undefined;
	}
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
