import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { useTemporaryFolder } from "../../session-core/session-file/session.test-support.ts";
import { until } from "../../test/host/until.ts";
import { SessionBoard } from "./board.ts";
import { type EventLimits, Events } from "./events.ts";
import { LeaseWatch } from "./live.ts";

const folder = useTemporaryFolder();

/** A server that only sends events; returns its events, and a function that connects a client. */
async function sending(limits: Partial<EventLimits>) {
	const board = new SessionBoard(folder(), undefined);
	const events = new Events(board, new LeaseWatch(folder()), limits);
	const server = createServer((request, response) => events.listen(request, response));
	onTestFinished(() => {
		events.close();
		board.close();
		server.close();
	});
	const port = await new Promise<number>((resolve) =>
		server.listen(0, "127.0.0.1", () => resolve(Object(server.address()).port)),
	);
	const client = (lastEventId = "none"): Socket => {
		const socket = connect(port, "127.0.0.1");
		socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nLast-Event-ID: ${lastEventId}\r\n\r\n`);
		onTestFinished(() => void socket.destroy());
		return socket;
	};
	return { events, client };
}

test("a limited number of events is kept: a client that missed more is greeted again", async () => {
	const { events, client } = await sending({ replay: 2 });
	const received = (lastEventId?: string) => {
		let text = "";
		client(lastEventId).on("data", (bytes) => (text += bytes.toString()));
		return until(() => text.includes("data: ") && text, { what: "an event" });
	};
	const [, id] = /id: (\S+)/.exec(await received()) ?? [];
	for (const n of [1, 2]) events.broadcast("live", n);
	expect((await received(id)).match(/event: .*|data: .*/g)?.slice(0, 2)).toEqual(["event: live", "data: 1"]);
	events.broadcast("live", 3);
	expect(await received(id)).toContain("event: hello");
});

test("a client that reads nothing is dropped, and another one receives everything", async () => {
	const { events, client } = await sending({ maxBuffered: 200_000 });
	const [slow, fast] = [client(), client()];
	slow.pause();
	let received = 0;
	let rest = "";
	fast.on("data", (bytes) => {
		const text = rest + bytes.toString("latin1");
		received += text.match(/event: large/g)?.length ?? 0;
		// The marker may be split across two chunks.
		rest = text.slice(1 - "event: large".length);
	});
	await until(() => events.size === 2, { what: "both clients" });
	const data = "x".repeat(100_000);
	let sent = 0;
	// The system buffers some megabytes for the slow client.
	await until(
		() => {
			if (received === sent) {
				events.broadcast("large", data);
				sent++;
			}
			return events.size === 1;
		},
		{ what: "the slow client to be dropped", everyMs: 1 },
	);
	await until(() => received === sent, { what: "the other to receive all" });
});
