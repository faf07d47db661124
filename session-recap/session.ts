import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	type Commons,
	cheaperModel,
	commonsOf,
	createScreen,
	type DoctorSection,
	describeUnusable,
	explainNoteFailure,
	type FlagValues,
	isReopened,
	offReason,
	type Screen,
	type SessionEnd,
	type Shared,
	type StartReason,
	type Trigger,
} from "../session-core/pi/index.ts";
import type { Prepared, SessionRecord } from "../session-core/recap/index.ts";
import type { LoadedSettings } from "../session-core/settings/index.ts";
import { background, cleanLine } from "../session-core/text/index.ts";
import {
	createClock,
	createPresence,
	type Effect,
	expectsNote,
	type Limits,
	looksForMs,
} from "./presence.ts";
import { attachTerminal } from "./terminal.ts";
import { bodyLines, isQuoted, RecapWidget, worthOf } from "./widget.ts";

export type RecapConfig = ReturnType<typeof recapConfig>;

/** The maximum delay of a Node.js timer is 2^31 − 1 milliseconds. */
const MAX_SECONDS = 2_147_483;

export function recapConfig(
	loaded: Pick<LoadedSettings, "settings" | "origins">,
	flags: FlagValues,
	env: Readonly<Record<string, string | undefined>>,
) {
	const problems: string[] = [];
	const { recap, dailyCostLimit } = loaded.settings;
	const milliseconds = (flag: string, setting: number) => {
		const typed = flags[flag];
		if (typed === undefined) return Math.min(setting, MAX_SECONDS) * 1000;
		const text = String(typed).trim();
		if (/^\d+(\.\d+)?$/.test(text) && Number(text) <= MAX_SECONDS) return Number(text) * 1000;
		problems.push(`--${flag}: found "${text.slice(0, 40)}", expected seconds from 0; using ${setting}`);
		return setting * 1000;
	};
	const off = offReason("recap", flags, loaded, env);
	const limits: Limits = {
		awayMs: milliseconds("recap-away-seconds", recap.awaySeconds),
		focusMinMs: milliseconds("recap-focus-min-seconds", recap.focusMinSeconds),
		idleMs: milliseconds("recap-idle-seconds", recap.idleSeconds),
		focus: recap.focus && flags["recap-disable-focus"] !== true,
		auto: off === undefined,
	};
	/** `off` is the reason why automatic recaps are off. `problems` contains unsanitized flag values. */
	return { limits, dailyCostLimit, off, problems };
}

export class RecapSession {
	readonly over: AbortSignal;
	readonly cwd: string;
	readonly budget: ReturnType<Commons["budget"]>;
	readonly presence: ReturnType<typeof createPresence>;
	readonly #commons: Commons;
	readonly #ctx: ExtensionContext;
	readonly #ports: Shared["ports"];
	readonly #flags: FlagValues;
	readonly #screen: Screen;
	readonly #now = createClock({ wall: Date.now, steady: () => performance.now() });
	readonly #widget: RecapWidget;
	#link: ReturnType<typeof attachTerminal> | undefined;
	#config: { loaded: unknown; config: RecapConfig } | undefined;
	#focusSeen = false;
	#isTooLittle = false;
	#awaited: string | undefined;

	constructor(ctx: ExtensionContext, shared: Shared, flags: FlagValues) {
		this.over = shared.over;
		this.#commons = commonsOf(shared, ctx);
		this.budget = this.#commons.noteBudget;
		this.cwd = ctx.cwd;
		this.#ctx = ctx;
		this.#ports = shared.ports;
		this.#flags = flags;
		this.#screen = createScreen(ctx.ui, "session-recap");
		this.#widget = new RecapWidget(this.#screen, this.#commons);
		this.presence = createPresence({
			config: this.config,
			perform: (effect) => this.#perform(effect),
			log: this.#commons.log,
			now: this.#now,
			over: this.over,
		});
	}

