import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Maximum number of connections. A browser opens six for a page. */
const MOST = 64;

/**
 * Limits the number of connections. If there are too many, the one that has been idle for the longest time is closed, so that clients that
 * open connections and send nothing cannot keep others out. A connection is idle while no complete request on it is waiting for a response.
 */
export function limitConnections(server: Server): void {
	/** The idle connections, beginning with the one that has been idle for the longest time. */
	const idle = new Set<Socket>();
	/** The number of pending requests on each connection that is not idle. */
	const busy = new Map<Socket, number>();
	server.on("connection", (socket) => {
		socket.once("close", () => {
			idle.delete(socket);
			busy.delete(socket);
		});
		const [oldest = socket] = idle;
		idle.add(socket);
		if (idle.size + busy.size > MOST) oldest.destroy();
	});
	server.on("request", ({ socket }, response) => {
		idle.delete(socket);
		busy.set(socket, (busy.get(socket) ?? 0) + 1);
		response.once("close", () => {
			const left = (busy.get(socket) ?? 1) - 1;
			if (left > 0) return void busy.set(socket, left);
			busy.delete(socket);
			if (!socket.destroyed) idle.add(socket);
		});
	});
}
