import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	type CurrentName,
	knownNames,
	type NameOutcome,
	nameByPerson,
	nameSession,
	nameText,
	namingRefusal,
	ownName,
	type TitleData,
} from "../session-core/log/index.ts";
import {
	answerText,
	type Commons,
	commonsOf,
	createRequestSlot,
	createScreen,
	describeUnusable,
	type FlagValues,
	formatSpec,
	mayTitle,
	offReason,
	type Shared,
	type Trigger,
} from "../session-core/pi/index.ts";
import { askForTitle, type FailedTitle, type TitleOutcome, type TitleRequest } from "./ask.ts";
import {
	explainRenameFailure,
	type GuardReason,
	MAX_ATTEMPTS,
	parseRename,
	RENAME,
	type RenameFailure,
	type TitleFacts,
	titleLines,
	titleSection,
	whyNamed,
} from "./command.ts";
import { readingOf, type TitleReading } from "./reading.ts";

export { printMode } from "../session-core/pi/index.ts";
export { completeRename } from "./command.ts";

type MadeTitle = Pick<TitleData, "title" | "model">;

export class TitleSession {
	readonly #ctx: ExtensionContext;
	readonly #shared: Shared;
	readonly #flags: FlagValues;
	readonly #commons: Commons;
	readonly #budget: ReturnType<Commons["budget"]>;
	readonly #naming: { pi: ExtensionAPI; manager: ExtensionContext["sessionManager"] };
	readonly #screen: ReturnType<typeof createScreen>;
	readonly #slot = createRequestSlot<Trigger>();
	#notice: string | undefined;
	#failed: FailedTitle | undefined;
	#isLive = true;

