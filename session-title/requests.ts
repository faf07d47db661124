import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { NameOutcome, TitleData } from "../session-core/log/index.ts";
import {
	type Candidate,
	commonsOf,
	createRequestSlot,
	createScreen,
	type FlagValues,
	mayTitle,
	type Shared,
	type Trigger,
} from "../session-core/pi/index.ts";
import { askForTitle, type FailedTitle, type TitleOutcome, type TitleStyle } from "./ask.ts";
import { explainRenameFailure, type RenameFailure } from "./command.ts";
import { readingOf, type TitleReading } from "./reading.ts";

export type MadeTitle = Pick<TitleData, "title" | "model">;

/** What automatic titles and `/rename` share: one model request at a time, the code that writes names, and the screen. */
export class TitleRequests {
	readonly commons: ReturnType<typeof commonsOf>;
	readonly budget: ReturnType<ReturnType<typeof commonsOf>["budget"]>;
	readonly naming: { pi: ExtensionAPI; manager: ExtensionContext["sessionManager"] };
	readonly screen: ReturnType<typeof createScreen>;
	readonly slot = createRequestSlot<Trigger>();
	/** An automatic title that the user has not seen yet. */
	notice: string | undefined;
	/** Why the last request gave no title; undefined if it gave one. */
	failed: FailedTitle | undefined;
	readonly #shared: Shared;
	readonly #flags: FlagValues;

	constructor(pi: ExtensionAPI, ctx: ExtensionContext, shared: Shared, flags: FlagValues) {
		this.commons = commonsOf(shared, ctx);
		this.budget = this.commons.budget("title");
		this.naming = { pi, manager: ctx.sessionManager };
		this.screen = createScreen(ctx.ui, "session-title");
		this.#shared = shared;
		this.#flags = flags;
	}

	choose() {
		return this.commons.choose("title", this.#flags);
	}

	automaticModels(): Candidate[] {
		return this.choose().candidates.filter(mayTitle);
	}

	read(): TitleReading {
		const state = this.commons.state();
		if (!state) throw new Error("the session cannot be read");
		return readingOf(state.timeline, this.commons.language);
	}

	/** Requests a title. `landed` is called with the title, unless another request has replaced this one. */
	start(
		by: Trigger,
		about: { reading: TitleReading; style: TitleStyle; candidates: readonly Candidate[] },
		landed: (made: MadeTitle) => void,
	): Promise<void> {
		const { budget, commons } = this;
		const attempt = by === "auto" ? budget.attempts() + 1 : undefined;
		commons.log("title.requested", { trigger: by, style: about.style, attempt, stamp: about.reading.stamp });
		return this.slot.start(
			by,
			(signal) => askForTitle({ ...about, signal, by }, { budget, ...commons.asking }),
			(answer) => this.#answered(by, answer, landed),
		);
	}

	#answered(by: Trigger, answer: TitleOutcome, landed: (made: MadeTitle) => void) {
		if (by === "typed") this.screen.answered();
		this.failed = answer.ok ? undefined : answer;
		if (answer.ok) return landed({ title: answer.title, model: answer.model });
		const { reason, flaw, model, status, detail } = answer;
		this.commons.log("title.failed", { reason, flaw, model, http: status, detail });
		if (by === "typed") this.fail(reason, model, answer);
	}

	/** Aborts the request in progress, because its answer is no longer needed. */
	stop(): void {
		this.slot.drop();
		this.screen.answered();
	}

	/** Called with the outcome of writing a name. Returns whether the name was written. */
	written(outcome: NameOutcome): boolean {
		this.commons.log("title.written", { ok: outcome.ok, reason: outcome.ok ? undefined : outcome.reason });
		if (!outcome.ok) return false;
		// The notice about an older name is removed.
		this.notice = undefined;
		this.#shared.live?.renamed();
		return true;
	}

	fail(reason: RenameFailure, model = "", failure?: Parameters<typeof explainRenameFailure>[2]): void {
		this.screen.say(explainRenameFailure(reason, model, failure), "warning");
	}
}
