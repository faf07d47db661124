import type { Prepared } from "../../session-core/recap/index.ts";
import { errorFields } from "../../session-core/text/index.ts";
import type { ResumeDeps } from "../deps.ts";
import type { Keeper } from "../record/keeper.ts";
import { createCard, createPin } from "./card.ts";
import { describeChanges } from "./content.ts";

export class CardPresenter {
	readonly card: ReturnType<typeof createCard>;
	readonly #pin: ReturnType<typeof createPin>;
	readonly #deps: ResumeDeps;
	readonly #keeper: Keeper;
	readonly #isLive: () => boolean;

	constructor(deps: ResumeDeps, keeper: Keeper, isLive: () => boolean) {
		this.#deps = deps;
		this.#keeper = keeper;
		this.#isLive = isLive;
		this.card = createCard({
			screen: deps.screen,
			now: Date.now,
			cardShown: (stamp) => deps.shared.recap?.giveWay(stamp),
		});
		this.#pin = createPin({ text: deps.screen.typed, show: () => this.#pinned() });
	}

	pin(): void {
		this.#pin.set();
	}

	unpin(): void {
		this.#pin.cancel();
	}

	show({ reading, shown: recap }: Prepared): void {
		this.#pin.cancel();
		const { ctx, host, commons } = this.#deps;
		const { stamp, at } = reading;
		if (stamp === undefined) return;
		const window = ctx.model?.contextWindow ?? 0;
		const fill = reading.calls && window > 0 ? reading.calls.context / window : undefined;
		const words = commons.words(reading.language);
		this.card.show({ stamp, recap, at, fill, name: reading.timeline.name, words });
		// If pi continues the session in another folder, that folder's repository is unrelated to the card.
		if (host.isMoved) return;
		const then = recap.workspace?.cwd === host.cwd ? recap.workspace : undefined;
		const changed = commons.repository.changes(then?.git_head).then((changes) => {
			if (this.#isLive()) this.card.setRepository(stamp, describeChanges(then, changes, words));
		});
		this.#inBackground(changed);
	}

	/** If the card shows the current state, updates it with the model's note on that state. */
	noted(): void {
		const current = this.#isLive() && this.card.shown ? this.#keeper.state() : undefined;
		if (current && current.reading.stamp === this.card.shown?.stamp) this.show(current);
	}

	hide(): void {
		this.#pin.cancel();
		this.card.hide();
	}

	#pinned(): void {
		const prepared = this.#isLive() && this.#deps.ctx.isIdle() ? this.#keeper.state() : undefined;
		if (prepared?.reading.hasTask) this.show(prepared);
		else this.#inBackground(this.#deps.commons.repository.refresh());
	}

	#inBackground(work: Promise<unknown>): void {
		void work.catch((bug: unknown) => this.#deps.commons.log("background.failed", errorFields(bug)));
	}
}
