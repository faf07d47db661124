import {
	closeSync,
	lstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	renameSync,
	unlinkSync,
	writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorCode, errorText } from "./regular-file.ts";

export type WriteOutcome = { ok: true } | { ok: false; detail: string };

/** A temporary file that is written next to the file that it will replace. */
export interface PendingFile {
	/** Path of the temporary file. */
	readonly path: string;
	write(content: string | Buffer): void;
	/** Atomically renames the file to its target. */
	commit(): void;
	/** Removes it; never throws. */
	discard(): void;
}

/**
 * Matches the names of temporary files: `NAME.suite-RANDOM.tmp` or, from older versions, a name that contains the writer's process id
 * instead of `suite`.
 */
const TEMPORARY = /\.(?:suite-|[0-9a-f]{8}-\d+-\d+\.)[a-z0-9]+\.tmp$/;
/** A write takes milliseconds, so a temporary file that has not grown for this many milliseconds is considered abandoned. */
const ABANDONED_MS = 10 * 60_000;
/** Maximum number of milliseconds to wait on Windows until a virus scanner or a reader closes a file. */
const PATIENCE_MS = 400;

/** Removes the temporary files of writers that were killed. */
export function sweepFolder(folder: string, now = Date.now()): void {
	try {
		for (const name of readdirSync(folder)) {
			if (!TEMPORARY.test(name)) continue;
			const path = join(folder, name);
			const written = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
			if (Math.abs(now - written) > ABANDONED_MS) unlinkSync(path);
		}
	} catch {
		// Either another process has removed the file, or it cannot be removed. A leftover file does no harm.
	}
}

/** Creates a private temporary file that atomically replaces `path` when it is committed. Throws file system errors. */
export function beginReplacing(path: string): PendingFile {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	const temporary = `${path}.suite-${Math.random().toString(36).slice(2, 10)}.tmp`;
	const fd = openSync(temporary, "wx", 0o600);
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
			close();
			renamePatiently(temporary, path);
		},
		discard: () => {
			close();
			try {
				unlinkSync(temporary);
			} catch {
				// The file was committed or its folder was removed, so there is nothing to clean up.
			}
		},
	};
}

/** Replaces a file atomically: readers see either the old or the new content. */
export function replaceFile(path: string, text: string): WriteOutcome {
	let pending: PendingFile | undefined;
	try {
		pending = beginReplacing(path);
		pending.write(text);
		pending.commit();
		return { ok: true };
	} catch (error) {
		return { ok: false, detail: discarded(pending, error) };
	}
}

/**
 * Whether something happens for the first time with this agent folder. Returns true only once, across all processes. If that cannot be
 * stored, returns false, because it would otherwise be the first time again and again.
 */
export function isFirst(what: "call" | "start", agentDir: string): boolean {
	const path = join(agentDir, "session-suite", `first-${what}`);
	try {
		mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		closeSync(openSync(path, "wx", 0o600));
		return true;
	} catch {
		// The file exists, or it cannot be written.
		return false;
	}
}

/**
 * Returns the reason why a new file cannot be written next to `path`, such as a full disk, or undefined if it can be written. Leaves no
 * file behind.
 */
export function writeObstacle(path: string): string | undefined {
	let pending: PendingFile | undefined;
	try {
		pending = beginReplacing(path);
		pending.write(Buffer.alloc(4096));
		return undefined;
	} catch (error) {
		return errorText(error);
	} finally {
		pending?.discard();
	}
}

/** Removes the temporary file after a failed write; returns the error message. */
export function discarded(pending: PendingFile | undefined, error: unknown): string {
	pending?.discard();
	return errorText(error);
}

/** The platform and the functions for renaming and waiting. They are passed as a parameter so that tests can simulate Windows. */
export interface Renaming {
	platform: NodeJS.Platform;
	rename(from: string, to: string): void;
	pause(ms: number): void;
}

const REAL: Renaming = {
	platform: process.platform,
	rename: renameSync,
	// Waits synchronously, because exit handlers, which cannot wait asynchronously, also write files. These waits are rare and short.
	pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

/**
 * Renames a file, replacing a target that another process may briefly have open. On Windows, renaming fails with EPERM, EACCES or EBUSY
 * while a virus scanner or a reader has the target open, so the rename is retried. On other systems, EPERM and EACCES are permanent errors,
 * so the rename is not retried.
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
