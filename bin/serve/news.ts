import type { Lease } from "../../session-core/live/lease.ts";
import { seconds } from "../../session-core/session-view/json.ts";
import { jsonOf } from "../sessions/item.ts";
import { leaseFinder } from "../sessions/state.ts";
import type { BoardChange, SessionBoard } from "./board.ts";
import { countsOf } from "./list.ts";
import type { LeaseWatch } from "./live.ts";
import type { EventHub } from "./stream.ts";

/** More changed sessions than this at once are not sent one by one: a client asks for the list again. */
const MAX_SENT = 200;

/**
 * Tells all clients what changed. `hello` and `live`: what every open session does; `sessions`: sessions that changed or are gone;
 * `reload`: too much changed. While nobody listens, nothing is looked at.
 */
export class News {
	readonly #board: SessionBoard;
	readonly #live: LeaseWatch;
	readonly #hub: EventHub;
	#isOn = false;

	constructor(board: SessionBoard, live: LeaseWatch, hub: EventHub) {
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
		if (!this.#isOn) {
			this.#isOn = true;
			this.#board.listen((change) => this.#changed(change));
			this.#live.watch(() => this.#hub.broadcast("live", liveJson(this.#live.last)));
			this.#live.read();
		}
		await this.#board.ready();
	}

	/** Nobody listens any more. */
	stop(): void {
		this.#isOn = false;
		this.#board.listen(undefined);
		this.#live.close();
	}

	#changed({ changed, removed }: BoardChange): void {
		const total = this.#board.items.length;
		if (changed.length + removed.length > MAX_SENT) {
			this.#hub.broadcast("reload", { total });
			return;
		}
		const leaseOf = leaseFinder(this.#live.last);
		const sessions = changed
			// Of two files with one id, a list by ids has the one that was worked on last.
			.filter((item) => this.#board.named(item.id)[0] === item)
			.map((item) => jsonOf(item, leaseOf(item.summary)));
		this.#hub.broadcast("sessions", { changed: sessions, removed, total });
	}
}

function liveJson(live: readonly Lease[]): object {
	const open = live.map(({ sessionId, state, since }) => ({ id: sessionId, state, since: seconds(since) }));
	return { counts: countsOf(live), live: open };
}
