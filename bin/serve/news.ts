import type { Lease } from "../../session-core/live/lease-files.ts";
import { leaseFinder } from "../../session-core/live/lease-files.ts";
import { seconds } from "../../session-core/session-view/json.ts";
import { type BoardChange, jsonOf, type SessionBoard } from "./board.ts";
import { countsOf } from "./list.ts";
import type { LeaseWatch } from "./live.ts";
import type { EventHub, NewsSource } from "./stream.ts";

/** If more sessions than this change at once, clients are told to load the list again. */
const MAX_SENT = 200;

/**
 * Sends changes to all clients. The events are `hello` and `live` (the states of all open sessions), `sessions` (changed sessions and
 * removed ids) and `reload` (sent if there are too many changes). Without clients, nothing is watched.
 */
export class News implements NewsSource {
	readonly hub: EventHub;
	readonly #board: SessionBoard;
	readonly #live: LeaseWatch;
	#isOn = false;

	constructor(board: SessionBoard, live: LeaseWatch, hub: EventHub) {
		this.#board = board;
		this.#live = live;
		this.hub = hub;
	}

	hello(): unknown {
		return { ...liveJson(this.#live.last), total: this.#board.items.length, revision: this.#board.revision };
	}

	async start(): Promise<void> {
		if (!this.#isOn) {
			this.#isOn = true;
			this.#board.listen((change) => this.#changed(change));
			this.#live.watch(() => this.hub.broadcast("live", liveJson(this.#live.last)));
			this.#live.read();
		}
		await this.#board.ready();
	}

	stop(): void {
		this.#isOn = false;
		this.#board.listen(undefined);
		this.#live.close();
	}

	#changed({ changed, removed }: BoardChange): void {
		const total = this.#board.items.length;
		if (changed.length + removed.length > MAX_SENT) {
			this.hub.broadcast("reload", { total });
			return;
		}
		const leaseOf = leaseFinder(this.#live.last);
		const sessions = changed
			// If two files share an id, clients receive only the session from the file that changed last.
			.filter((item) => this.#board.named(item.id)[0] === item)
			.map((item) => jsonOf(item, leaseOf(item.summary)));
		this.hub.broadcast("sessions", { changed: sessions, removed, total });
	}
}

function liveJson(live: readonly Lease[]): object {
	const open = live.map(({ sessionId, state, since }) => ({ id: sessionId, state, since: seconds(since) }));
	return { counts: countsOf(live), live: open };
}
