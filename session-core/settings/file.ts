import { lstatSync, readFileSync, statSync } from "node:fs";
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

/**
 * Reads a JSON object. Comments, trailing commas and a byte order mark are accepted. Symlinks are followed, because dotfile managers use
 * them for settings files. Never throws.
 */
export function readSettingsFile(path: string): SettingsFile {
	const broken = (what: string): SettingsFile => ({
		status: "broken",
		problem: `${cleanLine(path)} ${what}`,
	});
	try {
		// Reading a pipe would wait for its writer.
		if (!statSync(path).isFile()) return broken("is not a file");
		const parsed = parseJsonc(readFileSync(path, "utf8"));
		if (!parsed.ok) return broken(parsed.problem);
		const { value } = parsed;
		return isObject(value) ? { status: "read", root: value } : broken("is not an object in braces");
	} catch (error) {
		const code = errorCode(error);
		if (code === "ENOTDIR" || (code === "ENOENT" && !lstatSync(path, { throwIfNoEntry: false })))
			return { status: "absent" };
		return broken(`cannot be read (${code}); check the file and its permissions`);
	}
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
