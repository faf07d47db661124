import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { getAgentDir } from "@mariozechner/pi-coding-agent";

/** While this file stands in the soak's folder, the disk is full. */
export const FULL = "disk-is-full";
/** What full disks cut off, one piece a line, as JSON. */
export const TORN = "torn.jsonl";

const KEY = Symbol.for("pi-session-suite:full-disk");
const PIECE = 60;

/** Loaded into the hosts of the soak: whatever is appended below the agent's folder is cut short while the disk is full. */
export default function fullDisk(): void {
	const once: typeof globalThis & { [KEY]?: true } = globalThis;
	if (once[KEY]) return;
	once[KEY] = true;
	const folder = process.env["SOAK_FOLDER"] ?? "";
	const isFull = (path: string) => path.startsWith(getAgentDir()) && fs.existsSync(join(folder, FULL));
	const { appendFileSync, writeSync } = fs;
	/** Of each file the disk takes one piece, as a real one does: `write` says how much that was, and fails the next time. */
	const filled = new Set<string>();
	const torn = (piece: string) => appendFileSync(join(folder, TORN), `${JSON.stringify(piece)}\n`);

	const append = (...[path, data, options]: Parameters<typeof appendFileSync>) => {
		if (!isFull(String(path))) return appendFileSync(path, data, options);
		const piece = String(data).slice(0, PIECE);
		torn(piece);
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
		const piece = Buffer.from(
			data.buffer,
			data.byteOffset + offset,
			Math.min(PIECE, data.byteLength - offset),
		);
		torn(piece.toString("utf8"));
		return writeSync(fd, piece);
	};
	Object.assign(fs, { appendFileSync: append, writeSync: write });
	syncBuiltinESMExports();
}

function noSpace(): Error {
	return Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
}

function pathOf(fd: number): string {
	try {
		return fs.readlinkSync(`/proc/self/fd/${fd}`);
	} catch {
		// Not Linux: only what is appended by its path is cut there.
		return "";
	}
}
