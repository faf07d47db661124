import { constants } from "node:buffer";
import { isObject, type JsonObject, type OpenFailure, parseObject, partOf } from "../text/files/index.ts";
import { EVERY_LINE, type Line, wholeLines } from "./lines.ts";

type SessionCheck =
	| { ok: true; sound: boolean }
	| { ok: false; reason: OpenFailure | "empty"; detail: string };

/**
 * Checks a session file more strictly than pi does. If a file is damaged, pi loses entries, rewrites
 * the file, or exits, depending on pi's version.
 */
export async function checkSession(path: string): Promise<SessionCheck> {
	const check = new LineCheck();
	let isSound = true;
	let end = 0;
	const read = await wholeLines(
		path,
		({ offset, bytes }) => {
			end = offset + bytes.length;
			isSound = check.accepts(bytes.toString("utf8"));
			return isSound ? undefined : "enough";
		},
		EVERY_LINE,
	);
	if (!read.ok) return read;
	const { size } = read.stamp;
	if (size === 0) return { ok: false, reason: "empty", detail: `${path} is empty` };
	// If the file does not end with a newline, the next entry would be appended to the last line.
	return { ok: true, sound: isSound && check.hasHeader && end < size };
}

export function beginsAsSession(lines: Iterable<Line>): boolean {
	for (const { bytes } of lines) {
		const text = bytes.toString("utf8");
		if (!isBlank(text)) return isHeader(parseObject(text));
	}
	return false;
}

/**
 * pi would replace an oh-my-pi session file with an empty session, because the file begins with a
 * title.
 */
export function beginsWithTitle(path: string): boolean {
	return partOf(path, 0, 32).toString("latin1").startsWith('{"type":"title"');
}

class LineCheck {
	#version: number | undefined;
	readonly #ids = new Set<string>();

	get hasHeader(): boolean {
		return this.#version !== undefined;
	}

	accepts(line: string): boolean {
		if (isBlank(line)) return true;
		const value = parseObject(line);
		if (this.#version !== undefined) return isShowable(value) && this.#isPlaced(value);
		if (!isHeader(value)) return false;
		const { version = 1 } = value;
		if (typeof version === "number") this.#version = version;
		return this.hasHeader;
	}

	#isPlaced({ type, id, parentId }: JsonObject): boolean {
		if (type === "session") return false;
		// Format version 1 has no parent ids, so a file with parent ids but no version has a damaged header.
		if (this.#version === 1) return type !== "message" || parentId === undefined;
		if (typeof id !== "string" || id === "" || this.#ids.has(id)) return false;
		this.#ids.add(id);
		return parentId === null || (typeof parentId === "string" && parentId !== id && this.#ids.has(parentId));
	}
}

function isHeader(value: JsonObject | undefined): value is JsonObject {
	if (value?.["type"] !== "session") return false;
	const { id, cwd } = value;
	return typeof id === "string" && id !== "" && (cwd === undefined || typeof cwd === "string");
}

type Shape = (value: JsonObject) => boolean;

/** The fields that an entry must have. If a field is missing, pi crashes when it displays the entry. */
const SHOWABLE = new Map<unknown, Shape>([
	["message", ({ message }) => isObject(message) && isShowableMessage(message)],
	["custom_message", ({ content }) => isContent(content)],
	["compaction", ({ tokensBefore }) => typeof tokensBefore === "number"],
	["session_info", ({ name }) => (name ?? undefined) === undefined || typeof name === "string"],
	["context_edit", ({ replacement }) => replacement === null || isObject(replacement)],
]);

const MESSAGES = new Map<unknown, Shape>([
	["user", ({ content }) => isContent(content)],
	["assistant", ({ content, usage }) => isParts(content) && isObject(usage) && isObject(usage["cost"])],
	["toolResult", ({ content }) => isParts(content)],
	["bashExecution", ({ command }) => typeof command === "string"],
]);

export function isShowable(value: JsonObject | undefined): value is JsonObject {
	if (typeof value?.["type"] !== "string") return false;
	return SHOWABLE.get(value["type"])?.(value) ?? true;
}

function isShowableMessage(message: JsonObject): boolean {
	const { role } = message;
	return MESSAGES.get(role)?.(message) ?? typeof role === "string";
}

function isContent(value: unknown): boolean {
	return typeof value === "string" || isParts(value);
}

function isParts(value: unknown): value is JsonObject[] {
	return Array.isArray(value) && value.every((part) => isObject(part) && hasText(part));
}

function hasText(part: JsonObject): boolean {
	const { type } = part;
	return type === "text" || type === "thinking" ? typeof part[type] === "string" : true;
}

function isBlank(line: string): boolean {
	return /^[ \t\r]*$/.test(line);
}

/** pi versions before 0.78.1 read a whole session file into one string, whose length is limited. */
export const EVERY_HOST_OPENS = constants.MAX_STRING_LENGTH;

export function tooLargeText(size: number, version: string): string | undefined {
	const [major = 0, minor = 78, patch = 1] = version.match(/\d+/g)?.map(Number) ?? [];
	const reads = major || minor - 78 || patch - 1;
	if (size <= EVERY_HOST_OPENS || reads >= 0) return undefined;
	const [found, most] = [size, EVERY_HOST_OPENS].map((bytes) => Math.round(bytes / 1024 / 1024));
	return `This session is too large for pi ${version}: ${found} MB, and the limit is ${most} MB. Update pi to version 0.78.1 or later to open it.`;
}
