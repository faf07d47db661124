import { closeSync, lstatSync, openSync, readdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode, errorText, makeFolder } from "./file-system.ts";
import { atOnce, inSlices, Pace, type Steps } from "./pace.ts";

export type WriteOutcome = { ok: true } | { ok: false; detail: string };

const TEMPORARY = /\.suite-[a-z0-9]+\.tmp$/;
/**
 * The age, in milliseconds, at which a temporary file is considered abandoned. This age is a safe
 * limit, because writing a file takes only milliseconds.
 */
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
		// A temporary file that cannot be removed does no harm.
	}
}

function temporaryFor(path: string): string {
	makeFolder(dirname(path));
	return `${path}.suite-${Math.random().toString(36).slice(2, 10)}.tmp`;
}

function remove(temporary: string | undefined): void {
	try {
		if (temporary) unlinkSync(temporary);
	} catch {
		// Ignores the error, because the temporary file may never have been created.
	}
}

/**
 * Replaces a file atomically, so that readers see either the old or the new content. Only the owner can
 * read the new file.
 */
export function replaceFile(path: string, text: string): WriteOutcome {
	return atOnce(replaceSteps(path, [text]));
}

/** Like `replaceFile`, but writes large files in short steps, so that the event loop is not blocked. */
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

/**
 * Returns the error that writing a file next to `path` would cause, such as a full disk. Returns
 * undefined if writing would succeed.
 */
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

/**
 * Returns true only for the first call with the given arguments across all processes. If the call cannot
 * be recorded on disk, returns false.
 */
export function isFirst(what: "call" | "start", agentDir: string): boolean {
	const path = join(agentDir, "session-suite", `first-${what}`);
	try {
		makeFolder(dirname(path));
		closeSync(openSync(path, "wx", PRIVATE));
		return true;
	} catch {
		return false;
	}
}

/**
 * On Windows, a rename fails with one of these error codes while another program has the target open. On
 * other systems, EPERM is permanent.
 */
const PASSING = process.platform === "win32" ? ["EPERM", "EACCES", "EBUSY"] : ["EBUSY"];
const RETRIES = 20;
const RETRY_MS = 20;

export function renamePatiently(from: string, to: string): void {
	for (let retry = 0; ; retry++) {
		try {
			renameSync(from, to);
			return;
		} catch (error) {
			if (!PASSING.includes(errorCode(error)) || retry === RETRIES) throw error;
		}
		// Waits synchronously before the next attempt, because an exit handler cannot wait for promises.
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
	}
}
