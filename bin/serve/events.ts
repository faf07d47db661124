import type { IncomingMessage, ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import {
	leaseFinder,
	type SessionJson,
	seconds,
	sessionJson,
	withLease,
} from "../../session-core/sessions/index.ts";
import { outgoing, startPolling } from "../../session-core/text/index.ts";
import { type BoardChange, countsOf, type SessionBoard } from "./board.ts";

/**
 * The interval in milliseconds at which the server polls the leases. Polling is needed because no file
 * changes when a process is killed.
 */
const POLL_MS = 500;
/**
 * The interval, in milliseconds, at which the server sends a comment to each client to keep the
 * connection open.
 */
const HEARTBEAT_MS = 15_000;
/** The maximum number of unsent bytes for a client. A client that reads too slowly is disconnected. */
const MAX_BUFFERED = 1024 * 1024;
const MOST_CLIENTS = 16;
/**
 * The maximum number of changed sessions in one event. If more sessions change at once, the event
 * contains only the new revision, and clients reload the list.
 */
const MAX_SENT = 200;

type LiveSession = Pick<SessionJson, "id" | "state" | "since" | "doing" | "steps" | "dialog" | "interactive">;

/** Maps each `/v1/live` event name to the type of the event's data. */
export interface EventsJson {
	live: { counts: ReturnType<typeof countsOf>; live: LiveSession[] };
	sessions: { changed: SessionJson[]; removed: string[] };
}

export class Events {
	readonly #board: SessionBoard;
	readonly #heartbeatMs: number;
	readonly #clients = new Set<ServerResponse>();
	#timers: NodeJS.Timeout[] = [];
	#sent: readonly LiveSession[] = [];

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
		// A HEAD request expects only headers, so the connection must not stay open.
		if (method === "HEAD") return void response.end();
		await this.#board.ready();
		if (response.closed) return;
		const states = this.#states();
		if (this.size === 0) this.#start(states.live);
		response.write(this.#encoded("live", states));
		// If there are too many connections, the oldest is closed. A page that is still open reconnects.
		const [oldest] = this.#clients;
		if (oldest && this.size >= MOST_CLIENTS) this.#drop(oldest);
		this.#clients.add(response);
		response.once("close", () => this.#leave(response));
	}

	broadcast<Name extends keyof EventsJson>(event: Name, data: EventsJson[Name]): void {
		this.#send(this.#encoded(event, data));
	}

	close(): void {
		for (const client of [...this.#clients]) this.#drop(client);
	}

	#start(live: readonly LiveSession[]): void {
		this.#sent = live;
		this.#board.listen((change) => this.#changed(change));
		const heartbeat = () => this.#send(": keep-alive\n\n");
		this.#timers = [
			startPolling("serve", POLL_MS, () => this.#look()),
			startPolling("serve", this.#heartbeatMs, heartbeat),
		];
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
			// If two files share a session id, clients receive only the session in the most recently changed file.
			.filter((session) => this.#board.named(session.id)[0] === session)
			.map((session) => sessionJson(withLease(session, leaseOf(session))));
		this.broadcast("sessions", { changed: sessions, removed });
	}

	#look(): void {
		const states = this.#states();
		if (isDeepStrictEqual(states.live, this.#sent)) return;
		const stopped = this.#sent.filter(
			({ id, state }) => state === "working" && states.live.find((one) => one.id === id)?.state !== state,
		);
		this.#sent = states.live;
		// While an agent is working, its session has no outcome, so the session is sent again when the agent stops.
		const changed = stopped.flatMap(({ id }) => this.#board.named(id).slice(0, 1));
		if (changed.length > 0) this.#changed({ changed, removed: [] });
		this.broadcast("live", states);
	}

	#states(): EventsJson["live"] {
		const leases = this.#board.openSessions();
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

	/** Serialized JSON contains no line breaks, so the data fits on one line of the event stream. */
	#encoded(event: string, data: object): Buffer {
		const { sessions, revision } = this.#board;
		const all = outgoing({ ...data, total: sessions.length, revision });
		return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(all)}\n\n`);
	}
}
