import {
	closeSync,
	fchmodSync,
	fsyncSync,
	lstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	renameSync,
	rmSync,
	unlinkSync,
	writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "./regular-file.ts";
import { hasEnded, ownMark, readMark } from "./writer.ts";

export type WriteOutcome = { ok: true } | { ok: false; detail: string };

/** A file that is being written beside the one that it will replace. */
export interface PendingFile {
	/** Where it stands until then. */
	readonly path: string;
	write(content: string | Buffer): void;
	/** Puts it in place, whole. */
	commit(): void;
	/** Leaves nothing behind; never throws. */
	discard(): void;
}

export interface ReplaceOptions {
	/** Permissions of the new file. Default: its owner's alone (0600). */
	mode?: number;
	/** `disk`: it is on the disk before it takes the old one's place, so that a power failure leaves one of the two. */
	until?: "disk";
}

/** `NAME.WRITER.RANDOM.tmp`: the writer stands in it, so that what a dead one left can be told. */
const TEMPORARY = /\.([^.]+)\.[a-z0-9]+\.tmp$/;
/** How long Windows may take to let go of a file that a scanner or a reader holds, in milliseconds. */
const PATIENCE_MS = 400;

/** A new name beside `path` for something that this process has in hand. */
export function temporaryName(path: string): string {
	return `${path}.${ownMark()}.${Math.random().toString(36).slice(2, 10)}.tmp`;
}

/** Whether this is the name of a file that is, or was, being written by us. */
export function isTemporary(name: string): boolean {
	return readMark(TEMPORARY.exec(name)?.[1] ?? "") !== undefined;
}

/** Whether a temporary file's writer has ended without putting it in place or away. */
export function isAbandoned(path: string, now = Date.now()): boolean {
	const writer = readMark(TEMPORARY.exec(path)?.[1] ?? "");
	if (!writer) return false;
	const written = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
	return written !== undefined && hasEnded(writer, Math.abs(now - written));
}

/** Removes what writers of this file left that died while writing: files, or folders in which they were made. */
export function sweepTemporaries(path: string): void {
	sweepFolder(dirname(path), `${basename(path)}.`);
}

/** The same for every file of a folder whose name begins so. */
export function sweepFolder(folder: string, prefix = ""): void {
	try {
		for (const name of readdirSync(folder)) {
			const left = join(folder, name);
			if (name.startsWith(prefix) && isAbandoned(left)) rmSync(left, { recursive: true, force: true });
		}
	} catch {
		// Another process was faster, or nothing can be removed here: a left-over does no harm.
	}
}

/** Begins a private file that replaces `path` at once when it is committed. Throws what the file system throws. */
export function beginReplacing(path: string, { mode = 0o600, until }: ReplaceOptions = {}): PendingFile {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	const temporary = temporaryName(path);
	const fd = openSync(temporary, "wx", 0o600);
	if (mode !== 0o600) fchmodSync(fd, mode);
	let open = true;
	const close = () => {
		if (open) closeSync(fd);
		open = false;
	};
	return {
		path: temporary,
		write: (content) => {
			const bytes = Buffer.from(content);
			for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
		},
		commit: () => {
			if (until === "disk") fsyncSync(fd);
			close();
			renamePatiently(temporary, path);
		},
		discard: () => {
			close();
			try {
				unlinkSync(temporary);
			} catch {
				// It was committed, or the folder is gone: nothing is left to clear.
			}
		},
	};
}

/** Replaces a file's content at once: a reader sees the old or the new, never a part. */
export function replaceFile(path: string, text: string, options?: ReplaceOptions): WriteOutcome {
	let pending: PendingFile | undefined;
	try {
		pending = beginReplacing(path, options);
		pending.write(text);
		pending.commit();
		return { ok: true };
	} catch (error) {
		return { ok: false, detail: discarded(pending, error) };
	}
}

/** Clears up after a failed write; gives the failure in words. */
export function discarded(pending: PendingFile | undefined, error: unknown): string {
	pending?.discard();
	return error instanceof Error ? error.message : String(error);
}

/** How a file is renamed and waited for; a parameter, so that Windows can be tried elsewhere. */
export interface Renaming {
	platform: NodeJS.Platform;
	rename(from: string, to: string): void;
	pause(ms: number): void;
}

const REAL: Renaming = {
	platform: process.platform,
	rename: renameSync,
	// A synchronous wait: exit handlers write too, and these waits are rare and short.
	pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

/**
 * Renames over a file that may be held for a moment. Windows refuses with EPERM, EACCES or EBUSY while a virus scanner or a reader
 * has it open; elsewhere EPERM and EACCES do not pass, and waiting for them would only hold the user up.
 */
export function renamePatiently(from: string, to: string, using: Renaming = REAL): void {
	const passing = using.platform === "win32" ? ["EPERM", "EACCES", "EBUSY"] : ["EBUSY"];
	for (let waited = 0, ms = 1; ; ms = Math.min(ms * 2, 50)) {
		try {
			using.rename(from, to);
			return;
		} catch (error) {
			if (!passing.includes(errorCode(error)) || waited >= PATIENCE_MS) throw error;
		}
		using.pause(ms);
		waited += ms;
	}
}
