import { connect, type Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../test/host/until.ts";
import type { ServeEnv } from "./answer.ts";
import { type Client, EventHub, listen } from "./stream.ts";

class FakeClient implements Client {
	text = "";
	buffered = 0;
	destroyed = false;
	write(bytes: Uint8Array): void {
		this.text += Buffer.from(bytes).toString();
	}
	destroy(): void {
		this.destroyed = true;
	}
}

describe("the hub", () => {
	test("drops a client that takes nothing, and no other", () => {
		const hub = new EventHub({ maxBuffered: 100 });
		const [slow, fast] = [new FakeClient(), new FakeClient()];
		for (const sink of [slow, fast]) hub.join(sink, undefined, () => ({}));
		slow.buffered = 101;
		hub.broadcast("live", { n: 1 });
		expect([slow.destroyed, fast.destroyed, hub.size, hub.dropped]).toEqual([true, false, 1, 1]);
		expect(slow.text).not.toContain("live");
		hub.close();
		expect([fast.destroyed, hub.size]).toEqual([true, 0]);
	});

	test("remembers so many events and no more: one that missed more is greeted anew", () => {
		const hub = new EventHub({ replay: 2 });
		const first = new FakeClient();
		hub.join(first, undefined, () => "start");
		const id = /id: (\S+)/.exec(first.text)?.[1] ?? "";
		for (const n of [1, 2]) hub.broadcast("live", n);
		const near = new FakeClient();
		hub.join(near, id, () => "start");
		expect(near.text.match(/data: .*/g)).toEqual(["data: 1", "data: 2"]);
		hub.broadcast("live", 3);
		const far = new FakeClient();
		hub.join(far, id, () => "start");
		expect(far.text).toContain('data: "start"');
		hub.close();
	});

	test("what is told is one line, whatever is in it", () => {
		const hub = new EventHub();
		const sink = new FakeClient();
		hub.join(sink, undefined, () => ({ title: "a\n\ndata: forged\r\nid: 7" }));
		expect(sink.text.trimEnd().split("\n")).toHaveLength(3);
		hub.close();
	});
});

test("over a real connection, a client that takes nothing is dropped, and one beside it hears everything", async () => {
	const hub = new EventHub({ maxBuffered: 200_000 });
	const app = new Hono<ServeEnv>();
	const deps = { hub, startNews: async () => undefined, stopNews: () => undefined, hello: () => "hello" };
	app.get("/", (context) => listen(context, deps));
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
	let heard = 0;
	let rest = "";
	fast.on("data", (bytes) => {
		const text = rest + bytes.toString("latin1");
		heard += text.match(/event: live/g)?.length ?? 0;
		// The mark may be cut in two.
		rest = text.slice(1 - "event: live".length);
	});
	await until(() => hub.size === 2, { what: "both clients" });
	const event = "x".repeat(100_000);
	let told = 0;
	// The system's buffers take some megabytes for the slow one.
	await until(
		() => {
			if (heard === told) {
				hub.broadcast("live", event);
				told++;
			}
			return hub.dropped > 0;
		},
		{ what: "the slow client to be dropped", everyMs: 1 },
	);
	await until(() => heard === told, { what: "the other to hear all" });
	expect([hub.size, hub.dropped]).toEqual([1, 1]);
});

function client(port: number): Socket {
	const socket = connect(port, "127.0.0.1");
	socket.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
	onTestFinished(() => void socket.destroy());
	return socket;
}
