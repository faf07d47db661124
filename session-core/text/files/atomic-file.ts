import {
	closeSync,
	lstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	renameSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { atOnce, inSlices, Pace, type Steps } from "./pace.ts";
import { errorCode, errorText } from "./regular-file.ts";

export type WriteOutcome = { ok: true } | { ok: false; detail: string };

/** Matches the names of temporary files: `NAME.suite-RANDOM.tmp` or, in older versions, with the writer's process id. */
const TEMPORARY = /\.(?:suite-|[0-9a-f]{8}-\d+-\d+\.)[a-z0-9]+\.tmp$/;
/** A write takes milliseconds, so a temporary file that has not grown for this many milliseconds is considered abandoned. */
const ABANDONED_MS = 10 * 60_000;
const PRIVATE = 0o600;

export function sweepFolder(folder: string): void {
	const now = Date.now();
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

function temporaryFor(path: string): string {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	return `${path}.suite-${Math.random().toString(36).slice(2, 10)}.tmp`;
}

function remove(temporary: string | undefined): void {
	try {
		if (temporary) unlinkSync(temporary);
	} catch {
		// The file was not created, so there is nothing to clean up.
	}
}

/** Replaces a file atomically by a private one: readers see either the old or the new content. */
export function replaceFile(path: string, text: string): WriteOutcome {
	return atOnce(replaceSteps(path, [text]));
}

/** Like {@link replaceFile}, for a large file, without blocking the event loop. */
export async function replaceByLines(path: string, lines: Iterable<string>): Promise<WriteOutcome> {
	return inSlices(replaceSteps(path, piecesOf(lines)), new Pace().step);
}

function* replaceSteps(path: string, pieces: Iterable<string>): Steps<WriteOutcome> {
	let temporary: string | undefined;
	try {
		temporary = temporaryFor(path);
		let flag = "wx";
		for (const piece of pieces) {
			writeFileSync(temporary, piece, { flag, mode: PRIVATE });
			flag = "a";
			yield;
		}
		renamePatiently(temporary, path);
		return { ok: true };
	} catch (error) {
		remove(temporary);
		return { ok: false, detail: errorText(error) };
	}
}

const PIECE = 128 * 1024;

function* piecesOf(lines: Iterable<string>): Generator<string> {
	let piece = "";
	for (const line of lines) {
		piece += `${line}\n`;
		if (piece.length < PIECE) continue;
		yield piece;
		piece = "";
	}
	yield piece;
}

/** Returns the reason why a new file cannot be written next to `path`, such as a full disk. Leaves no file behind. */
export function writeObstacle(path: string): string | undefined {
	let temporary: string | undefined;
	try {
		temporary = temporaryFor(path);
		writeFileSync(temporary, Buffer.alloc(4096), { flag: "wx" });
		return undefined;
	} catch (error) {
		return errorText(error);
	} finally {
		remove(temporary);
	}
}

/** Returns true only once, across all processes, and never if that cannot be recorded. */
export function isFirst(what: "call" | "start", agentDir: string): boolean {
	const path = join(agentDir, "session-suite", `first-${what}`);
	try {
		mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		closeSync(openSync(path, "wx", PRIVATE));
		return true;
	} catch {
		return false;
	}
}

/** On Windows, renaming fails with these codes while another program has the target open. Elsewhere, EPERM is permanent. */
const PASSING = process.platform === "win32" ? ["EPERM", "EACCES", "EBUSY"] : ["EBUSY"];
const RETRIES = 20;
const RETRY_MS = 20;

/** Renames a file, replacing a target that another process may briefly have open. */
export function renamePatiently(from: string, to: string): void {
	for (let retry = 0; ; retry++) {
		try {
			renameSync(from, to);
			return;
		} catch (error) {
			if (!PASSING.includes(errorCode(error)) || retry === RETRIES) throw error;
		}
		// Waits synchronously, because exit handlers, which cannot wait asynchronously, also write files. These waits are rare and short.
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
	}
}
