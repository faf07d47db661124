import * as fs from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * An expected error from the file system, as opposed to a bug. Functions that read files return such
 * errors as values.
 */
export class FileError extends Error {
	readonly code: string;

	constructor(code: string, message: string) {
		super(message);
		this.code = code;
	}
}

/** Returns an error code such as `ENOENT`, or an empty string if the thrown value has no code. */
export function errorCode(error: unknown): string {
	return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

export function errorText(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/**
 * Returns the operating system's error message without paths, such as `ENOSPC: no space left on
 * device`.
 */
export function fileErrorText(error: unknown): string {
	const detail = error instanceof Error ? error.message : error;
	const text = typeof detail === "string" ? detail.split(/, \w+(?: '|$)/, 1)[0] : "";
	return text || "the session's file cannot be written.";
}

/**
 * Creates a private folder and its parents. Node's recursive `mkdirSync` is not used, because it loops
 * forever in a folder that accepts no new entries, such as `/proc`.
 */
export function makeFolder(path: string): void {
	if (isFolder(path)) return;
	if (dirname(path) !== path) makeFolder(dirname(path));
	try {
		fs.mkdirSync(path, { mode: 0o700 });
	} catch (error) {
		if (!isFolder(path)) throw error;
	}
}

/**
 * Returns the result of a file operation, or undefined if the path is missing, inaccessible or invalid, for
 * example because the path contains a NUL character.
 */
function attempt<T>(action: () => T): T | undefined {
	try {
		return action();
	} catch {
		return undefined;
	}
}

export function isWritable(path: string): boolean {
	return attempt(() => [fs.accessSync(path, fs.constants.W_OK)]) !== undefined;
}

export function namesIn(folder: string): string[] {
	return attempt(() => fs.readdirSync(folder)) ?? [];
}

/** Returns a file's id, which changes when the file is replaced, even if the inode number is reused. */
export function identityOf(path: string): string | undefined {
	const stat = attempt(() => fs.statSync(path, { throwIfNoEntry: false }));
	return stat && `${stat.dev}:${stat.ino}:${stat.birthtimeMs}`;
}

export function spellingsOf(path: string): string[] {
	const absolute = resolve(path);
	return [...new Set([absolute, attempt(() => fs.realpathSync(absolute)) ?? absolute])];
}

export function isSameFolder(one: string, other: string): boolean {
	return one === other || attempt(() => fs.realpathSync(one) === fs.realpathSync(other)) === true;
}

export function isFolder(path: string): boolean {
	return path !== "" && attempt(() => fs.statSync(path, { throwIfNoEntry: false }))?.isDirectory() === true;
}
