import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * From now on the disk is full for every file that `isFull` names: like a real one it takes a piece of what is written (so many
 * bytes) and then fails. Returns how to make room again. Writes through a descriptor are only caught on Linux.
 */
export function fillDisk(
	isFull: (path: string) => boolean,
	onPiece: (piece: string) => void = () => undefined,
	bytes = 60,
): () => void {
	const { appendFileSync, writeSync } = fs;
	/** Files that have taken their piece: `write` reports a short count first, and fails the next time. */
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
	return Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
}

function pathOf(fd: number): string {
	try {
		return fs.readlinkSync(`/proc/self/fd/${fd}`);
	} catch {
		// Not Linux: the file cannot be told.
		return "";
	}
}