	start(): void {
		this.#link = attachTerminal(this.#ctx.ui, this.config().limits.focus, {
			focusOut: () => this.#focusReported("away"),
			focusIn: () => this.#focusReported("back"),
			lost: () => this.presence.dispatch({ type: "away" }),
			gained: () => this.presence.dispatch({ type: "back" }),
			key: this.presence.key,
			mouse: this.presence.mouse,
		});
		const problems = [...this.#commons.shortcuts.problems, ...this.config().problems];
		for (const problem of [...problems, ...this.choose().unusable.map(describeUnusable)])
			this.#commons.warn(cleanLine(problem));
	}

	readonly config = (): RecapConfig => {
		const loaded = this.#commons.settings.current();
		if (this.#config?.loaded !== loaded)
			this.#config = { loaded, config: recapConfig(loaded, this.#flags, process.env) };
		return this.#config.config;
	};

	readonly choose = () => this.#commons.choose("recap", this.#flags);

	readonly cheaper = () => {
		const [first] = this.choose().candidates;
		return first && cheaperModel(first.model, this.#ctx.modelRegistry);
	};

	readonly terminal = () => ({ isTerminal: this.#link?.isTerminal ?? false, focusSeen: this.#focusSeen });

	get isShown(): boolean {
		return this.#widget.stamp !== undefined;
	}

	state(): Prepared | undefined {
		const hasMessages = !this.over.aborted && !this.#commons.records.isCurrent(undefined);
		return hasMessages ? this.#commons.records.prepared() : undefined;
	}

	last() {
		const state = this.state();
		const { stamp } = state?.reading ?? {};
		if (!state || stamp === undefined || !this.presence.state.drafted.has(stamp)) return undefined;
		const { last, isAsking } = this.#commons.notes;
		return { record: state.shown, isAsking, ...(last?.stamp === stamp && last) };
	}

	async begin(reason: StartReason): Promise<void> {
		// A prompt from pi's command line may already be running when this code is loaded.
		if (!this.#ctx.isIdle()) this.presence.dispatch({ type: "run_start" });
		const reopened = isReopened(reason);
		const reading = reopened ? this.state()?.reading : undefined;
		const stamp = reading && worthOf(reading.timeline).reopened ? reading.stamp : undefined;
		const offer = stamp === undefined ? undefined : await this.#ports.resume.claims(stamp);
		if (stamp !== undefined && offer?.shown) this.presence.dispatch({ type: "covered", stamp });
		this.presence.dispatch({ type: "session_start", stamp, reopened, claimed: offer?.claimed ?? false });
	}

	looksForMs(): number {
		return this.over.aborted ? 0 : looksForMs(this.presence.state, this.#focusSeen, this.#now());
	}

	isNoting(): boolean {
		return this.#commons.notes.isAsking || expectsNote(this.presence.state, this.#isTooLittle);
	}

	async request({ force }: { force: boolean }): Promise<void> {
		const state = this.show();
		if (!state || (!isQuoted(state.shown) && !force)) return;
		if (force) this.#commons.notes.drop("note");
		this.#awaited = state.reading.stamp;
		this.#screen.asking("recap: asking the model…", () => this.#cancel());
		await this.#ask(state, "typed");
	}

	show(): Prepared | undefined {
		const state = this.#stateForCommand();
		const { stamp } = state?.reading ?? {};
		if (!state || stamp === undefined) return undefined;
		this.#put(state);
		this.presence.dispatch({ type: "shown", stamp });
		return state;
	}

	copyText(): string | undefined {
		const state = this.#stateForCommand();
		return state && bodyLines(state.shown, this.#commons.words(state.reading.language)).join("\n");
	}

	/** A command that waits for tmux or the disk may still be running after the session has ended. */
	readonly say: Screen["say"] = (...answer) => {
		if (!this.over.aborted) this.#screen.say(...answer);
	};

	promptText(): string {
		return this.#commons.notes.promptText(this.state()?.reading);
	}

	/** Returns the settings and the other extensions' reports for `/recap doctor`. */
	async otherSections(): Promise<DoctorSection[]> {
		const { resume, title, recall } = this.#ports;
		const all = await Promise.allSettled([resume.doctor(), title.doctor(), recall.doctor()]);
		const others = all.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : []));
		return [...others, { title: "settings", rows: this.#commons.settings.rows() }];
	}

	/** Hides both the recap and session-resume's card. Returns false if neither was visible. */
	clearAll(): boolean {
		return [this.clear(), this.#ports.resume.clearCard()].includes(true);
	}

	clear(): boolean {
		const wasShown = this.isShown;
		this.#drop();
		this.#widget.hide();
		return wasShown;
	}

	/**
	 * Hides the recap without canceling the model request, because session-resume's card uses the model's
	 * answer.
	 */
	hideRecap(stamp: string): void {
		this.#widget.hide();
		this.presence.dispatch({ type: "covered", stamp });
	}

	end(how: SessionEnd): void {
		if (how === "exit") this.#link?.exit();
		else {
			this.clear();
			this.#link?.detach();
		}
	}

	#focusReported(type: "away" | "back"): void {
		this.#focusSeen = true;
		this.#ports.live.focusReported();
		this.presence.dispatch({ type });
		if (type === "back") this.#tellTitle();
	}

	/**
	 * A recap that a model writes includes a title, so session-title does not request a title if a recap is
	 * expected soon.
	 */
	#tellTitle(): void {
		if (!this.isNoting()) this.#ports.title.noted();
	}

	#perform(effect: Effect): void {
		switch (effect.type) {
			case "inspect":
				queueMicrotask(() => background("recap", () => this.#inspect()));
				break;
			case "draft":
			case "reveal": {
				const state = this.#stateAt(effect.stamp);
				if (state && effect.type === "reveal") this.#put(state);
				else if (state && isQuoted(state.shown)) background("recap", () => this.#ask(state, "auto"));
				break;
			}
			case "clear":
				this.clear();
				break;
		}
	}

	#inspect(): void {
		if (this.over.aborted || !this.#ctx.isIdle() || this.#ctx.hasPendingMessages()) return;
		const reading = this.state()?.reading;
		const stamp = reading && worthOf(reading.timeline).sincePrompt ? reading.stamp : undefined;
		this.#isTooLittle = stamp === undefined;
		this.presence.dispatch({ type: "inspected", stamp });
		if (this.#isTooLittle) this.#tellTitle();
		this.#commons.log("state.inspected", { stamp });
	}

	#stateAt(stamp: string | undefined): Prepared | undefined {
		const state = this.state();
		return state?.reading.stamp === stamp ? state : undefined;
	}

	async #ask(state: Prepared, by: Trigger): Promise<void> {
		const { stamp } = state.reading;
		const { candidates } = this.choose();
		const changed = (record: SessionRecord) => this.#widget.write(state, record);
		const answer = await this.#commons.notes.ask(state, { by, cause: "note", candidates, changed });
		if (!answer) return;
		const now = this.#stateAt(stamp);
		this.#widget.stopWriting(now);
		if (this.#awaited !== stamp) return;
		this.#stopWaiting();
		if (answer.ok) return;
		const isOffline = isQuoted((now ?? state).shown);
		const rest = isOffline ? "The recap was generated without a model." : "The recap is unchanged.";
		this.#screen.say(`recap: ${explainNoteFailure(answer, rest, "/recap --force")}`, "warning");
	}

	#put(state: Prepared): void {
		this.#ports.resume.hideCard();
		this.#widget.show(state);
	}

	#drop(): void {
		this.#commons.notes.drop("note");
		this.#widget.stopWriting();
		this.#stopWaiting();
	}

	#stopWaiting(): void {
		if (this.#awaited === undefined) return;
		this.#awaited = undefined;
		this.#screen.answered();
	}

	#cancel(): void {
		this.#drop();
		this.#screen.say("recap: the request was canceled. Type /recap to try again.");
	}

	#stateForCommand(): Prepared | undefined {
		return this.#commons.records.stateFor("recap", this.#ctx, this.#screen.say);
	}
}
