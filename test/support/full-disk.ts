import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** An extension that simulates a full disk in the host: every append to a session is cut off. */
export const FULL_DISK = `import { fillDisk } from ${JSON.stringify(import.meta.filename)};
export default () => void fillDisk((path) => path.includes("sessions"));`;

/**
 * Simulates a full disk for the files that `isFull` selects. As on a real full disk, the first bytes
 * are written, and then writing fails. Returns a function that makes room again. Writes through a
 * descriptor are caught only on Linux.
 */
export function fillDisk(
	isFull: (path: string) => boolean,
	onPiece: (piece: string) => void = () => undefined,
	bytes = 60,
): () => void {
	const { appendFileSync, writeSync } = fs;
	/** Files with their first bytes. `write` reports a short count before it fails. */
	const filled = new Set<string>();

	const append = (...[path, data, options]: Parameters<typeof appendFileSync>) => {
		if (!isFull(String(path))) return appendFileSync(path, data, options);
		const piece = String(data).slice(0, bytes);
		onPiece(piece);
		appendFileSync(path, piece, options);
		throw noSpace();
	};
	const write = (fd: number, ...rest: [NodeJS.ArrayBufferView, number?]) => {
		const path = pathOf(fd);
		if (!isFull(path)) {
			filled.clear();
			return writeSync(fd, ...rest);
		}
		if (filled.has(path)) throw noSpace();
		filled.add(path);
		const [data, offset = 0] = rest;
		const length = Math.min(bytes, data.byteLength - offset);
		const piece = Buffer.from(data.buffer, data.byteOffset + offset, length);
		onPiece(piece.toString("utf8"));
		return writeSync(fd, piece);
	};
	Object.assign(fs, { appendFileSync: append, writeSync: write });
	syncBuiltinESMExports();
	return () => {
		Object.assign(fs, { appendFileSync, writeSync });
		syncBuiltinESMExports();
	};
}

function noSpace(): Error {
	return Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", errno: -28 });
}

function pathOf(fd: number): string {
	try {
		return fs.readlinkSync(`/proc/self/fd/${fd}`);
	} catch {
		// Not Linux: the path of a descriptor is unknown.
		return "";
	}
}
