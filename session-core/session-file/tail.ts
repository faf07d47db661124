import { stopReasonOf } from "../host/host-events.ts";
import { isObject, type JsonObject } from "../json.ts";
import { type RegularFile, readSpan } from "../regular-file.ts";
import { type ModelName, modelNamed, shownLine, shownWord } from "../text/shown-line.ts";
import { syntheticId } from "./entries.ts";
import { afterFirstNewline, linesFromEnd } from "./lines.ts";
import { parseLine } from "./parse-line.ts";

/** The last message of the active branch. */
export interface LastMessage {
	id: string;
	/** The role as stored: `user`, `assistant`, `toolResult`, `bashExecution`, … */
	role: string;
	/** For an assistant's message: `stop`, `toolUse`, `length`, `error` or `aborted`. */
	stopReason: string | undefined;
	errorMessage: string | undefined;
	/** When the message was sent, in milliseconds since the epoch; undefined if the file does not contain the time. */
	at: number | undefined;
}

/** Information from the tail of a session file. */
export interface SessionTail {
	last: LastMessage | undefined;
	/** The model in use at the end. */
	model: ModelName | undefined;
	/** The time of the last message or, if it has none, of the last entry with a time; undefined if no entry has one. */
	at: number | undefined;
}

const TAIL_BYTES = 64 * 1024;
/**
 * Maximum length of the tail in bytes. The length is quadrupled until the tail contains a message or reaches this limit, because a single
 * message can contain several images.
 */
const MAX_TAIL_BYTES = 16 * 1024 * 1024;
/** Maximum number of lines that are searched for the branch's last message and model. */
const MAX_LINES = 4_000;
/**
 * The earliest plausible time (in 1973), in milliseconds since the epoch. Smaller values are counters, or times in seconds that were
 * written to the wrong field.
 */
const EARLIEST = 1e11;

/** Reads the tail of a session file. The result consists of whole lines, the first of which is at `start`. */
export function readTailOf(
	file: RegularFile,
	scratch?: Buffer,
): { tail: SessionTail; bytes: Buffer; start: number } {
	for (let length = TAIL_BYTES; ; length *= 4) {
		const { bytes, start } = lastLines(file, length, scratch);
		const tail = parseTail(bytes, start);
		if (tail.last || start === 0 || length >= MAX_TAIL_BYTES) return { tail, bytes, start };
	}
}

/** Returns the complete lines within the last `length` bytes of a file. */
function lastLines(file: RegularFile, length: number, into?: Buffer): { bytes: Buffer; start: number } {
	const { size } = file.stamp;
	if (size <= length) return { bytes: readSpan(file, 0, size, into), start: 0 };
	// Includes the preceding byte. If that byte is a newline, the first line is complete.
	const from = size - length - 1;
	const { bytes, dropped } = afterFirstNewline(readSpan(file, from, size - from, into));
	return { bytes, start: from + dropped };
}

/** Parses the tail of a session file. The bytes must begin with a complete line, which is at `offset` in the file. */
export function parseTail(bytes: Buffer, offset: number): SessionTail {
	const { last = newestMessage(bytes, offset), model } = endOfBranch(bytes, offset);
	return { last, model, at: last?.at ?? newestTime(bytes) };
}

/**
 * Follows the parent ids from the leaf to find the last message and the model of the branch. Lines that are not on the branch are not
 * parsed.
 */
function endOfBranch(bytes: Buffer, offset: number): Pick<SessionTail, "last" | "model"> {
	let wanted: string | undefined;
	let last: LastMessage | undefined;
	let model: ModelName | undefined;
	let lines = 0;
	for (const line of linesFromEnd(bytes, offset)) {
		if (++lines > MAX_LINES) break;
		if (wanted !== undefined && !line.bytes.includes(`"${wanted}"`)) continue;
		// In logs without ids, only the model is still wanted, and most lines do not name one.
		if (wanted === undefined && last && !namesModel(line.bytes)) continue;
		const { objects } = parseLine(line.bytes.toString("utf8"));
		for (let index = objects.length - 1; index >= 0; index--) {
			const object = objects[index];
			if (!object || object["type"] === "session") continue;
			// In version 1, entries have no ids, and all of them are on one branch.
			const id = typeof object["id"] === "string" ? object["id"] : undefined;
			if (wanted !== undefined && id !== undefined && id !== wanted) continue;
			last ??= readLast(object, id ?? syntheticId(line.offset, index));
			model ??= readModel(object);
			if (last && model) return { last, model };
			const parentId = object["parentId"];
			if (parentId === null) return { last, model };
			wanted = typeof parentId === "string" ? parentId : undefined;
		}
	}
	return { last, model };
}

function namesModel(bytes: Buffer): boolean {
	return bytes.includes('"model"') || bytes.includes('"modelId"');
}

/** Returns the last message in the file, on any branch. Used if the active branch continues outside the part that was read. */
function newestMessage(bytes: Buffer, offset: number): LastMessage | undefined {
	let lines = 0;
	for (const line of linesFromEnd(bytes, offset)) {
		if (++lines > MAX_LINES) return undefined;
		if (!line.bytes.includes('"message"')) continue;
		const { objects } = parseLine(line.bytes.toString("utf8"));
		for (let index = objects.length - 1; index >= 0; index--) {
			const object = objects[index];
			const id = object?.["id"];
			const last = object && readLast(object, typeof id === "string" ? id : syntheticId(line.offset, index));
			if (last) return last;
		}
	}
	return undefined;
}

/** Returns the time of the last entry that has one. */
function newestTime(bytes: Buffer): number | undefined {
	let lines = 0;
	for (const line of linesFromEnd(bytes)) {
		if (++lines > MAX_LINES) return undefined;
		const { objects } = parseLine(line.bytes.toString("utf8"));
		const at = objects.map(timeOf).findLast((time) => time !== undefined);
		if (at !== undefined) return at;
	}
	return undefined;
}

/** Returns when an entry was written. In a message, the more precise time is that of the message itself. */
function timeOf({ message, timestamp }: JsonObject): number | undefined {
	return (isObject(message) ? readTime(message["timestamp"]) : undefined) ?? readTime(timestamp);
}

function readLast(object: JsonObject, id: string): LastMessage | undefined {
	const message = object["message"];
	if (object["type"] !== "message" || !isObject(message) || typeof message["role"] !== "string")
		return undefined;
	const { errorMessage } = message;
	const stopReason = stopReasonOf(message);
	return {
		id: shownWord(id),
		role: shownWord(message["role"]),
		stopReason: stopReason === "" ? undefined : shownWord(stopReason),
		errorMessage: typeof errorMessage === "string" ? shownLine(errorMessage) : undefined,
		at: timeOf(object),
	};
}

function readModel(object: JsonObject): ModelName | undefined {
	const message = object["message"];
	const [source, key] = isObject(message) ? [message, "model"] : [object, "modelId"];
	return modelNamed(source["provider"], source[key]);
}

/** Returns a stored time in milliseconds since the epoch; undefined if the value is not a time. */
export function readTime(value: unknown): number | undefined {
	const time = typeof value === "string" ? Date.parse(value) : Number(value);
	return time > EARLIEST ? time : undefined;
}
