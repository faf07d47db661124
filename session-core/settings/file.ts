import { lstatSync, realpathSync } from "node:fs";
import { isObject, type JsonObject } from "../json.ts";
import { closeRegular, errorCode, openRegular, readSpan } from "../store/regular-file.ts";
import { cleanLine } from "../text/sanitize.ts";

/** A settings file as found on disk. `problem` is the beginning of a line, safe to show: which file, where, and what is wrong. */
export type SettingsFile =
	| { status: "absent" }
	| { status: "broken"; problem: string }
	| { status: "read"; text: string; root: JsonObject };

/** The parser of comments; undefined where the package is not installed. */
export type CommentParser = typeof import("jsonc-parser") | undefined;

const MAX_BYTES = 1024 * 1024;
const BYTE_ORDER_MARK = /^\ufeff/;

/** Read a settings file; comments and trailing commas are allowed, as in the host's `models.json`. Never throws, never waits. */
export async function readSettingsFile(path: string): Promise<SettingsFile> {
	const found = readText(path);
	if (found.status !== "text") return found;
	// Comments are rare: their parser is loaded only where plain JSON will not do.
	return (
		asPlain(path, found.text) ?? asParsed(path, found.text, parseWith(await loadCommentParser(), found.text))
	);
}

/** The same at once, for whoever has loaded the parser. */
export function readSettingsNow(path: string, parser: CommentParser): SettingsFile {
	const found = readText(path);
	if (found.status !== "text") return found;
	return asPlain(path, found.text) ?? asParsed(path, found.text, parseWith(parser, found.text));
}

/** Whether a file that was read holds the same text now. */
export function saysStill(path: string, text: string): boolean {
	const found = readText(path);
	return found.status === "text" && found.text === text;
}

export async function loadCommentParser(): Promise<CommentParser> {
	try {
		return await import("jsonc-parser");
	} catch {
		// Installed without its dependencies: plain JSON is read all the same.
		return undefined;
	}
}

/** A path for a problem line: a folder can be named anything. */
export function shownPath(path: string): string {
	return cleanLine(path);
}

type SettingsText = Exclude<SettingsFile, { status: "read" }> | { status: "text"; text: string };

function readText(path: string): SettingsText {
	try {
		if (!lstatSync(path, { throwIfNoEntry: false })) return { status: "absent" };
		// Dotfile managers link settings from elsewhere, so links are followed: here, and not when the file is opened.
		return readRegular(path, realpathSync(path));
	} catch (error) {
		switch (errorCode(error)) {
			case "ENOTDIR":
				return { status: "absent" };
			case "ENOENT":
				return broken(path, ": is a link to nothing");
			case "ELOOP":
				return broken(path, ": is a link in a circle");
			default:
				return broken(path, ": cannot be read; check its owner and permissions");
		}
	}
}

function readRegular(path: string, target: string): SettingsText {
	const opened = openRegular(target);
	if (!opened.ok) {
		const isNoFile = opened.reason === "not_regular";
		return broken(path, isNoFile ? ": is not a file" : ": cannot be read; check its owner and permissions");
	}
	try {
		const { size } = opened.file.stamp;
		if (size > MAX_BYTES) return broken(path, ": is larger than 1 MB");
		const text = readSpan(opened.file, 0, size).toString("utf8").replace(BYTE_ORDER_MARK, "");
		return { status: "text", text };
	} finally {
		closeRegular(opened.file);
	}
}

function broken(path: string, what: string): { status: "broken"; problem: string } {
	return { status: "broken", problem: `${shownPath(path)}${what}` };
}

type Parsed = { ok: true; root: unknown } | { ok: false; problem: string };

/** Undefined where it takes the parser of comments to tell. */
function asPlain(path: string, text: string): SettingsFile | undefined {
	if (text.trim() === "") return { status: "read", text, root: {} };
	try {
		return asParsed(path, text, { ok: true, root: JSON.parse(text) });
	} catch {
		// Comments, perhaps, or a fault, which that parser can name.
		return undefined;
	}
}

function asParsed(path: string, text: string, parsed: Parsed): SettingsFile {
	if (!parsed.ok) return broken(path, parsed.problem);
	if (!isObject(parsed.root)) return broken(path, ": expected an object in braces");
	return { status: "read", text, root: parsed.root };
}

function parseWith(parser: CommentParser, text: string): Parsed {
	if (!parser) return { ok: false, problem: ": is no plain JSON, and jsonc-parser is missing" };
	try {
		const errors: { error: number; offset: number; length: number }[] = [];
		const root: unknown = parser.parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
		const [first] = errors;
		if (!first) return { ok: true, root: root ?? {} };
		return {
			ok: false,
			problem: `:${place(text, first.offset)}: ${inWords(parser.printParseErrorCode(first.error))}`,
		};
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		// The parser recurses, so a file that nests without end exhausts the stack.
		return { ok: false, problem: ": is nested too deeply" };
	}
}

function place(text: string, offset: number): string {
	const before = text.slice(0, offset).split("\n");
	return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/** `CloseBraceExpected` → `close brace expected` */
function inWords(code: string): string {
	return code.replace(/(?<!^)[A-Z]/g, " $&").toLowerCase();
}
