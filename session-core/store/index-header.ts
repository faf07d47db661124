import { isObject } from "../json.ts";
import { INDEX_VERSION } from "./index-version.ts";

/** What the first line of every index says. */
export const INDEX_FORMAT = "session-suite index";

/** Longer than any folder's path: the header of an index is its first line. */
export const HEADER_BYTES = 16 * 1024;

export interface IndexHeader {
	folder: string;
	/** It is of this version. */
	isCurrent: boolean;
	/** Tells one writing of the whole from every other. */
	generation: string | undefined;
}

/** What the first line of an index says. Undefined for what is no index. */
export function readIndexHeader(bytes: Buffer): IndexHeader | undefined {
	try {
		const header: unknown = JSON.parse(bytes.toString("utf8", 0, bytes.indexOf(0x0a)));
		if (!isObject(header) || header["format"] !== INDEX_FORMAT) return undefined;
		const { folder, version, generation } = header;
		if (typeof folder !== "string") return undefined;
		return {
			folder,
			isCurrent: version === INDEX_VERSION,
			generation: typeof generation === "string" && /^[\w-]+$/.test(generation) ? generation : undefined,
		};
	} catch {
		// Not JSON: not ours, or damaged in its first line.
		return undefined;
	}
}

/** Whether these bytes begin an index of this folder, in this version. */
export function isIndexOf(bytes: Buffer, folder: string): boolean {
	const found = readIndexHeader(bytes);
	return found?.isCurrent === true && found.folder === folder;
}
