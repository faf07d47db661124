import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { nameSession, namingRefusal, ownName } from "../session-core/log/index.ts";
import { describeUnusable, type FlagValues, offReason, type Shared } from "../session-core/pi/index.ts";
import {
	type GuardReason,
	MAX_ATTEMPTS,
	type TitleFacts,
	titleLines,
	titleSection,
	whyNamed,
} from "./command.ts";
import { Rename } from "./rename.ts";
import { type MadeTitle, TitleRequests } from "./requests.ts";

export { printMode } from "../session-core/pi/index.ts";
export { completeRename } from "./command.ts";

/** Starts the extension in a session, and reports invalid settings and flags once. */
export function startTitle(
	pi: ExtensionAPI,
	ctx: ExtensionContext,
	shared: Shared,
	flags: FlagValues,
): TitleSession {
	const requests = new TitleRequests(pi, ctx, shared, flags);
	for (const unusable of requests.choose().unusable) requests.commons.warn(describeUnusable(unusable));
	return new TitleSession(requests, ctx, shared, flags);
}

/** Names the session once, at a suitable event, and runs `/rename`. */
export class TitleSession {
	readonly #requests: TitleRequests;
	readonly #ctx: ExtensionContext;
	readonly #shared: Shared;
	readonly #off: () => ReturnType<typeof offReason>;
	readonly #rename: Rename;
	#isLive = true;

	constructor(requests: TitleRequests, ctx: ExtensionContext, shared: Shared, flags: FlagValues) {
		this.#requests = requests;
		this.#ctx = ctx;
		this.#shared = shared;
		this.#off = () => offReason("title", flags, requests.commons.settings.current(), process.env);
		this.#rename = new Rename(requests, () => whyNamed(this.#facts()));
	}

	/** Runs `/rename …`. Resolves when any request to a model has ended. */
	command(args: string): Promise<void> {
		return this.#rename.run(args);
	}

	/** Called when a run ended without a failure. */
	settled(): void {
		if (this.#ctx.isIdle()) this.#showNotice();
		this.#nameIfIdle();
	}

	/** Called when a note on the current state has arrived, or when no note will arrive soon. */
	noted(): void {
		// If the provider failed for the agent and for the note, it would fail for a title, too.
		const isFailed = this.#requests.commons.state()?.timeline.outcome === "error";
		if (!isFailed || this.#topicOfNote() !== undefined) this.#nameIfIdle();
	}

	submitted(): void {
		this.#requests.screen.hide();
		// A server that handles one request at a time would keep the user waiting. After the next run, a title is requested again.
		if (this.#requests.slot.current === "auto") this.#requests.slot.drop();
	}

	/** Called when the host reports a new name. pi versions before 0.86 never report one. */
	renamed(): void {
		if (this.#requests.slot.current === "auto" && this.#name()) this.#requests.slot.drop();
	}

	doctor() {
		return titleSection(this.#facts());
	}

	end(): void {
		if (!this.#isLive) return;
		this.#isLive = false;
		this.#requests.stop();
		this.#requests.screen.hide();
	}

	#name() {
		return ownName(this.#requests.naming);
	}

	#nameIfIdle(): void {
		// The next run may have started. A session that cannot be read gets no title.
		if (this.#isLive && this.#ctx.isIdle() && this.#requests.commons.state()) this.#nameAutomatically();
	}

	/** Names an unnamed session, once. Failures are only logged. */
	#nameAutomatically() {
		const { commons, naming } = this.#requests;
		const reason = this.#whyNot();
		if (reason) return commons.log("title.skipped", { reason });
		const reading = this.#requests.read();
		const { stamp } = reading;
		const land = (made: MadeTitle) => {
			const last = stamp !== undefined && { last_message_id: stamp };
			const data = { ...made, source: "auto" as const, ...last };
			if (!this.#requests.written(nameSession(naming, { data, mayReplace: () => false }))) return;
			this.#requests.notice = data.title;
			this.#showNotice();
		};
		const topic = this.#topicOfNote();
		if (topic) return land(topic);
		const candidates = this.#requests.automaticModels();
		void this.#requests.start("auto", { reading, style: "title", candidates }, land);
	}

	/**
	 * Returns the first reason against an automatic title; undefined if there is none. The cheapest checks come first. Removing a name also
	 * counts as a choice, so a session whose name was removed is not named.
	 */
	#whyNot(): GuardReason | undefined {
		const { budget, naming, slot } = this.#requests;
		if (this.#name()) return "named";
		if (slot.current) return "in_flight";
		const hasTopicOfNote = this.#topicOfNote() !== undefined;
		if (budget.attempts() >= MAX_ATTEMPTS && !hasTopicOfNote) return "attempts";
		if (naming.manager.getSessionFile() === undefined) return "not_kept";
		if (this.#shared.isDamaged || this.#off() !== undefined) return "off";
		if (hasTopicOfNote) return namingRefusal(naming);
		if (this.#shared.recap?.isNoting()) return "note_soon";
		const { stamp, hasTopic } = this.#requests.read();
		if (this.#requests.automaticModels().length === 0) return "no_model";
		if (stamp === undefined || budget.wasRequested(stamp)) return "asked";
		if (!hasTopic) return "no_topic";
		if (budget.isUsedUp()) return "daily_limit";
		return namingRefusal(naming);
	}

	/** Returns the topic of the note on the current state, which requires no separate call. */
	#topicOfNote(): Required<MadeTitle> | undefined {
		const { shown, recap } = this.#requests.commons.prepared() ?? {};
		// Without a topic, a note keeps the offline headline.
		if (shown?.generator.type !== "llm" || shown.headline === recap?.headline) return undefined;
		return { title: shown.headline, model: `${shown.generator.provider}/${shown.generator.model}` };
	}

	/** Shows the title once, unless the user is typing or the agent is working. The host's footer always shows the title. */
	#showNotice(): void {
		const { notice, screen } = this.#requests;
		if (notice === undefined || screen.isTyped() || !this.#ctx.isIdle()) return;
		if (this.#name()?.text === notice) screen.show(titleLines({ title: notice, source: "auto" }));
		this.#requests.notice = undefined;
	}

	#facts(): TitleFacts {
		const { budget, failed, naming } = this.#requests;
		return {
			name: ownName(naming),
			whyNot: this.#whyNot(),
			attempts: budget.attempts(),
			off: this.#off(),
			failed,
			candidates: this.#requests.automaticModels(),
		};
	}
}
