import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	type HostNaming,
	knownNames,
	type NameOutcome,
	nameByPerson,
	nameSession,
	namingRefusal,
	ownName,
	type TitleData,
} from "../session-core/log/index.ts";
import {
	type Commons,
	commonsOf,
	createRequestSlot,
	createScreen,
	describeUnusable,
	type FlagValues,
	mayTitle,
	offReason,
	type Screen,
	type Shared,
	type Trigger,
} from "../session-core/pi/index.ts";
import { background } from "../session-core/text/index.ts";
import {
	askForTitle,
	type FailedTitle,
	type MadeTitle,
	type TitleOutcome,
	type TitleRequest,
	topicOfNote,
} from "./ask.ts";
import { whyNotNamed } from "./guard.ts";
import { readingOf, type TitleReading } from "./reading.ts";
import {
	type RenameFailure,
	renameFailureText,
	type TitleFacts,
	titleLines,
	titleSection,
} from "./report.ts";

export class TitleSession {
	readonly say: Screen["say"];
	readonly #naming: HostNaming;
	readonly #screen: Screen;
	readonly #ctx: ExtensionContext;
	readonly #shared: Shared;
	readonly #flags: FlagValues;
	readonly #commons: Commons;
	readonly #budget: ReturnType<Commons["budget"]>;
	readonly #slot;
	#notice: string | undefined;
	#failed: FailedTitle | undefined;

	constructor(pi: ExtensionAPI, ctx: ExtensionContext, shared: Shared, flags: FlagValues) {
		this.#ctx = ctx;
		this.#shared = shared;
		this.#flags = flags;
		this.#slot = createRequestSlot<Trigger>(shared.over);
		this.#commons = commonsOf(shared, ctx);
		this.#budget = this.#commons.budget("title");
		this.#naming = { pi, manager: ctx.sessionManager };
		this.#screen = createScreen(ctx.ui, "session-title");
		this.say = this.#screen.say;
	}

	start(): void {
		for (const unusable of this.choose().unusable) this.#commons.warn(describeUnusable(unusable));
	}

	settled(): void {
		if (this.#ctx.isIdle()) this.#showNotice();
		this.#nameIfIdle();
	}

	noted(): void {
		const isFailed = this.#commons.records.reading()?.timeline.outcome === "error";
		if (!isFailed || this.#topicOfNote() !== undefined) this.#nameIfIdle();
	}

	submitted(): void {
		this.#screen.hide();
		// Some servers handle one request at a time, so a title request must not delay the user's prompt.
		if (this.#slot.current === "auto") this.#slot.drop();
	}

	renamed(): void {
		if (this.#slot.current === "auto" && ownName(this.#naming)) this.#slot.drop();
	}

	doctor() {
		return titleSection(this.facts());
	}

	end(): void {
		this.#screen.answered();
		this.#screen.hide();
	}

	read(): TitleReading {
		const state = this.#commons.records.reading();
		if (!state) throw new Error("the session cannot be read");
		return readingOf(state.timeline, this.#commons.language);
	}

	choose() {
		return this.#commons.choose("title", this.#flags);
	}

	facts(): TitleFacts {
		return {
			name: ownName(this.#naming),
			whyNot: this.#whyNot(),
			attempts: this.#budget.attempts(),
			off: this.#off(),
			failed: this.#failed,
			candidates: this.#automaticModels(),
		};
	}

	request(
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
				if (by === "typed") this.fail(answer);
			},
		);
	}

	stop(): void {
		this.#slot.drop();
		this.#screen.answered();
	}

	names() {
		return knownNames(this.#naming);
	}

	nameAs(name: string): boolean {
		return this.#saved(nameByPerson(this.#naming, name));
	}

	name(request: Parameters<typeof nameSession>[1]): boolean {
		return this.#saved(nameSession(this.#naming, request));
	}

	/** Shows that a model request is in progress, until the model answers or the user cancels. */
	asking(model: string): void {
		this.#screen.asking(`rename: asking ${model}…`, () => {
			this.stop();
			this.say("rename: the request was canceled; the name is unchanged.");
		});
	}

	hide(): void {
		this.#screen.hide();
	}

	fail(failure: RenameFailure): void {
		this.say(renameFailureText(failure), "warning");
	}

	show(title: Pick<TitleData, "title" | "source">): void {
		this.#screen.show(titleLines(title));
	}

	#nameIfIdle() {
		if (this.#shared.over.aborted || !this.#ctx.isIdle() || !this.#commons.records.reading()) return;
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
		const about = { reading: this.read(), style: "title", candidates: this.#automaticModels() } as const;
		background("rename", () => this.request("auto", about, land));
	}

	#whyNot() {
		const { ports } = this.#shared;
		return whyNotNamed({
			isNamed: ownName(this.#naming) !== undefined,
			isAsking: this.#slot.current !== undefined,
			hasTopicOfNote: this.#topicOfNote() !== undefined,
			isSaved: this.#naming.manager.getSessionFile() !== undefined,
			isOff: ports.live.isDamaged || this.#off() !== undefined,
			isNoteSoon: ports.recap.isNoting(),
			hasModel: this.#automaticModels().length > 0,
			attempts: () => this.#budget.attempts(),
			reading: () => this.read(),
			wasRequested: (stamp) => this.#budget.wasRequested(stamp),
			isUsedUp: () => this.#budget.isUsedUp(),
			refusal: () => namingRefusal(this.#naming),
		});
	}

	#topicOfNote(): MadeTitle | undefined {
		return topicOfNote(this.#commons.records.prepared());
	}

	#saved(outcome: NameOutcome): boolean {
		if (!outcome.ok) this.fail(outcome);
		return this.#written(outcome);
	}

	#written(outcome: NameOutcome): boolean {
		this.#commons.log("title.written", { ok: outcome.ok, reason: outcome.ok ? undefined : outcome.reason });
		if (!outcome.ok) return false;
		this.#notice = undefined;
		this.#shared.ports.live.renamed();
		return true;
	}

	#showNotice(): void {
		const title = this.#notice;
		if (title === undefined || this.#screen.isTyped() || !this.#ctx.isIdle()) return;
		if (ownName(this.#naming)?.text === title) this.show({ title, source: "auto" });
		this.#notice = undefined;
	}

	#off() {
		return offReason("title", this.#flags, this.#commons.settings.current(), process.env);
	}

	#automaticModels() {
		return this.choose().candidates.filter(mayTitle);
	}
}
