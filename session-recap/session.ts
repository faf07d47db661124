import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	type Commons,
	cheaperModel,
	commonsOf,
	createScreen,
	describeUnusable,
	explainNoteFailure,
	type FlagValues,
	type Shared,
	type StartReason,
	type Trigger,
} from "../session-core/pi/index.ts";
import type { Prepared, SessionRecord } from "../session-core/recap/index.ts";
import { cleanLine } from "../session-core/text/index.ts";
import { type RecapConfig, recapConfig } from "./config.ts";
import { activeAt, createClock, createPresence, type Effect } from "./presence.ts";
import { attachTerminal } from "./terminal.ts";
import { bodyLines, isQuoted, widgetLines, worthOf } from "./widget.ts";

/** Number of milliseconds after a keystroke during which the user counts as looking at a terminal that does not report its focus. */
const AT_THE_KEYS_MS = 5_000;

export class RecapSession {
	readonly pi: ExtensionAPI;
	readonly ctx: ExtensionContext;
	readonly shared: Shared;
	readonly commons: Commons;
	readonly budget: ReturnType<Commons["budget"]>;
	readonly presence: ReturnType<typeof createPresence>;
	isLive = true;
	readonly #flags: FlagValues;
	readonly #screen: ReturnType<typeof createScreen>;
	readonly #now = createClock({ wall: Date.now, steady: () => performance.now() });
	readonly #link: ReturnType<typeof attachTerminal>;
	#config: { loaded: unknown; config: RecapConfig } | undefined;
	#focusSeen = false;
	/** Whether the last inspection found too little for a recap. */
	#isTooLittle = false;
	/** The state whose recap is on the screen. */
	#shown: string | undefined;
	/** The state for whose note a typed command is waiting. */
	#awaited: string | undefined;
	/** The record with the sentences of the note that is being written. */
	#unfinished: SessionRecord | undefined;

