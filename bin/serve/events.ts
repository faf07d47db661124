import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { leaseFinder } from "../../session-core/live/lease-files.ts";
import { seconds } from "../../session-core/session-view/json.ts";
import { outgoing } from "../../session-core/text/safe.ts";
import { type BoardChange, jsonOf, type SessionBoard } from "./board.ts";
import { countsOf, type LeaseWatch } from "./live.ts";

export interface EventLimits {
	/** Clients at once. */
	maxClients: number;
	/** A client with more unsent bytes than this is dropped. */
	maxBuffered: number;
	/** Milliseconds between two comments in the event stream, which are sent to keep the connection open. */
	heartbeatMs: number;
	/** Number of events that are kept for clients that reconnect. */
	replay: number;
}

const LIMITS: EventLimits = {
	maxClients: 2_000,
	maxBuffered: 1024 * 1024,
	heartbeatMs: 15_000,
	replay: 256,
};

const HEARTBEAT = Buffer.from(": keep-alive\n\n");
/** If more sessions than this change at once, clients are told to load the list again. */
const MAX_SENT = 200;

/**
 * Server-sent events: `hello` and `live` (the states of all open sessions), `sessions` (changed sessions and removed ids) and `reload` (sent
 * if there are too many changes). Each event is encoded once for all clients, and a slow client does not delay the others. Without clients,
 * nothing is watched.
 */
export class Events {
	readonly #board: SessionBoard;
	readonly #live: LeaseWatch;
	readonly #limits: EventLimits;
	readonly #clients = new Set<ServerResponse>();
	/** Random part of each event id, which ensures that event ids from an earlier server process do not match. */
	readonly #run = randomBytes(4).toString("hex");
	readonly #sent: { id: number; bytes: Buffer }[] = [];
	#last = 0;
	#heartbeat: NodeJS.Timeout | undefined;

	constructor(board: SessionBoard, live: LeaseWatch, limits: Partial<EventLimits> = {}) {
		this.#board = board;
		this.#live = live;
		this.#limits = { ...LIMITS, ...limits };
	}

	get size(): number {
		return this.#clients.size;
	}

	get isFull(): boolean {
		return this.size >= this.#limits.maxClients;
	}

	/** Responds with a stream of events. A client that reconnects gets the events that it missed, if they are still kept. */
	async listen({ method, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
		response.writeHead(200, {
			"Content-Type": "text/event-stream",
			"Cache-Control": "no-store",
			"X-Accel-Buffering": "no",
		});
		// A response to a HEAD request must not keep the connection open.
		if (method === "HEAD") return void response.end();
		await this.#board.ready();
		if (response.closed) return;
		if (this.size === 0) this.#start();
		const missed = this.#missed(String(headers["last-event-id"]));
		const total = this.#board.items.length;
		const hello = { ...this.#liveJson(), total, revision: this.#board.revision };
		if (missed) for (const { bytes } of missed) response.write(bytes);
		else response.write(this.#encoded(this.#last, "hello", hello));
		this.#clients.add(response);
		response.once("close", () => this.#leave(response));
	}

	close(): void {
		for (const client of [...this.#clients]) {
			this.#leave(client);
			client.destroy();
		}
	}

	#start(): void {
		this.#board.listen((change) => this.#changed(change));
		this.#live.watch(() => this.broadcast("live", this.#liveJson()));
		this.#heartbeat = setInterval(() => this.#send(HEARTBEAT), this.#limits.heartbeatMs).unref();
	}

	#leave(client: ServerResponse): void {
		if (!this.#clients.delete(client) || this.size > 0) return;
		clearInterval(this.#heartbeat);
		this.#board.listen(undefined);
		this.#live.close();
	}

	#changed({ changed, removed }: BoardChange): void {
		const total = this.#board.items.length;
		if (changed.length + removed.length > MAX_SENT) {
			this.broadcast("reload", { total });
			return;
		}
		const leaseOf = leaseFinder(this.#live.last);
		const sessions = changed
			// If two files share an id, clients receive only the session from the file that changed last.
			.filter((item) => this.#board.named(item.id)[0] === item)
			.map((item) => jsonOf(item, leaseOf(item.summary)));
		this.broadcast("sessions", { changed: sessions, removed, total });
	}

	#liveJson(): object {
		const { last } = this.#live;
		const open = last.map(({ sessionId, state, since }) => ({ id: sessionId, state, since: seconds(since) }));
		return { counts: countsOf(last), live: open };
	}

	broadcast(event: string, data: unknown): void {
		const id = ++this.#last;
		const bytes = this.#encoded(id, event, data);
		this.#sent.push({ id, bytes });
		if (this.#sent.length > this.#limits.replay) this.#sent.shift();
		this.#send(bytes);
	}

	#send(bytes: Buffer): void {
		for (const client of this.#clients) {
			if (client.writableLength > this.#limits.maxBuffered) client.destroy();
			else client.write(bytes);
		}
	}

	/** JSON contains no line breaks, so the data is a single line. */
	#encoded(id: number, event: string, data: unknown): Buffer {
		return Buffer.from(
			`id: ${this.#run}-${id}\nevent: ${event}\ndata: ${JSON.stringify(outgoing(data))}\n\n`,
		);
	}

	#missed(lastEventId: string): { bytes: Buffer }[] | undefined {
		const [, run, number] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(lastEventId) ?? [];
		if (run !== this.#run) return undefined;
		const seen = Number(number);
		const oldest = this.#sent[0]?.id ?? this.#last + 1;
		if (seen > this.#last || seen < oldest - 1) return undefined;
		return this.#sent.filter(({ id }) => id > seen);
	}
}
