/** Server-sent events. Each event is encoded once for all clients, and a slow client does not delay the others. */
import { randomBytes } from "node:crypto";
import { streamSSE } from "hono/streaming";
import { outgoing } from "../../session-core/text/outgoing.ts";
import { PROBLEMS, refuse, type ServeContext } from "./answer.ts";

/** One client's connection. */
export interface Client {
	write(text: Uint8Array): void;
	/** The number of bytes that have not been sent yet. */
	readonly buffered: number;
	/** Closes the connection and discards unsent bytes. */
	destroy(): void;
}

export interface HubOptions {
	/** Clients at once. */
	maxClients: number;
	/** A client with more unsent bytes than this is dropped. */
	maxBuffered: number;
	/** Milliseconds between two comments in the event stream, which are sent to keep the connection open. */
	heartbeatMs: number;
	/** Number of events that are kept for clients that reconnect. */
	replay: number;
}

export const HUB_DEFAULTS: HubOptions = {
	maxClients: 2_000,
	maxBuffered: 1024 * 1024,
	heartbeatMs: 15_000,
	replay: 256,
};

const HEARTBEAT = Buffer.from(": keep-alive\n\n");

export class EventHub {
	readonly #options: HubOptions;
	readonly #clients = new Set<Client>();
	/** Random part of each event id, which ensures that event ids from an earlier server process do not match. */
	readonly #run = randomBytes(4).toString("hex");
	readonly #sent: { id: number; bytes: Buffer }[] = [];
	#last = 0;
	#heartbeat: NodeJS.Timeout | undefined;
	/** The number of clients that were dropped because they were too slow. */
	dropped = 0;

	constructor(options: Partial<HubOptions> = {}) {
		this.#options = { ...HUB_DEFAULTS, ...options };
	}

	get size(): number {
		return this.#clients.size;
	}

	get isFull(): boolean {
		return this.#clients.size >= this.#options.maxClients;
	}

	/** Adds a client. A client that reconnects gets the events that it missed, if they are still kept; otherwise it gets `hello`. */
	join(client: Client, lastEventId: string | undefined, first: () => unknown): () => void {
		const missed = this.#missed(lastEventId);
		if (missed) for (const { bytes } of missed) client.write(bytes);
		else client.write(eventText(this.#id(this.#last), "hello", first()));
		this.#clients.add(client);
		this.#heartbeat ??= setInterval(() => this.#send(HEARTBEAT), this.#options.heartbeatMs).unref();
		return () => this.#leave(client);
	}

	broadcast(event: string, data: unknown): void {
		const id = ++this.#last;
		const bytes = eventText(this.#id(id), event, data);
		this.#sent.push({ id, bytes });
		if (this.#sent.length > this.#options.replay) this.#sent.shift();
		this.#send(bytes);
	}

	close(): void {
		for (const client of [...this.#clients]) {
			this.#leave(client);
			client.destroy();
		}
	}

	#id(number: number): string {
		return `${this.#run}-${number}`;
	}

	#missed(lastEventId: string | undefined): { bytes: Buffer }[] | undefined {
		const [, run, number] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(lastEventId ?? "") ?? [];
		if (run !== this.#run) return undefined;
		const seen = Number(number);
		const oldest = this.#sent[0]?.id ?? this.#last + 1;
		if (seen > this.#last || seen < oldest - 1) return undefined;
		return this.#sent.filter(({ id }) => id > seen);
	}

	#send(bytes: Buffer): void {
		for (const client of this.#clients) {
			if (client.buffered > this.#options.maxBuffered) {
				this.dropped++;
				this.#leave(client);
				client.destroy();
			} else client.write(bytes);
		}
	}

	#leave(client: Client): void {
		this.#clients.delete(client);
		if (this.#clients.size > 0) return;
		clearInterval(this.#heartbeat);
		this.#heartbeat = undefined;
	}
}

/** Where the events come from. */
export interface NewsSource {
	readonly hub: EventHub;
	/** Starts watching for changes. Resolves when the data for `hello` is available. */
	start(): Promise<void>;
	stop(): void;
	/** Returns the first event of a new client. */
	hello(): unknown;
}

/** Responds with a stream of events that ends when the client disconnects. */
export async function listen(context: ServeContext, news: NewsSource): Promise<Response> {
	const { hub } = news;
	context.header("X-Accel-Buffering", "no");
	// A response to a HEAD request must not keep the connection open.
	if (context.req.method === "HEAD")
		return context.body(null, 200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
	if (hub.isFull) return refuse(context, PROBLEMS.full);
	await news.start();
	const response = streamSSE(context, async (stream) => {
		if (stream.aborted) return;
		const gone = new Promise<void>((resolve) => stream.onAbort(resolve));
		let buffered = 0;
		const write = async (bytes: Uint8Array) => {
			buffered += bytes.length;
			await stream.write(bytes);
			buffered -= bytes.length;
		};
		const client: Client = {
			write: (bytes) => void write(bytes),
			get buffered() {
				return buffered;
			},
			destroy: () => context.env.outgoing.destroy(),
		};
		const leave = hub.join(client, context.req.header("last-event-id"), () => news.hello());
		// If the last other client has disconnected in the meantime, the server has stopped watching for changes, so watching is started
		// again.
		void news.start();
		await gone;
		leave();
		if (hub.size === 0) news.stop();
	});
	response.headers.set("Cache-Control", "no-store");
	return response;
}

/** JSON contains no line breaks, so the data is a single line. */
function eventText(id: string, event: string, data: unknown): Buffer {
	return Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(outgoing(data))}\n\n`);
}