	constructor(pi: ExtensionAPI, ctx: ExtensionContext, shared: Shared, flags: FlagValues) {
		this.pi = pi;
		this.ctx = ctx;
		this.shared = shared;
		shared.recap = this;
		this.commons = commonsOf(shared, ctx);
		this.budget = this.commons.noteBudget;
		this.#flags = flags;
		this.#screen = createScreen(ctx.ui, "session-recap");
		this.presence = createPresence({
			config: this.config,
			perform: (effect) => this.#perform(effect),
			log: this.commons.log,
			now: this.#now,
		});
		this.#link = attachTerminal(ctx.ui, this.config().limits.focus, {
			focusOut: () => this.#focusReported("away"),
			focusIn: () => this.#focusReported("back"),
			lost: () => this.presence.dispatch({ type: "away" }),
			gained: () => this.presence.dispatch({ type: "back" }),
			key: this.presence.key,
			mouse: this.presence.mouse,
		});
		const problems = [...this.commons.shortcuts.problems, ...this.config().problems];
		for (const problem of [...problems, ...this.choose().unusable.map(describeUnusable)])
			this.commons.warn(cleanLine(problem));
	}

	/** Returns the configuration, which is the same object as long as the settings have not changed. */
	readonly config = (): RecapConfig => {
		const loaded = this.commons.settings.current();
		if (this.#config?.loaded !== loaded)
			this.#config = { loaded, config: recapConfig(loaded, this.#flags, process.env) };
		return this.#config.config;
	};

	readonly choose = () => this.commons.choose("recap", this.#flags);

	readonly cheaper = () => {
		const [first] = this.choose().candidates;
		return first && cheaperModel(first.model, this.ctx.modelRegistry);
	};

	readonly terminal = () => ({ isTerminal: this.#link.isTerminal, focusSeen: this.#focusSeen });

	get isShown(): boolean {
		return this.#shown !== undefined;
	}

	/** Returns the current state; undefined if there is no message yet, reading fails, or the session has ended. */
	state(): Prepared | undefined {
		const hasMessages = this.isLive && !this.commons.records.isCurrent(undefined);
		return hasMessages ? this.commons.prepared() : undefined;
	}

	/** Returns the recap of the current state and how its request ended; undefined if there is no recap yet. */
	last() {
		const state = this.state();
		const { stamp } = state?.reading ?? {};
		if (!state || stamp === undefined || !this.presence.state.drafted.has(stamp)) return undefined;
		const { last, isAsking } = this.commons.notes;
		return { record: state.shown, isAsking, ...(last?.stamp === stamp && last) };
	}

	/** Begins to show recaps automatically. If the session was reopened, a recap is shown at once. */
	async begin(reason: StartReason): Promise<void> {
		// A prompt that was given on the command line may already be running when this code is loaded.
		if (!this.ctx.isIdle()) this.presence.dispatch({ type: "run_start" });
		const reopened = reason !== "new" && reason !== "reload";
		const reading = reopened ? this.state()?.reading : undefined;
		const stamp = reading && worthOf(reading.timeline).reopened ? reading.stamp : undefined;
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
		if (!this.isLive || awaySince !== undefined) return 0;
		if (this.#focusSeen) return Math.max(0, activeAt(this.presence.state) + limits.idleMs - this.#now());
		return this.#now() - lastKeyAt < AT_THE_KEYS_MS ? Number.POSITIVE_INFINITY : 0;
	}

	/** Whether a note on the current state has been requested, or will be while the user is away. */
	isNoting(): boolean {
		const { awaySince, limits } = this.presence.state;
		return this.commons.notes.isAsking || (limits.auto && awaySince !== undefined && !this.#isTooLittle);
	}

	async request({ force }: { force: boolean }): Promise<void> {
		const state = this.show();
		if (!state || (!isQuoted(state.shown) && !force)) return;
		if (force) this.commons.notes.drop("note");
		this.#awaited = state.reading.stamp;
		this.#screen.asking("recap: asking the model …", () => this.#cancel());
		await this.#ask(state, "typed");
	}

	/** Shows the recap for a typed command. If there is none, shows a message and returns undefined. */
	show(): Prepared | undefined {
		const state = this.#stateForCommand();
		const { stamp } = state?.reading ?? {};
		if (!state || stamp === undefined) return undefined;
		this.#put(state);
		this.presence.dispatch({ type: "shown", stamp });
		return state;
	}

	/** Returns the text that `show` would display, for the clipboard. If there is no such text, shows a message and returns undefined. */
	copyText(): string | undefined {
		const state = this.#stateForCommand();
		return state && bodyLines(state.shown, this.commons.words(state.reading.language)).join("\n");
	}

	/** Hides the recap and aborts its request. Returns false if no recap was shown. */
	clear(): boolean {
		const wasShown = this.isShown;
		this.#drop();
		this.#hide();
		return wasShown;
	}

	/** Hides the recap because a card shows the same state. A request in progress continues, because the card will use its answer. */
	giveWay(stamp: string): void {
		this.#hide();
		this.presence.dispatch({ type: "covered", stamp });
	}

	end(): void {
		if (!this.isLive) return;
		this.presence.end();
		this.clear();
		this.isLive = false;
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
			case "reveal": {
				const state = this.#stateAt(effect.stamp);
				if (state && effect.type === "reveal") this.#put(state);
				else if (state && isQuoted(state.shown)) void this.#ask(state, "auto");
				break;
			}
			case "clear":
				this.clear();
				break;
		}
	}

	#inspect(): void {
		// If a run is active, the session is inspected when that run has settled.
		if (!this.isLive || !this.ctx.isIdle() || this.ctx.hasPendingMessages()) return;
		const reading = this.state()?.reading;
		const stamp = reading && worthOf(reading.timeline).sincePrompt ? reading.stamp : undefined;
		this.#isTooLittle = stamp === undefined;
		this.presence.dispatch({ type: "inspected", stamp });
		if (this.#isTooLittle) this.#tellTitle();
		this.commons.log("state.inspected", { stamp });
	}

	/** Returns a state unless the conversation has changed in the meantime. */
	#stateAt(stamp: string | undefined): Prepared | undefined {
		const state = this.state();
		return state?.reading.stamp === stamp ? state : undefined;
	}

	/** Requests a note on a state, which updates the recap if it is on the screen. */
	async #ask(state: Prepared, by: Trigger): Promise<void> {
		const { stamp, language } = state.reading;
		const { candidates } = this.choose();
		const changed = (record: SessionRecord) => {
			this.#unfinished = record;
			if (this.#shown === stamp) this.#paint(record, language);
		};
		const answer = await this.commons.notes.ask(state, { by, cause: "note", candidates, changed });
		if (!answer) return;
		this.#unfinished = undefined;
		const now = this.#stateAt(stamp);
		if (now && this.#shown === stamp) this.#put(now);
		if (this.#awaited !== stamp) return;
		this.#stopWaiting();
		if (answer.ok) return;
		const isOffline = isQuoted((now ?? state).shown);
		const rest = isOffline ? "The recap was generated without a model." : "The recap is unchanged.";
		this.#screen.say(`recap: ${explainNoteFailure(answer, rest, "/recap --force")}`, "warning");
	}

	#put({ reading, shown }: Prepared): void {
		this.#shown = reading.stamp;
		this.shared.resume?.giveWay();
		const unfinished = this.#unfinished?.last_message_id === reading.stamp ? this.#unfinished : undefined;
		this.#paint(unfinished ?? shown, reading.language);
	}

	#paint(record: SessionRecord, language: Prepared["reading"]["language"]): void {
		const [hideKey] = this.commons.shortcuts.keys.recap;
		const words = this.commons.words(language);
		this.#screen.show((paint) => widgetLines(record, words, hideKey, paint));
	}

	#hide(): void {
		this.#shown = undefined;
		this.#screen.hide();
	}

	#drop(): void {
		this.commons.notes.drop("note");
		this.#unfinished = undefined;
		this.#stopWaiting();
	}

	#stopWaiting(): void {
		if (this.#awaited === undefined) return;
		this.#awaited = undefined;
		this.#screen.answered();
	}

	/** Handles Escape: aborts the request, and leaves the text on the screen. */
	#cancel(): void {
		this.#drop();
		this.#screen.say("recap: the request was canceled. Type /recap to try again.");
	}

	/** Reads the conversation for a typed command. If that is not possible, reports why. */
	#stateForCommand(): Prepared | undefined {
		const isIdle = this.ctx.isIdle();
		const state = isIdle ? this.state() : undefined;
		if (state?.reading.hasTask) return state;
		if (isIdle) this.#screen.say("recap: nothing to recap yet.");
		else this.#screen.say("recap: the agent is still working; try again when it is done.", "warning");
		return undefined;
	}
}
