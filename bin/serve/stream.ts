/** Server-sent events: one text for all clients, and nobody waits for a slow one. */
import { randomBytes } from "node:crypto";
import { outgoing } from "../../session-core/text/outgoing.ts";

/** One client's connection. */
export interface Sink {
	write(text: Uint8Array): void;
	/** Bytes that it has not taken yet. */
	readonly buffered: number;
	/** Ends it, whatever is still to be sent. */
	destroy(): void;
}

export interface HubOptions {
	/** Clients at once. */
	maxClients: number;
	/** A client that has not taken this many bytes is dropped. */
	maxBuffered: number;
	/** Between two comments that keep a connection open, in milliseconds. */
	heartbeatMs: number;
	/** Events that a client may have missed and still be told. */
	replay: number;
}

export const HUB_DEFAULTS: HubOptions = {
	maxClients: 2_000,
	maxBuffered: 1024 * 1024,
	heartbeatMs: 15_000,
	replay: 256,
};

const HEARTBEAT = Buffer.from(": still here\n\n");

export class EventHub {
	readonly #options: HubOptions;
	readonly #clients = new Set<Sink>();
	/** Tells the ids of this run from those of an earlier one. */
	readonly #run = randomBytes(4).toString("hex");
	readonly #sent: { id: number; bytes: Buffer }[] = [];
	#last = 0;
	#heartbeat: NodeJS.Timeout | undefined;
	/** Clients that were dropped because they took nothing. */
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

	/**
	 * Takes a client in. One that comes back gets what it missed, if that is still known; any other is greeted with `first`, which
	 * is the state of things.
	 */
	join(sink: Sink, lastEventId: string | undefined, first: () => unknown): () => void {
		const missed = this.#missed(lastEventId);
		if (missed) for (const { bytes } of missed) sink.write(bytes);
		else sink.write(eventText(this.#id(this.#last), "hello", first()));
		this.#clients.add(sink);
		this.#heartbeat ??= setInterval(() => this.#send(HEARTBEAT), this.#options.heartbeatMs).unref();
		return () => this.#leave(sink);
	}

	broadcast(event: string, data: unknown): void {
		const id = ++this.#last;
		const bytes = eventText(this.#id(id), event, data);
		this.#sent.push({ id, bytes });
		if (this.#sent.length > this.#options.replay) this.#sent.shift();
		this.#send(bytes);
	}

	close(): void {
		for (const sink of [...this.#clients]) {
			this.#leave(sink);
			sink.destroy();
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
		for (const sink of this.#clients) {
			if (sink.buffered > this.#options.maxBuffered) {
				this.dropped++;
				this.#leave(sink);
				sink.destroy();
			} else sink.write(bytes);
		}
	}

	#leave(sink: Sink): void {
		this.#clients.delete(sink);
		if (this.#clients.size > 0) return;
		clearInterval(this.#heartbeat);
		this.#heartbeat = undefined;
	}
}

/** JSON has no line break, so an event's data is one line. */
function eventText(id: string, event: string, data: unknown): Buffer {
	return Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(outgoing(data))}\n\n`);
}
