/** How often one address may ask: `burst` at once, and `perSecond` on the whole. */
export interface RateLimit {
	perSecond: number;
	burst: number;
}

interface Bucket {
	left: number;
	at: number;
}

/** Addresses that are kept in mind: those that asked longest ago are forgotten first. */
const MAX_ADDRESSES = 1_024;

/** Token buckets, one an address. Time comes in as `now`, in milliseconds. */
export class RateLimiter {
	readonly #limit: RateLimit;
	readonly #buckets = new Map<string, Bucket>();

	constructor(limit: RateLimit) {
		this.#limit = limit;
	}

	/** Counts one request; answers in how many seconds to ask again, 0 if it may be done now. */
	wait(address: string, now: number): number {
		const { perSecond, burst } = this.#limit;
		const known = this.#buckets.get(address) ?? { left: burst, at: now };
		// A clock that was put back gives nothing and takes nothing.
		const gained = (Math.max(0, now - known.at) / 1_000) * perSecond;
		const left = Math.min(burst, known.left + gained);
		const isAllowed = left >= 1;
		this.#buckets.delete(address);
		this.#buckets.set(address, { left: isAllowed ? left - 1 : left, at: now });
		this.#forget();
		return isAllowed ? 0 : Math.ceil((1 - left) / perSecond);
	}

	#forget(): void {
		if (this.#buckets.size <= MAX_ADDRESSES) return;
		const [oldest] = this.#buckets.keys();
		if (oldest !== undefined) this.#buckets.delete(oldest);
	}
}
