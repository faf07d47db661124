import { beginsAsSession, HostLoader, type HostVerdict } from "./host-loader.ts";
import type { OpenFailure } from "./regular-file.ts";
import { readHead } from "./span.ts";
import { wholeLines } from "./whole-lines.ts";

/** Longer than any header with what damage puts before it. */
const HEAD_BYTES = 1024 * 1024;

export type HostReading =
	| ({ ok: true } & HostVerdict)
	| { ok: false; reason: OpenFailure | "empty"; detail: string };

/** What the host would make of a file. Reads it whole, as the host does; for the moment before it is handed over. */
export async function hostReading(path: string): Promise<HostReading> {
	const loader = new HostLoader();
	const read = await wholeLines(path, (line) => {
		if ("bytes" in line) loader.add(line.bytes.toString("utf8"));
		return loader.isRefused ? "enough" : undefined;
	});
	if (!read.ok) return read;
	if (read.stamp.size === 0) return { ok: false, reason: "empty", detail: `${path} is empty` };
	return { ok: true, ...loader.verdict() };
}

/** Whether the host would put an empty session in the place of a file that holds something. Looks at its beginning only. */
export function isReplaced(path: string): boolean {
	const head = readHead(path, HEAD_BYTES);
	if (!head.ok || head.stamp.size === 0) return false;
	const isCut = head.stamp.size > head.bytes.length;
	const end = isCut ? head.bytes.lastIndexOf(0x0a) + 1 : head.bytes.length;
	return end > 0 && !beginsAsSession(head.bytes.subarray(0, end));
}
