import { closeSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { dirname } from "node:path";

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

/** Name of temporary files: the writer's process id stands in it, so that what a dead one left can be told. */
const TEMPORARY = /\.(\d+)\.[a-z0-9]+\.tmp$/;

/** The process that was writing this temporary file. Undefined for any other name. */
export function temporaryOwner(name: string): number | undefined {
	const pid = TEMPORARY.exec(name)?.[1];
	return pid === undefined ? undefined : Number(pid);
}

/** Begins a private file (0600) that replaces `path` at once when it is committed. Throws what the file system throws. */
export function beginReplacing(path: string): PendingFile {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2, 10)}.tmp`;
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
			renameSync(temporary, path);
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

/** Clears up after a failed write; gives the failure in words. */
export function discarded(pending: PendingFile | undefined, error: unknown): string {
	pending?.discard();
	return error instanceof Error ? error.message : String(error);
}
