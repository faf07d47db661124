import { connect, type Socket } from "node:net";

/** Simulates many clients of the event stream, and counts the events that each client receives. */
export class Listeners {
	readonly #sockets: Socket[] = [];
	readonly #events: number[] = [];
	/** The number of connections that were closed unexpectedly. */
	lost = 0;
	#isOver = false;

	/** Connects clients, 50 at a time. Resolves when every client has received its first event. */
	async connect(count: number, server: { port: number; token: string }): Promise<void> {
		for (let index = 0; index < count; index += 50) {
			const some = Array.from({ length: Math.min(50, count - index) }, () => this.#one(server));
			await Promise.all(some);
		}
	}

	/** The smallest and the largest number of events that any single client has received. */
	get heard(): { fewest: number; most: number } {
		return { fewest: Math.min(...this.#events), most: Math.max(...this.#events) };
	}

	close(): void {
		this.#isOver = true;
		for (const socket of this.#sockets) socket.destroy();
	}

	#one({ port, token }: { port: number; token: string }): Promise<void> {
		const at = this.#events.push(0) - 1;
		return new Promise((resolve, reject) => {
			const socket = connect(port, "127.0.0.1");
			this.#sockets.push(socket);
			socket.write(
				`GET /v1/live HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
			);
			socket.on("data", (bytes) => {
				const text = bytes.toString("latin1");
				if (text.includes("event: hello")) resolve();
				this.#events[at] = (this.#events[at] ?? 0) + (text.match(/event: live/g)?.length ?? 0);
			});
			socket.on("error", reject);
			socket.on("close", () => {
				if (!this.#isOver) this.lost++;
			});
		});
	}
}
