import { startTimer } from "../../session-core/text/index.ts";

/**
 * The delay, in milliseconds, between the end of a run and the bell. Background work may start another
 * run during the delay.
 */
const RING_MS = 3_000;
/** The bell's delay, in milliseconds, after a dialog has opened. The user may be about to answer it. */
const DIALOG_MS = 6_000;
/** Node.js fires a timer immediately if its delay is longer than 2^31 − 1 milliseconds. */
const MAX_MS = 2 ** 31 - 1;

interface News {
	body: string;
	isDialog?: boolean;
	unseen?: () => void;
}

/**
 * If the terminal has focus, the bell waits until the user is considered away, because users often walk
 * away without switching windows.
 */
export class Bell {
	readonly #deps: { looksForMs(): number; ring(body: string): void };
	readonly #rung = new Set<string>();
	#timer: NodeJS.Timeout | undefined;

	/**
	 * `looksForMs` returns how much longer, in milliseconds, the user is assumed to be looking at the
	 * terminal.
	 */
	constructor(deps: { looksForMs(): number; ring(body: string): void }) {
		this.#deps = deps;
	}

	announce(news: News): void {
		const { looksForMs } = this.#deps;
		this.#arm(news.isDialog ? DIALOG_MS : RING_MS, () => {
			const left = looksForMs();
			if (left === 0) this.#ring(news);
			else this.#arm(left, () => looksForMs() === 0 && this.#ring(news));
		});
	}

	cancel(): void {
		clearTimeout(this.#timer);
	}

	submitted(): void {
		this.cancel();
		this.#rung.clear();
	}

	#arm(ms: number, then: () => void): void {
		this.cancel();
		this.#timer = Number.isFinite(ms) ? startTimer("sessions", Math.min(ms, MAX_MS), then) : undefined;
	}

	#ring({ body, unseen }: News): void {
		unseen?.();
		if (!this.#rung.has(body)) this.#deps.ring(body);
		this.#rung.add(body);
	}
}
