import { closeSync, constants, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { CAREFUL, closeRegular, failureOf, type OpenFailure, openRegular, readSpan } from "./regular-file.ts";

/** `unwritable`: it is a regular file, or could be one, and is not ours to write; or the disk is full. */
export type AppendFailure = Exclude<OpenFailure, "missing" | "unreadable"> | "unwritable";

export type Appended = { ok: true } | { ok: false; reason: AppendFailure; detail: string };

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | CAREFUL;

/**
 * Appends text to a private regular file (0600) that is made if there is none, with its folder. In one write, which the
 * platform keeps whole next to those of other processes. Never waits, never follows a link, never throws.
 */
export function appendRegular(path: string, text: string): Appended {
	let fd: number | undefined;
	try {
		mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		fd = openSync(path, FLAGS, 0o600);
		if (!fstatSync(fd).isFile()) {
			return { ok: false, reason: "not_regular", detail: `${path} is not a regular file` };
		}
		const bytes = Buffer.from(text);
		const written = writeSync(fd, bytes);
		return written === bytes.length ? { ok: true } : full(written, bytes);
	} catch (error) {
		return { ok: false, reason: reasonOf(failureOf(error)), detail: inWords(error) };
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}

/**
 * Appends lines to a file that must be there already, all or nothing: a torn line before them stays alone on its line, and
 * what a full disk took of them is taken back.
 */
export function appendToExisting(path: string, lines: string): Appended {
	const opened = openRegular(path, "append");
	if (!opened.ok) return { ...opened, reason: reasonOf(opened.reason) };
	const { fd, stamp } = opened.file;
	try {
		const torn = stamp.size > 0 && readSpan(opened.file, stamp.size - 1, 1)[0] !== 0x0a;
		const bytes = Buffer.from(torn ? `\n${lines}` : lines);
		const written = writeSync(fd, bytes);
		if (written === bytes.length) return { ok: true };
		// What others appended meanwhile is not touched.
		if (fstatSync(fd).size === stamp.size + written) ftruncateSync(fd, stamp.size);
		return full(written, bytes);
	} catch (error) {
		return { ok: false, reason: "unwritable", detail: inWords(error) };
	} finally {
		closeRegular(opened.file);
	}
}

function full(written: number, bytes: Buffer): Appended {
	return {
		ok: false,
		reason: "unwritable",
		detail: `ENOSPC: the disk is full, ${written} of ${bytes.length} bytes were written`,
	};
}

function reasonOf(failure: OpenFailure): AppendFailure {
	return failure === "symlink" || failure === "not_regular" ? failure : "unwritable";
}

function inWords(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
