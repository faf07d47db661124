import type { BoardChange, SessionBoard } from "./board.ts";
import { jsonOf, seconds } from "./item.ts";
import { countsOf } from "./list.ts";
import { type LiveSession, type LiveSessions, liveFinder } from "./live.ts";
import type { EventHub } from "./stream.ts";

/** More sessions than this at once are not told one by one: a client asks for the list again. */
const MAX_TOLD = 200;

/**
 * Tells all clients what changed. `hello` and `live`: what every open session does; `sessions`: sessions that changed or are gone;
 * `reload`: too much changed. While nobody listens nothing is looked at.
 */
export class News {
	readonly #board: SessionBoard;
	readonly #live: LiveSessions;
	readonly #hub: EventHub;
	#stop: (() => void) | undefined;

	constructor(board: SessionBoard, live: LiveSessions, hub: EventHub) {
		this.#board = board;
		this.#live = live;
		this.#hub = hub;
	}

	/** The state of things, for a client that knows nothing. */
	hello(): unknown {
		return { ...liveJson(this.#live.last), total: this.#board.items.length, revision: this.#board.revision };
	}

	/** Somebody listens now; resolves when the state of things is known. */
	async start(): Promise<void> {
		if (!this.#stop) this.#begin();
		await this.#board.ready();
	}

	#begin(): void {
		const offBoard = this.#board.onChange((change) => this.#changed(change));
		const offLive = this.#live.onChange(() => this.#hub.broadcast("live", liveJson(this.#live.last)));
		this.#stop = () => {
			offBoard();
			offLive();
		};
		this.#live.read();
	}

	/** Nobody listens any more. */
	stop(): void {
		this.#stop?.();
		this.#stop = undefined;
	}

	#changed({ changed, removed }: BoardChange): void {
		const total = this.#board.items.length;
		if (changed.length + removed.length > MAX_TOLD) {
			this.#hub.broadcast("reload", { total });
			return;
		}
		const liveOf = liveFinder(this.#live.last);
		const sessions = changed
			// Of two files with one id, a list by ids has the one that was worked on last.
			.filter((item) => this.#board.named(item.id)[0] === item)
			.map((item) => jsonOf(item, liveOf(item)));
		this.#hub.broadcast("sessions", { changed: sessions, removed, total });
	}
}

function liveJson(live: readonly LiveSession[]): object {
	const open = live.map(({ sessionId, state, since }) => ({ id: sessionId, state, since: seconds(since) }));
	return { counts: countsOf(live), live: open };
}
