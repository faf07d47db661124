import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { isObject, type JsonObject } from "../json.ts";
import { errorCode } from "../regular-file.ts";
import { cleanLine } from "../text/sanitize.ts";

/**
 * The result of reading a file that contains JSON with comments. `problem` is the beginning of a message that is safe to show: the path of
 * the file and what is wrong with it.
 */
export type SettingsFile =
	| { status: "absent" }
	| { status: "broken"; problem: string }
	| { status: "read"; root: JsonObject };

const MAX_BYTES = 1024 * 1024;
/**
 * Flags for opening a file without blocking if it is a pipe that has no writer. Symlinks are followed, because dotfile managers use them
 * for settings files. Windows does not have these flags.
 */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Reads a JSON object. Comments, trailing commas and a byte order mark are accepted. Never throws and never waits. */
export function readSettingsFile(path: string): SettingsFile {
	const broken = (what: string): SettingsFile => ({
		status: "broken",
		problem: `${cleanLine(path)} ${what}`,
	});
	let fd: number | undefined;
	try {
		fd = openSync(path, FLAGS);
		const stat = fstatSync(fd);
		if (!stat.isFile()) return broken("is not a file");
		if (stat.size > MAX_BYTES) return broken("is larger than 1 MB");
		const parsed = parseJsonc(readFileSync(fd, "utf8"));
		if (!parsed.ok) return broken(parsed.problem);
		const { value } = parsed;
		return isObject(value) ? { status: "read", root: value } : broken("is not an object in braces");
	} catch (error) {
		const code = errorCode(error);
		if (code === "ENOTDIR" || (code === "ENOENT" && !isSymlink(path))) return { status: "absent" };
		const what =
			code === "ENOENT"
				? "is a symlink to a missing file"
				: `cannot be read (${code}); check its owner and permissions`;
		return broken(what);
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}

function isSymlink(path: string): boolean {
	return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/**
 * Matches a string, a line comment or a block comment. A string or comment that is not closed extends to the end of the text, so matching
 * takes linear time.
 */
const STRING_OR_COMMENT = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const STRING_OR_TRAILING_COMMA = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|,(?=\s*[}\]])/g;

/** Replaces comments and trailing commas with spaces, so that everything else keeps its position. */
function withoutComments(text: string): string {
	const blank = (token: string) => (token.startsWith('"') ? token : token.replace(/[^\n\r]/g, " "));
	return text.replace(STRING_OR_COMMENT, blank).replace(STRING_OR_TRAILING_COMMA, blank);
}

/**
 * Parses JSON with comments, trailing commas and a byte order mark. `problem` is the end of a sentence that begins with the name of the
 * file.
 */
export function parseJsonc(text: string): { ok: true; value: unknown } | { ok: false; problem: string } {
	const json = withoutComments(text.replace(/^\ufeff/, ""));
	if (json.trim() === "") return { ok: false, problem: "is empty" };
	try {
		return { ok: true, value: JSON.parse(json) };
	} catch (error) {
		// Node's message quotes the file, which may contain secrets, so only the position is taken from it.
		const [, offset] = /at position (\d+)/.exec(String(error)) ?? [];
		const place =
			offset === undefined ? "" : `: see line ${json.slice(0, Number(offset)).split("\n").length}`;
		return { ok: false, problem: `is not valid JSON${place}` };
	}
}
