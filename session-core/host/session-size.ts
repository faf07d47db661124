import { constants } from "node:buffer";

/** The maximum size, in bytes, of a session file that every host can open. Hosts before 0.78.1 read the whole file into one string. */
export const EVERY_HOST_OPENS = constants.MAX_STRING_LENGTH;
const [MAJOR, MINOR, PATCH] = [0, 78, 1];

/** Returns why this version of pi cannot open a session file of `size` bytes; undefined if it can. */
export function tooLargeText(size: number, version: string): string | undefined {
	const [major = MAJOR, minor = MINOR, patch = PATCH] = version.match(/\d+/g)?.map(Number) ?? [];
	const reads = major - MAJOR || minor - MINOR || patch - PATCH;
	if (size <= EVERY_HOST_OPENS || reads >= 0) return undefined;
	const [found, most] = [size, EVERY_HOST_OPENS].map((bytes) => Math.round(bytes / 1024 / 1024));
	return `This session is too large for pi ${version}: ${found} MB, of at most ${most} MB. Update pi to version 0.78.1 or later to open it.`;
}
