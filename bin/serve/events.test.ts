import { createServer } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { until } from "../../test/host/until.ts";
import { SessionBoard } from "./board.ts";
import { Events } from "./events.ts";

const folder = useTemporaryFolder();

test("a client that reads nothing is dropped, and another one receives everything", async () => {
	const board = new SessionBoard(folder(), undefined);
	const events = new Events(board);
	const server = createServer((request, response) => events.listen(request, response)).listen(0, "127.0.0.1");
	onTestFinished(() => {
		events.close();
		board.close();
		server.close();
	});
	await until(() => server.listening, "the server");
	const [slow, fast] = [1, 2].map(() => {
		const socket = connect(Object(server.address()).port, "127.0.0.1");
		socket.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
		onTestFinished(() => void socket.destroy());
		return socket;
	});
	slow?.pause();
	let received = 0;
	fast?.on("data", (bytes) => (received += bytes.length));
	await until(() => events.size === 2, "both clients");
	const size = 500_000;
	let sent = 0;
	// The operating system buffers some megabytes for the slow client, so the test sends more than the
	// server's own limit.
	await until(
		() => {
			if (received >= sent * size) {
				events.broadcast("sessions", { changed: [], removed: ["x".repeat(size)] });
				sent++;
			}
			return events.size === 1;
		},
		"the slow client to be dropped",
		{ everyMs: 1 },
	);
	await until(() => received >= sent * size, "the other to receive all");
	expect(events.size).toBe(1);
});
