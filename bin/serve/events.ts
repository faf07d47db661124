import type { IncomingMessage, ServerResponse } from "node:http";
import { leaseFinder, seconds, sessionJson } from "../../session-core/sessions/index.ts";
import { outgoing } from "../../session-core/text/index.ts";
import { type BoardChange, countsOf, type SessionBoard, viewWith } from "./board.ts";

/** Interval in milliseconds at which the leases are read. The leases are not watched, because no file changes when a process is killed. */
const LOOK_MS = 500;
/** Interval in milliseconds at which a comment is sent in the event stream, to keep the connection open. */
const HEARTBEAT_MS = 15_000;
/** Maximum number of unsent bytes for one client. A client that reads so slowly that it exceeds this number is disconnected. */
const MAX_BUFFERED = 1024 * 1024;
/** Maximum number of event streams. If there are more, the oldest one is closed. */
const MOST_CLIENTS = 16;
/** Maximum number of changed sessions in an event. If more change at once, only the new revision is sent, so clients load the list again. */
const MAX_SENT = 200;

/**
 * Server-sent events: `live` (the states of all open sessions) and `sessions` (changed sessions and removed ids). An event is encoded once
 * for all clients, and a slow client does not delay the others. If there are no clients, nothing is watched.
 */
export class Events {
	readonly #board: SessionBoard;
	readonly #heartbeatMs: number;
	readonly #clients = new Set<ServerResponse>();
	#timers: NodeJS.Timeout[] = [];
	/** The states of all open sessions, as sent in the last event. */
	#sent = "";

	constructor(board: SessionBoard, heartbeatMs = HEARTBEAT_MS) {
		this.#board = board;
		this.#heartbeatMs = heartbeatMs;
	}

	get size(): number {
		return this.#clients.size;
	}

	async listen({ method }: IncomingMessage, response: ServerResponse): Promise<void> {
		response.writeHead(200, {
			"Content-Type": "text/event-stream",
			"Cache-Control": "no-store",
			"X-Accel-Buffering": "no",
		});
		// A response to a HEAD request must not keep the connection open.
		if (method === "HEAD") return void response.end();
		await this.#board.ready();
		if (response.closed) return;
		const states = this.#states();
		if (this.size === 0) this.#start(states.live);
		response.write(this.#encoded("live", states));
		// A page that is disconnected reconnects if it is still open.
		const [oldest] = this.#clients;
		if (oldest && this.size >= MOST_CLIENTS) this.#drop(oldest);
		this.#clients.add(response);
		response.once("close", () => this.#leave(response));
	}

	broadcast(event: "live" | "sessions", data: object): void {
		this.#send(this.#encoded(event, data));
	}

	close(): void {
		for (const client of [...this.#clients]) this.#drop(client);
	}

	#start(live: object): void {
		this.#sent = JSON.stringify(live);
		this.#board.listen((change) => this.#changed(change));
		const heartbeat = () => this.#send(": keep-alive\n\n");
		this.#timers = [setInterval(() => this.#look(), LOOK_MS), setInterval(heartbeat, this.#heartbeatMs)];
		for (const timer of this.#timers) timer.unref();
	}

	#drop(client: ServerResponse): void {
		this.#leave(client);
		client.destroy();
	}

	#leave(client: ServerResponse): void {
		if (!this.#clients.delete(client) || this.size > 0) return;
		for (const timer of this.#timers) clearInterval(timer);
		this.#board.listen(undefined);
	}

	#changed({ changed, removed }: BoardChange): void {
		if (changed.length + removed.length > MAX_SENT) return void this.broadcast("live", this.#states());
		const leaseOf = leaseFinder(this.#board.leases());
		const sessions = changed
			// If two files share an id, clients receive only the session from the file that changed last.
			.filter((item) => this.#board.named(item.id)[0] === item)
			.map((item) => sessionJson(viewWith(item, leaseOf(item.summary))));
		this.broadcast("sessions", { changed: sessions, removed });
	}

	#look(): void {
		const states = this.#states();
		const text = JSON.stringify(states.live);
		if (text === this.#sent) return;
		this.#sent = text;
		this.broadcast("live", states);
	}

	#states() {
		// The same session can be open in two processes.
		const byId = new Map(this.#board.leases().map((lease) => [lease.sessionId, lease]));
		const leases = [...byId.values()];
		const live = leases.map(({ sessionId: id, state, since, isInteractive = false, ...more }) => {
			const { doing = null, steps = null, dialog = null } = more;
			return { id, state, since: seconds(since), doing, steps, dialog, interactive: isInteractive };
		});
		return { counts: countsOf(leases), live };
	}

	#send(text: Buffer | string): void {
		for (const client of this.#clients) {
			if (client.writableLength > MAX_BUFFERED) client.destroy();
			else client.write(text);
		}
	}

	/** JSON contains no line breaks, so the data is a single line. */
	#encoded(event: string, data: object): Buffer {
		const { items, revision } = this.#board;
		const all = outgoing({ ...data, total: items.length, revision });
		return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(all)}\n\n`);
	}
}
