import { connect, type Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../test/host/until.ts";
import type { ServeEnv } from "./answer.ts";
import { EventHub, listen } from "./stream.ts";

test("the hub keeps a limited number of events: a client that missed more is greeted again", () => {
	const hub = new EventHub({ replay: 2 });
	const joined = (lastEventId?: string) => {
		let text = "";
		const write = (bytes: Uint8Array) => {
			text += Buffer.from(bytes).toString();
		};
		hub.join({ buffered: 0, write, destroy: () => undefined }, lastEventId, () => "start");
		return text;
	};
	const [, id] = /id: (\S+)/.exec(joined()) ?? [];
	for (const n of [1, 2]) hub.broadcast("live", n);
	expect(joined(id).match(/data: .*/g)).toEqual(["data: 1", "data: 2"]);
	hub.broadcast("live", 3);
	expect(joined(id)).toContain('data: "start"');
	hub.close();
});

test("a client that reads nothing is dropped, and another one receives everything", async () => {
	const hub = new EventHub({ maxBuffered: 200_000 });
	const app = new Hono<ServeEnv>();
	const news = { hub, start: async () => undefined, stop: () => undefined, hello: () => "hello" };
	app.get("/", (context) => listen(context, news));
	const server = createAdaptorServer({ fetch: app.fetch });
	onTestFinished(() => {
		hub.close();
		server.close();
	});
	const port = await new Promise<number>((resolve) =>
		server.listen(0, "127.0.0.1", () => resolve(Object(server.address()).port)),
	);
	const [slow, fast] = [client(port), client(port)];
	slow.pause();
	let received = 0;
	let rest = "";
	fast.on("data", (bytes) => {
		const text = rest + bytes.toString("latin1");
		received += text.match(/event: live/g)?.length ?? 0;
		// The marker may be split across two chunks.
		rest = text.slice(1 - "event: live".length);
	});
	await until(() => hub.size === 2, { what: "both clients" });
	const event = "x".repeat(100_000);
	let sent = 0;
	// The system buffers some megabytes for the slow client.
	await until(
		() => {
			if (received === sent) {
				hub.broadcast("live", event);
				sent++;
			}
			return hub.dropped > 0;
		},
		{ what: "the slow client to be dropped", everyMs: 1 },
	);
	await until(() => received === sent, { what: "the other to receive all" });
	expect([hub.size, hub.dropped]).toEqual([1, 1]);
});

function client(port: number): Socket {
	const socket = connect(port, "127.0.0.1");
	socket.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
	onTestFinished(() => void socket.destroy());
	return socket;
}
