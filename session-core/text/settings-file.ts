import { lstatSync } from "node:fs";
import { isObject, type JsonObject } from "./files/json.ts";
import { smallFile } from "./files/regular-file.ts";
import { cleanLine } from "./sanitize.ts";

type SettingsOwner = "project" | "user";

/**
 * `detail` begins with the file's path, as in `settings.json is empty`, and never contains text from the
 * file. `ignored` means that a project's settings file is a symlink, too large or not a regular file.
 */
type SettingsFile =
	| { ok: true; root: JsonObject }
	| { ok: false; reason: "missing" | "ignored" | "broken"; detail: string };

const MOST_BYTES = 256 * 1024;

/**
 * Reads JSON with comments, trailing commas and a byte order mark. The user's settings file
 * may be a symlink, because dotfile managers create symlinks. A project's settings file must not be a
 * symlink, because a project's author could make the symlink point to any of the user's files.
 * Reading a settings file never blocks or throws.
 */
export function readSettingsFile(path: string, owner: SettingsOwner): SettingsFile {
	const follows = owner === "user";
	const failed = (what: string, reason: "missing" | "ignored" | "broken" = "broken"): SettingsFile => ({
		ok: false,
		reason,
		detail: `${cleanLine(path)} ${what}`,
	});
	const unfit = (what: string) => (follows ? failed(what) : failed(`${what}, so it is ignored`, "ignored"));
	const file = smallFile(path, MOST_BYTES, follows ? "follow" : "read");
	if (file.ok) {
		const parsed = parseJsonc(file.text);
		if (!parsed.ok) return failed(parsed.detail);
		const { value } = parsed;
		return isObject(value) ? { ok: true, root: value } : failed("is not an object in braces");
	}
	const { code } = file;
	// A dangling symlink was probably meant to point to a settings file, so the symlink is reported as a problem.
	const isMissing = code === "ENOTDIR" || (code === "ENOENT" && !lstatSync(path, { throwIfNoEntry: false }));
	if (isMissing) return failed("does not exist", "missing");
	if (file.reason === "too_large") return unfit("is larger than 256 KB");
	if (file.reason === "not_regular") return unfit("is not a file");
	if (file.reason === "symlink" && !follows) return unfit("is a symlink");
	return failed(`cannot be read (${code}); check the file and its permissions`);
}

/**
 * An unclosed string or comment is matched up to the end of the file, so that matching takes linear
 * time.
 */
const STRING_OR_COMMENT = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const STRING_OR_TRAILING_COMMA = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|,(?=\s*[}\]])/g;

function withoutComments(text: string): string {
	const blank = (token: string) => (token.startsWith('"') ? token : token.replace(/[^\n\r]/g, " "));
	return text.replace(STRING_OR_COMMENT, blank).replace(STRING_OR_TRAILING_COMMA, blank);
}

/**
 * Parses JSON with comments and trailing commas. `detail` is a phrase such as `is empty`, which is
 * meant to follow the file's name.
 */
export function parseJsonc(text: string): { ok: true; value: unknown } | { ok: false; detail: string } {
	const json = withoutComments(text.replace(/^\ufeff/, ""));
	if (json.trim() === "") return { ok: false, detail: "is empty" };
	try {
		return { ok: true, value: JSON.parse(json) };
	} catch (error) {
		// Reports only the line of a JSON error, because Node's message may quote secrets from the file.
		const [, offset] = /at position (\d+)/.exec(String(error)) ?? [];
		const place =
			offset === undefined ? "" : `: see line ${json.slice(0, Number(offset)).split("\n").length}`;
		return { ok: false, detail: `is not valid JSON${place}` };
	}
}
