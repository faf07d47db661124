import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../test/host/until.ts";
import { sinkOf } from "./listen.ts";
import { EventHub } from "./stream.ts";

test("over a real connection, a client that takes nothing is dropped, and one beside it hears everything", async () => {
	const hub = new EventHub({ maxBuffered: 200_000 });
	const server = createServer((_request, response) => {
		response.writeHead(200, { "Content-Type": "text/event-stream" });
		hub.join(sinkOf(response), undefined, () => "hello");
	});
	onTestFinished(() => {
		hub.close();
		server.closeAllConnections();
		server.close();
	});
	const port = await listening(server);
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
	// What the system takes for the slow one is some megabytes.
	await until(
		() => {
			hub.broadcast("live", event);
			told++;
			return hub.dropped > 0;
		},
		{ what: "the slow client to be dropped", everyMs: 1 },
	);
	await until(() => heard === told, { what: "the other to hear all" });
	expect([hub.size, hub.dropped]).toEqual([1, 1]);
});

function listening(server: Server): Promise<number> {
	return new Promise((resolve) => {
		server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
	});
}

function client(port: number): Socket {
	const socket = connect(port, "127.0.0.1");
	socket.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
	onTestFinished(() => void socket.destroy());
	return socket;
}
