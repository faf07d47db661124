import { type ChunkedLine, LineSplitter } from "./lines.ts";
import { Pace } from "./pace.ts";
import { errorIn, type FileStamp, type NotOpened, openLater } from "./regular-file.ts";

export interface WholeOptions {
	/** Longer lines are passed over, in bytes. Default: none is. */
	maxLineBytes?: number;
	/** Ends the reading; what was read counts. */
	signal?: AbortSignal | undefined;
}

/** Read at once. In bytes. */
const CHUNK = 1024 * 1024;

/**
 * Hands a regular file to `take`, line by line, until it says `"enough"`. Whatever the size and however slow the disk, the
 * event loop goes on: reads are asynchronous, and between lines it gets its turn. A failure is a value.
 */
export async function wholeLines(
	path: string,
	take: (line: ChunkedLine) => "enough" | undefined,
	{ maxLineBytes = Number.POSITIVE_INFINITY, signal }: WholeOptions = {},
): Promise<{ ok: true; stamp: FileStamp } | NotOpened> {
	const opened = await openLater(path);
	if (!opened.ok) return opened;
	const { handle, stamp } = opened;
	try {
		const splitter = new LineSplitter(maxLineBytes);
		const pace = new Pace();
		const isEnough = async (lines: Iterable<ChunkedLine>) => {
			for (const line of lines) {
				if (take(line) === "enough") return true;
				if (pace.isDue) await pace.rest();
			}
			return signal?.aborted === true;
		};
		for (let at = 0; at < stamp.size; ) {
			const length = Math.min(CHUNK, stamp.size - at);
			const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
			if (bytesRead === 0) break;
			at += bytesRead;
			if (await isEnough(splitter.add(buffer.subarray(0, bytesRead)))) return { ok: true, stamp };
		}
		await isEnough(splitter.end());
		return { ok: true, stamp };
	} catch (error) {
		return errorIn(error);
	} finally {
		await handle.close();
	}
}
