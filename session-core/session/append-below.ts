import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

/** A `custom` entry. */
export interface CustomEntry {
	customType: string;
	data: unknown;
}

/**
 * Write an entry below one that this process has never loaded: the host can only write below its own leaf, and whoever opens the
 * file next goes on from its last line. Throws what the file system throws.
 */
export function appendBelow(path: string, parentId: string, { customType, data }: CustomEntry): void {
	const id = randomBytes(4).toString("hex");
	const timestamp = new Date().toISOString();
	const line = { type: "custom", customType, data, id, parentId, timestamp };
	const flags = constants.O_WRONLY | constants.O_APPEND;
	// As for reading: a pipe must not be waited for, a link not followed.
	const fd = openSync(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
	try {
		if (!fstatSync(fd).isFile()) throw new Error(`${path} is not a regular file`);
		writeSync(fd, `${JSON.stringify(line)}\n`);
	} finally {
		closeSync(fd);
	}
}
