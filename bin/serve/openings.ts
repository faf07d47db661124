/** Milliseconds that a pi may take until it says that it has a session open. */
const STARTING_MS = 10_000;

/** What was opened a moment ago: a second click comes before the first one's pi has said that the session is its own. */
export class Openings {
	readonly #at = new Map<string, number>();

	/** Whether it may be opened; from now on it may not, until `forget` or a while later. Times in milliseconds. */
	begin(id: string, now: number): boolean {
		for (const [other, at] of this.#at) if (Math.abs(now - at) >= STARTING_MS) this.#at.delete(other);
		if (this.#at.has(id)) return false;
		this.#at.set(id, now);
		return true;
	}

	/** It is open by now, or could not be opened. */
	forget(id: string): void {
		this.#at.delete(id);
	}
}
