import { beginsAsSession, HostLoader, type HostVerdict } from "./host-loader.ts";
import { linesOfChunks } from "./lines.ts";
import { chunksOf, type OpenFailure, readRegular } from "./regular-file.ts";
import { readHead } from "./span.ts";

/** Longer than any header with what damage puts before it. */
const HEAD_BYTES = 1024 * 1024;

export type HostReading =
	| ({ ok: true } & HostVerdict)
	| { ok: false; reason: OpenFailure | "empty"; detail: string };

/** What the host would make of a file. Reads it whole, as the host does; for the moment before it is handed over. */
export function hostReading(path: string): HostReading {
	return readRegular(path, (file) => {
		if (file.stamp.size === 0) return { ok: false, reason: "empty", detail: `${path} is empty` };
		const loader = new HostLoader();
		for (const line of linesOfChunks(chunksOf(file), Number.POSITIVE_INFINITY)) {
			if ("bytes" in line) loader.add(line.bytes.toString("utf8"));
			if (loader.isRefused) break;
		}
		return { ok: true, ...loader.verdict() };
	});
}

/** Whether the host would put an empty session in the place of a file that holds something. Looks at its beginning only. */
export function isReplaced(path: string): boolean {
	const head = readHead(path, HEAD_BYTES);
	if (!head.ok || head.stamp.size === 0) return false;
	const isCut = head.stamp.size > head.bytes.length;
	const end = isCut ? head.bytes.lastIndexOf(0x0a) + 1 : head.bytes.length;
	return end > 0 && !beginsAsSession(head.bytes.subarray(0, end));
}
