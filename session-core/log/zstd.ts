import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as zlib from "node:zlib";
import type { FilePart, RegularFile } from "../text/files/index.ts";
import * as files from "../text/files/index.ts";
import { startTimer } from "../text/index.ts";

const COMPRESSED = ".zst";

export function isCompressed(path: string): boolean {
	return path.endsWith(COMPRESSED);
}

/** A decompressed log is held in memory as a whole, so its size in bytes is limited. */
const MAX_BYTES = 256 * 1024 * 1024;
/**
 * The maximum ratio of decompressed size to compressed size. A file with a higher ratio is considered a
 * decompression bomb, because a real log does not compress to less than about 2% of its original size.
 */
const MAX_GROWTH = 200;
const ALWAYS_READ = 4 * 1024 * 1024;

/** The installed types are those of the oldest supported Node version, which does not support zstd. */
const platform: {
	createZstdDecompress?: () => Transform;
} & object = zlib;

export function canDecompress(): boolean {
	return platform.createZstdDecompress !== undefined;
}

/** Node versions before 22.15 cannot read a compressed log. */
export function isUnreadable(name: string): boolean {
	return isCompressed(name) && !canDecompress();
}

/**
 * How long, in milliseconds, a decompressed log stays in memory after its last use. A command often
 * reads the same log several times.
 */
const KEPT_MS = 1_000;
let latest: { key: string; content: FilePart } | undefined;
let release: NodeJS.Timeout | undefined;

function keep(key: string, chunks: readonly Buffer[]): FilePart {
	const content = files.joined(
		chunks.map((bytes) => ({
			length: bytes.length,
			read: (position, length) => bytes.subarray(position, position + length),
		})),
	);
	latest = { key, content };
	clearTimeout(release);
	release = startTimer("log", KEPT_MS, () => {
		latest = undefined;
	});
	return content;
}

/**
 * Node decompresses a stream in other threads and in chunks, so the event loop is never blocked for
 * long.
 */
export async function decompressed(path: string, file: RegularFile): Promise<FilePart> {
	const { size, mtimeMs } = file.stamp;
	const key = `${path}\n${size} ${mtimeMs}`;
	if (latest?.key === key) {
		release?.refresh();
		return latest.content;
	}
	latest = undefined;
	if (!platform.createZstdDecompress)
		throw new files.FileError("ENOTSUP", "reading this compressed log requires Node 22.15 or newer");
	const chunks: Buffer[] = [];
	let left = Math.min(MAX_BYTES, Math.max(ALWAYS_READ, MAX_GROWTH * size));
	await pipeline(files.copiesOf(file), platform.createZstdDecompress(), async (output) => {
		for await (const chunk of output) {
			left -= chunk.length;
			if (left < 0)
				throw new files.FileError("ERR_BUFFER_TOO_LARGE", `${path} decompresses to too many bytes`);
			chunks.push(chunk);
		}
	});
	return keep(key, chunks);
}
