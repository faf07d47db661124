import type { Commons, ExtensionContext, HostSession } from "../../session-core/pi/index.ts";
import type { Prepared } from "../../session-core/recap/index.ts";
import { errorFields } from "../../session-core/text/index.ts";
import { cardContent, describeChanges } from "./content.ts";
import type { CardScreen } from "./screen.ts";

interface CardDeps {
	shared: { ports: { recap: { hideRecap(stamp: string): unknown } } };
	ctx: Pick<ExtensionContext, "model" | "isIdle">;
	host: Pick<HostSession, "cwd" | "isMoved">;
	screen: Pick<CardScreen, "show" | "hide" | "typed">;
	commons: Pick<Commons, "words" | "repository" | "log">;
	state(): Prepared | undefined;
}

const PAUSE_MS = 2_000;

export class SessionCard {
	readonly #deps: CardDeps;
	#shown: Prepared | undefined;
	#changes = { stamp: "", text: "" };
	#typing: NodeJS.Timeout | undefined;

	constructor(deps: CardDeps) {
		this.#deps = deps;
	}

	get stamp(): string | undefined {
		return this.#shown?.reading.stamp;
	}

	pin(): void {
		this.unpin();
		this.#look("");
	}

	unpin(): void {
		clearTimeout(this.#typing);
	}

	show(state: Prepared): void {
		this.unpin();
		const { host, commons, shared } = this.#deps;
		const { stamp, language } = state.reading;
		if (stamp === undefined) return;
		const isNew = this.#shown === undefined;
		this.#shown = state;
		this.#paint(state);
		if (isNew) shared.ports.recap.hideRecap(stamp);
		// If pi continues the session in another folder, the card does not mention changes in that folder's repository.
		if (host.isMoved) return;
		const { workspace } = state.shown;
		const then = workspace?.cwd === host.cwd ? workspace : undefined;
		const changed = commons.repository.changes(then?.git_head).then((changes) => {
			this.#repositoryChanged(stamp, describeChanges(then, changes, commons.words(language)));
		});
		this.#inBackground(changed);
	}

	noted(): void {
		const current = this.#shown && this.#deps.state();
		if (current && current.reading.stamp === this.stamp) this.show(current);
	}

	hide(): void {
		this.unpin();
		this.#shown = undefined;
		this.#deps.screen.hide();
	}

	#look(before: string): void {
		const typed = this.#deps.screen.typed();
		if (typed.trim() === "" || typed === before) this.#showPinned();
		else this.#typing = setTimeout(() => this.#look(typed), PAUSE_MS).unref();
	}

	#showPinned(): void {
		const { ctx, commons } = this.#deps;
		const state = this.#deps.state();
		if (state?.reading.hasTask && ctx.isIdle()) this.show(state);
		else this.#inBackground(commons.repository.refresh());
	}

	#repositoryChanged(stamp: string, text: string): void {
		const before = this.#changes.stamp === stamp ? this.#changes.text : "";
		this.#changes = { stamp, text };
		if (text !== before && this.#shown && this.stamp === stamp && this.#deps.state())
			this.#paint(this.#shown);
	}

	#paint({ reading, shown: recap }: Prepared): void {
		const { ctx, commons, screen } = this.#deps;
		const window = ctx.model?.contextWindow ?? 0;
		screen.show(
			cardContent({
				recap,
				at: reading.at,
				fill: reading.calls && window > 0 ? reading.calls.context / window : undefined,
				name: reading.timeline.name,
				words: commons.words(reading.language),
				now: Date.now(),
				repository: this.#changes.stamp === reading.stamp ? this.#changes.text : "",
			}),
		);
	}

	#inBackground(work: Promise<unknown>): void {
		void work.catch((bug: unknown) => this.#deps.commons.log("background.failed", errorFields(bug)));
	}
}
