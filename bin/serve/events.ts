import type { IncomingMessage, ServerResponse } from "node:http";
import { seconds } from "../../session-core/sessions/index.ts";
import { leaseFinder, openLeases } from "../../session-core/sessions/live/index.ts";
import { outgoing } from "../../session-core/text/index.ts";
import { type BoardChange, countsOf, jsonOf, type SessionBoard } from "./board.ts";

/** Interval in milliseconds at which the leases are read. The leases are not watched, because no file changes when a process is killed. */
const LOOK_MS = 500;
/** Interval in milliseconds at which a comment is sent in the event stream, to keep the connection open. */
const HEARTBEAT_MS = 15_000;
/** A client with more unsent bytes than this is dropped. */
const MAX_BUFFERED = 1024 * 1024;
/** Maximum number of event streams. If there are more, the oldest one is closed. */
const MOST_CLIENTS = 16;
/** If more sessions than this change at once, they are not sent. The new revision then tells clients to load the list again. */
const MAX_SENT = 200;

/**
 * Server-sent events: `live` (the states of all open sessions) and `sessions` (changed sessions and removed ids). An event is encoded once
 * for all clients, and a slow client does not delay the others. If there are no clients, nothing is watched.
 */
export class Events {
	readonly #board: SessionBoard;
	readonly #agentDir: string;
	readonly #heartbeatMs: number;
	readonly #clients = new Set<ServerResponse>();
	#timers: NodeJS.Timeout[] = [];
	/** The states of all open sessions, as sent in the last event. */
	#live = "";

	constructor(board: SessionBoard, agentDir: string, heartbeatMs = HEARTBEAT_MS) {
		this.#board = board;
		this.#agentDir = agentDir;
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
		if (this.size === 0) {
			this.#board.listen((change) => this.#changed(change));
			const heartbeat = () => this.#send(": keep-alive\n\n");
			this.#timers = [setInterval(() => this.#look(), LOOK_MS), setInterval(heartbeat, this.#heartbeatMs)];
			for (const timer of this.#timers) timer.unref();
		}
		response.write(this.#encoded("live", this.#liveJson()));
		// A page that is disconnected reconnects if it is still open.
		const [oldest] = this.#clients;
		if (oldest && this.size >= MOST_CLIENTS) this.#drop(oldest);
		this.#clients.add(response);
		response.once("close", () => this.#leave(response));
	}

	close(): void {
		for (const client of [...this.#clients]) this.#drop(client);
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
		if (changed.length + removed.length > MAX_SENT) return void this.broadcast("live", this.#liveJson());
		const leaseOf = leaseFinder(openLeases(this.#agentDir, Date.now()));
		const sessions = changed
			// If two files share an id, clients receive only the session from the file that changed last.
			.filter((item) => this.#board.named(item.id)[0] === item)
			.map((item) => jsonOf(item, leaseOf(item.summary)));
		this.broadcast("sessions", { changed: sessions, removed });
	}

	#look(): void {
		const before = this.#live;
		const live = this.#liveJson();
		if (this.#live !== before) this.broadcast("live", live);
	}

	#liveJson(): object {
		// The same session can be open in two processes.
		const byId = new Map(openLeases(this.#agentDir, Date.now()).map((lease) => [lease.sessionId, lease]));
		const leases = [...byId.values()];
		const live = leases.map(({ sessionId: id, state, since, isInteractive = false, ...more }) => {
			const { doing = null, steps = null, dialog = null } = more;
			return { id, state, since: seconds(since), doing, steps, dialog, interactive: isInteractive };
		});
		this.#live = JSON.stringify(live);
		return { counts: countsOf(leases), live };
	}

	broadcast(event: "live" | "sessions", data: object): void {
		this.#send(this.#encoded(event, data));
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
