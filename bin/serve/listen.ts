import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { refuse, type ServeContext } from "./context.ts";
import { SECURITY_HEADERS } from "./headers.ts";
import { PROBLEMS } from "./problems.ts";
import type { EventHub, Sink } from "./stream.ts";

export interface ListenDeps {
	hub: EventHub;
	/** So many listen now. Resolves when there is something to greet them with. */
	onListeners(count: number): Promise<void>;
	/** The state of things, for one who begins to listen. */
	hello(): unknown;
}

const STREAM_HEADERS = {
	"Content-Type": "text/event-stream; charset=utf-8",
	"Cache-Control": "no-store",
	"X-Accel-Buffering": "no",
};

/** Answers with a stream of events, which ends when the client goes. */
export async function listen(
	context: ServeContext,
	{ hub, onListeners, hello }: ListenDeps,
): Promise<Response> {
	// Asked for the headers alone: there is nothing to keep open.
	if (context.env.incoming.method === "HEAD") return context.body(null, 200, STREAM_HEADERS);
	if (hub.isFull) return refuse(context, PROBLEMS.full);
	await onListeners(hub.size + 1);
	const { outgoing } = context.env;
	// This server speaks HTTP/1.1 alone.
	const response = outgoing as ServerResponse;
	response.writeHead(200, {
		...SECURITY_HEADERS,
		...STREAM_HEADERS,
	});
	const leave = hub.join(sinkOf(response), context.req.header("last-event-id"), hello);
	response.on("close", () => {
		leave();
		void onListeners(hub.size);
	});
	// Whoever listened before may have gone meanwhile, and this client too.
	void onListeners(hub.size);
	if (response.destroyed) leave();
	return RESPONSE_ALREADY_SENT;
}

/** A response as a client that takes events. */
export function sinkOf(response: ServerResponse): Sink {
	return {
		write: (bytes) => void response.write(bytes),
		get buffered() {
			return response.writableLength;
		},
		destroy: () => response.destroy(),
	};
}
