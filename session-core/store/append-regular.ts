import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { failureOf, type OpenFailure } from "./regular-file.ts";

/** `unwritable`: it is a regular file, or could be one, and is not ours to write; or the disk is full. */
export type AppendFailure = Exclude<OpenFailure, "missing" | "unreadable"> | "unwritable";

export type Appended = { ok: true } | { ok: false; reason: AppendFailure; detail: string };

/** O_NONBLOCK, or the open would wait for a pipe's reader; O_NOFOLLOW, or a link would lead anywhere. Windows has neither. */
const FLAGS =
	constants.O_WRONLY |
	constants.O_APPEND |
	(constants.O_NOFOLLOW ?? 0) |
	(constants.O_NONBLOCK ?? 0) |
	(constants.O_NOCTTY ?? 0);

/**
 * Appends text to a private regular file (0600) that is made if there is none, with its folder. In one write, which the
 * platform keeps whole next to those of other processes. Never waits, never follows a link, never throws.
 */
export function appendRegular(path: string, text: string): Appended {
	return append(path, text, () => {
		mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		return openSync(path, FLAGS | constants.O_CREAT, 0o600);
	});
}

/** The same for a file that must be there already. */
export function appendToExisting(path: string, text: string): Appended {
	return append(path, text, () => openSync(path, FLAGS));
}

function append(path: string, text: string, open: () => number): Appended {
	let fd: number | undefined;
	try {
		fd = open();
		if (!fstatSync(fd).isFile()) {
			return { ok: false, reason: "not_regular", detail: `${path} is not a regular file` };
		}
		const bytes = Buffer.from(text);
		const written = writeSync(fd, bytes);
		return written === bytes.length
			? { ok: true }
			: {
					ok: false,
					reason: "unwritable",
					detail: `ENOSPC: ${written} of ${bytes.length} bytes were written`,
				};
	} catch (error) {
		const reason = failureOf(error);
		const detail = error instanceof Error ? error.message : String(error);
		const isOther = reason === "symlink" || reason === "not_regular";
		return { ok: false, reason: isOther ? reason : "unwritable", detail };
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}
