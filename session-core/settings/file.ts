import { readFileSync, statSync } from "node:fs";
import { cleanLine } from "../text/sanitize.ts";
import { isObject, type JsonObject } from "./object.ts";

/** A settings file as found on disk. `problem` is one line, safe to show. */
export type SettingsFile =
	| { status: "absent" }
	| { status: "broken"; problem: string }
	| { status: "read"; text: string; root: JsonObject };

/** Name of the settings file, in the agent directory and in a project's `.pi`. */

const MAX_BYTES = 1024 * 1024;
const BYTE_ORDER_MARK = /^\ufeff/;

/** Read a settings file; comments and trailing commas are allowed, as in the host's `models.json`. Never throws. */
export async function readSettingsFile(path: string): Promise<SettingsFile> {
	const broken = (what: string): SettingsFile => ({ status: "broken", problem: `${shownPath(path)}${what}` });
	let text: string;
	try {
		const stat = statSync(path, { throwIfNoEntry: false });
		if (!stat) return { status: "absent" };
		if (!stat.isFile()) return broken(": is not a file; using the defaults");
		if (stat.size > MAX_BYTES) return broken(": is larger than 1 MB; using the defaults");
		text = readFileSync(path, "utf8").replace(BYTE_ORDER_MARK, "");
	} catch {
		return broken(": cannot be read; check its permissions. Using the defaults");
	}
	const parsed = await parse(text);
	if (!parsed.ok) return broken(`${parsed.problem}; using the defaults until it is mended`);
	if (!isObject(parsed.root)) return broken(": expected an object in braces; using the defaults");
	return { status: "read", text, root: parsed.root };
}

/** A path for a problem line: a folder can be named anything. */
export function shownPath(path: string): string {
	return cleanLine(path);
}

type Parsed = { ok: true; root: unknown } | { ok: false; problem: string };

async function parse(text: string): Promise<Parsed> {
	if (text.trim() === "") return { ok: true, root: {} };
	try {
		return { ok: true, root: JSON.parse(text) };
	} catch {
		// Comments, perhaps. Their parser is loaded only now: start-up is free for those who have none.
		return parseWithComments(text);
	}
}

async function parseWithComments(text: string): Promise<Parsed> {
	try {
		const jsonc = await import("jsonc-parser");
		const errors: { error: number; offset: number; length: number }[] = [];
		const root: unknown = jsonc.parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
		const [first] = errors;
		if (!first) return { ok: true, root: root ?? {} };
		const code = jsonc.printParseErrorCode(first.error);
		return { ok: false, problem: `:${place(text, first.offset)}: ${inWords(code)}` };
	} catch (error) {
		// The parser recurses, so a file that nests without end exhausts the stack.
		const why =
			error instanceof RangeError ? "is nested too deeply" : "has comments, but jsonc-parser is missing";
		return { ok: false, problem: `: ${why}` };
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
