import { Offers } from "../../session-core/find/offers.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";

/** A list of this age is good for the next keystroke, and a new one is made meanwhile. In milliseconds. */
const FRESH_MS = 10_000;
/** One of this age belongs to another train of thought: the new one is waited for. In milliseconds. */
const OLD_MS = 60_000;

export interface KnownDeps {
	list(): Promise<SessionSummary[]>;
	now(): number;
}

/** The sessions that completion offers. Listed once and then answered from memory while somebody types. */
export class KnownSessions {
	readonly #deps: KnownDeps;
	#offers: Offers | undefined;
	#listedAt = 0;
	#listing: Promise<Offers> | undefined;

	constructor(deps: KnownDeps) {
		this.#deps = deps;
	}

	async offers(): Promise<Offers> {
		const age = this.#deps.now() - this.#listedAt;
		if (!this.#offers || age < 0 || age >= OLD_MS) return this.#list();
		// One that fails is tried again by the next key.
		if (age >= FRESH_MS) this.#list().catch(() => undefined);
		return this.#offers;
	}

	#list(): Promise<Offers> {
		this.#listing ??= this.#deps
			.list()
			.then((rows) => {
				this.#offers = new Offers(rows);
				this.#listedAt = this.#deps.now();
				return this.#offers;
			})
			.finally(() => {
				this.#listing = undefined;
			});
		return this.#listing;
	}
}
