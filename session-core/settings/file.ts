import { lstatSync, realpathSync } from "node:fs";
import { isObject, type JsonObject } from "../json.ts";
import { closeRegular, errorCode, openRegular, readSpan } from "../store/regular-file.ts";
import { cleanLine } from "../text/sanitize.ts";
import { parseJsonc } from "./jsonc.ts";

/** A settings file as found on disk. `problem` is the beginning of a line, safe to show: which file, where, and what is wrong. */
export type SettingsFile =
	| { status: "absent" }
	| { status: "broken"; problem: string }
	| { status: "read"; text: string; root: JsonObject };

const MAX_BYTES = 1024 * 1024;
const BYTE_ORDER_MARK = /^\ufeff/;

/** Read a settings file; comments and trailing commas are allowed, as in the host's `models.json`. Never throws, never waits. */
export function readSettingsFile(path: string): SettingsFile {
	const found = readText(path);
	return found.status === "text" ? asParsed(path, found.text) : found;
}

/** Whether a file that was read holds the same text now. */
export function saysStill(path: string, text: string): boolean {
	const found = readText(path);
	return found.status === "text" && found.text === text;
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

function asParsed(path: string, text: string): SettingsFile {
	const parsed = parseJsonc(text);
	if (!parsed.ok) return broken(path, `:${place(text, parsed.offset)}: ${parsed.problem}`);
	const root = parsed.root ? parsed.root.value : {};
	return isObject(root) ? { status: "read", text, root } : broken(path, ": expected an object in braces");
}

function place(text: string, offset: number): string {
	const before = text.slice(0, offset).split("\n");
	return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