	constructor(pi: ExtensionAPI, ctx: ExtensionContext, shared: Shared, flags: FlagValues) {
		this.#ctx = ctx;
		this.#shared = shared;
		this.#flags = flags;
		this.#commons = commonsOf(shared, ctx);
		this.#budget = this.#commons.budget("title");
		this.#naming = { pi, manager: ctx.sessionManager };
		this.#screen = createScreen(ctx.ui, "session-title");
		for (const unusable of this.#choose().unusable) this.#commons.warn(describeUnusable(unusable));
	}

	settled(): void {
		if (this.#ctx.isIdle()) this.#showNotice();
		this.#nameIfIdle();
	}

	noted(): void {
		// If the provider has failed for the agent and for the note, a request for a title would fail as well.
		const isFailed = this.#commons.state()?.timeline.outcome === "error";
		if (!isFailed || this.#topicOfNote() !== undefined) this.#nameIfIdle();
	}

	submitted(): void {
		this.#screen.hide();
		// Some model servers handle only one request at a time, so a pending request for a title must not delay the user's prompt.
		if (this.#slot.current === "auto") this.#slot.drop();
	}

	/** Hosts before 0.86 never report that a session was renamed. */
	renamed(): void {
		if (this.#slot.current === "auto" && ownName(this.#naming)) this.#slot.drop();
	}

	async command(args: string): Promise<void> {
		const action = parseRename(args);
		switch (action.type) {
			case "name":
				return this.#nameByPerson(action.text);
			case "kebab":
				return this.#suggest("kebab");
			case "auto":
				return this.#suggest("title");
			case "undo":
				return this.#undo();
			case "why":
				return this.#screen.say(`rename: ${whyNamed(this.#facts())}.`);
			case "help":
			case "refused":
				return this.#screen.say(...answerText(RENAME, action));
		}
	}

	doctor() {
		return titleSection(this.#facts());
	}

	end(): void {
		if (!this.#isLive) return;
		this.#isLive = false;
		this.#stop();
		this.#screen.hide();
	}

	#nameByPerson(text: string) {
		const title = nameText(text);
		if (title === "") return this.#fail({ reason: "empty_name" });
		this.#stop();
		if (this.#saved(nameByPerson(this.#naming, title))) this.#show({ title, source: "manual" });
	}

	async #suggest(style: TitleRequest["style"]): Promise<void> {
		const reading = this.#read();
		const { candidates } = this.#choose();
		const [first] = candidates;
		if (!reading.hasTopic || !first) return this.#fail({ reason: first ? "empty_history" : "no_model" });
		const seen = knownNames(this.#naming).current;
		const mayReplace = (name: CurrentName) => name.source === "auto" || name.id === seen?.id;
		this.#screen.asking(`rename: asking ${formatSpec(first.model)} …`, () => {
			this.#stop();
			this.#screen.say("rename: the request was canceled; the name is unchanged.");
		});
		await this.#request("typed", { reading, style, candidates }, (made) => {
			// The user asked for this kebab-case name and sees the result, so the name counts as chosen by a person.
			const data: TitleData = { ...made, source: style === "kebab" ? "manual" : "auto" };
			if (this.#saved(nameSession(this.#naming, { data, mayReplace }))) this.#show(data);
		});
	}

	#undo() {
		const { current, previous } = knownNames(this.#naming);
		if (!current || current.text === previous) return this.#fail({ reason: "nothing_to_undo" });
		this.#stop();
		if (!this.#saved(nameByPerson(this.#naming, previous))) return;
		if (previous !== "") return this.#show({ title: previous, source: "manual" });
		this.#screen.hide();
		this.#screen.say(
			"rename: the name was removed, and the session will not be named automatically again. Type /rename <name> to name it.",
		);
	}

	#nameIfIdle() {
		// The agent may have started its next run in the meantime.
		if (!this.#isLive || !this.#ctx.isIdle() || !this.#commons.state()) return;
		const reason = this.#whyNot();
		if (reason) return this.#commons.log("title.skipped", { reason });
		const land = (made: MadeTitle) => {
			const data = { ...made, source: "auto" as const };
			if (!this.#written(nameSession(this.#naming, { data, mayReplace: () => false }))) return;
			this.#notice = data.title;
			this.#showNotice();
		};
		const topic = this.#topicOfNote();
		if (topic) return land(topic);
		const about = { reading: this.#read(), style: "title", candidates: this.#automaticModels() } as const;
		void this.#request("auto", about, land);
	}

	/** The cheapest checks come first. If a person has removed the session's name, the session is not named again. */
	#whyNot(): GuardReason | undefined {
		if (ownName(this.#naming)) return "named";
		if (this.#slot.current) return "in_flight";
		const hasTopicOfNote = this.#topicOfNote() !== undefined;
		if (this.#budget.attempts() >= MAX_ATTEMPTS && !hasTopicOfNote) return "attempts";
		if (this.#naming.manager.getSessionFile() === undefined) return "not_kept";
		if (this.#shared.ports.resume.isDamaged || this.#off() !== undefined) return "off";
		if (hasTopicOfNote) return namingRefusal(this.#naming);
		if (this.#shared.ports.recap.isNoting()) return "note_soon";
		const { stamp, hasTopic } = this.#read();
		if (this.#automaticModels().length === 0) return "no_model";
		if (stamp === undefined || this.#budget.wasRequested(stamp)) return "asked";
		if (!hasTopic) return "no_topic";
		if (this.#budget.isUsedUp()) return "daily_limit";
		return namingRefusal(this.#naming);
	}

	/** A note contains a topic, so its topic is used as the title without another request. */
	#topicOfNote(): MadeTitle | undefined {
		const { shown, recap } = this.#commons.prepared() ?? {};
		// If a note contains no topic, its headline was written without a model, so the headline is not used as a title.
		if (shown?.generator.type !== "llm" || shown.headline === recap?.headline) return undefined;
		return { title: shown.headline, model: `${shown.generator.provider}/${shown.generator.model}` };
	}

	#request(
		by: Trigger,
		about: Pick<TitleRequest, "reading" | "style" | "candidates">,
		landed: (made: MadeTitle) => void,
	): Promise<void> {
		const { log, asking } = this.#commons;
		const attempt = by === "auto" ? this.#budget.attempts() + 1 : undefined;
		log("title.requested", { trigger: by, style: about.style, attempt, stamp: about.reading.stamp });
		return this.#slot.start(
			by,
			(signal) => askForTitle({ ...about, signal, by }, { budget: this.#budget, ...asking }),
			(answer: TitleOutcome) => {
				if (by === "typed") this.#screen.answered();
				this.#failed = answer.ok ? undefined : answer;
				if (answer.ok) return landed({ title: answer.title, model: answer.model });
				const { reason, flaw, model, status, detail } = answer;
				log("title.failed", { reason, flaw, model, http: status, detail });
				if (by === "typed") this.#fail(answer);
			},
		);
	}

	#stop(): void {
		this.#slot.drop();
		this.#screen.answered();
	}

	#saved(outcome: NameOutcome): boolean {
		if (!outcome.ok) this.#fail(outcome);
		return this.#written(outcome);
	}

	#written(outcome: NameOutcome): boolean {
		this.#commons.log("title.written", { ok: outcome.ok, reason: outcome.ok ? undefined : outcome.reason });
		if (!outcome.ok) return false;
		this.#notice = undefined;
		this.#shared.ports.live.renamed();
		return true;
	}

	#fail(failure: RenameFailure): void {
		this.#screen.say(explainRenameFailure(failure), "warning");
	}

	#show(title: Pick<TitleData, "title" | "source">): void {
		this.#screen.show(titleLines(title));
	}

	#showNotice(): void {
		const title = this.#notice;
		if (title === undefined || this.#screen.isTyped() || !this.#ctx.isIdle()) return;
		if (ownName(this.#naming)?.text === title) this.#show({ title, source: "auto" });
		this.#notice = undefined;
	}

	#off() {
		return offReason("title", this.#flags, this.#commons.settings.current(), process.env);
	}

	#choose() {
		return this.#commons.choose("title", this.#flags);
	}

	#automaticModels() {
		return this.#choose().candidates.filter(mayTitle);
	}

	#read(): TitleReading {
		const state = this.#commons.state();
		if (!state) throw new Error("the session cannot be read");
		return readingOf(state.timeline, this.#commons.language);
	}

	#facts(): TitleFacts {
		return {
			name: ownName(this.#naming),
			whyNot: this.#whyNot(),
			attempts: this.#budget.attempts(),
			off: this.#off(),
			failed: this.#failed,
			candidates: this.#automaticModels(),
		};
	}
}
