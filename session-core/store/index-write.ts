import { fstatSync, statSync, writeSync } from "node:fs";
import { beginReplacing, type PendingFile, type WriteOutcome } from "./atomic-file.ts";
import type { FolderIndex } from "./folder-index.ts";
import { claim } from "./index-claim.ts";
import { HEADER_BYTES, isIndexOf } from "./index-header.ts";
import type { Steps } from "./pace.ts";
import { closeRegular, openRegular, type RegularFile, readSpan } from "./regular-file.ts";

/**
 * Writing to an index that other processes write to as well. An append is one write at the file's end, so two never mix.
 * Whoever writes the whole anew takes along what others appended meanwhile; whoever appended to a file that was replaced in
 * that moment appends again.
 */

const TRIES = 3;

export type AppendOutcome = WriteOutcome | { ok: false; isOther: true };

/** Appends what is new. `isOther`: no such file is there, or one of another version, and the whole is to be written. */
export function appendLines(path: string, index: FolderIndex): AppendOutcome {
	return appendTo(path, index.folder, () => Buffer.from([...index.lines()].join("")));
}

function appendTo(path: string, folder: string, linesOf: () => Buffer): AppendOutcome {
	for (let tries = 0; tries < TRIES; tries++) {
		const opened = openRegular(path, "append");
		if (!opened.ok) return { ok: false, isOther: true };
		const { file } = opened;
		try {
			if (!isOurs(file, folder)) return { ok: false, isOther: true };
			const lines = linesOf();
			if (writeSync(file.fd, lines) < lines.length) return { ok: false, detail: "the disk is full" };
			if (inodeAt(path) === inodeOf(file)) return { ok: true };
		} finally {
			closeRegular(file);
		}
	}
	return { ok: false, detail: "it is being replaced all the time" };
}

/**
 * Writes the whole anew. A generator that is closed early leaves the old file as it is, and nothing else behind. Only one
 * process ever replaces one file: the others, who may wish the same, append to it.
 */
export function* writeWhole(path: string, index: FolderIndex): Steps<never, WriteOutcome> {
	const claimed = claim(path, index.generation);
	if (!claimed) return addTo(path, index);
	const opened = openRegular(path);
	const old = opened.ok ? opened.file : undefined;
	let pending: PendingFile | undefined;
	try {
		if (old && isOurs(old, index.folder) && !isLoaded(old, index)) return addTo(path, index);
		pending = beginReplacing(path);
		for (const piece of index.text()) {
			pending.write(piece);
			yield;
		}
		// From here on nobody is waited for.
		const from = index.loaded.length;
		const taken = old && from > 0 ? copyRest(old, from, pending) : from;
		pending.commit();
		pending = undefined;
		if (old && from > 0) appendRest(path, index.folder, old, taken);
		return { ok: true };
	} finally {
		pending?.discard();
		if (old) closeRegular(old);
		claimed.release();
	}
}

/** Copies what was appended since the index was loaded; gives the offset up to which the old file is copied. */
function copyRest(old: RegularFile, from: number, pending: PendingFile): number {
	const { size } = fstatSync(old.fd);
	if (size > from) pending.write(readSpan(old, from, size - from));
	return Math.max(size, from);
}

/** What was appended to the old file while the new one took its place. */
function appendRest(path: string, folder: string, old: RegularFile, taken: number): void {
	const { size } = fstatSync(old.fd);
	if (size > taken) appendTo(path, folder, () => readSpan(old, taken, size - taken));
}

function addTo(path: string, index: FolderIndex): WriteOutcome {
	const outcome = appendLines(path, index);
	return "isOther" in outcome ? { ok: false, detail: `another process is writing ${path}` } : outcome;
}

function isOurs(file: RegularFile, folder: string): boolean {
	return isIndexOf(readSpan(file, 0, Math.min(HEADER_BYTES, fstatSync(file.fd).size)), folder);
}

/** Each file has a header of its own. */
function isLoaded(file: RegularFile, { loaded }: FolderIndex): boolean {
	const header = loaded.subarray(0, loaded.indexOf(0x0a) + 1);
	return header.length > 0 && readSpan(file, 0, header.length).equals(header);
}

function inodeOf(file: RegularFile): number {
	return fstatSync(file.fd).ino;
}

function inodeAt(path: string): number | undefined {
	return statSync(path, { throwIfNoEntry: false })?.ino;
}
