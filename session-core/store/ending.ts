import { stopReasonOf } from "../host/events.ts";
import { isObject, type JsonObject } from "../json.ts";
import { syntheticId } from "./entries.ts";
import { parseLine } from "./line-objects.ts";
import { linesFromEnd } from "./lines.ts";
import { type ModelName, modelNamed } from "./model-name.ts";
import { shownLine, shownWord } from "./shown-line.ts";

/** The last message of the active branch, as facts; what they amount to is for others to say. */
export interface LastMessage {
	id: string;
	/** As stored: `user`, `assistant`, `toolResult`, `bashExecution`, … */
	role: string;
	/** Of an assistant's message: `stop`, `toolUse`, `length`, `error`, `aborted`. */
	stopReason: string | undefined;
	errorMessage: string | undefined;
	/** Milliseconds since the epoch; undefined if the log does not say. */
	at: number | undefined;
}

/** What the end of a session file says. */
export interface Ending {
	last: LastMessage | undefined;
	/** The model in use at the end. */
	model: ModelName | undefined;
}

/** Lines looked at for the branch's last message and model. */
const MAX_LINES = 400;
/** Times before this (1973) are counters or seconds in the wrong field. */
const EARLIEST = 1e11;

/** Reads the end of a session file. The bytes begin at a line's start, at `offset` in the file. */
export function readEnding(bytes: Buffer, offset: number): Ending {
	const { last, model } = endOfBranch(bytes, offset);
	return { last: last ?? newestMessage(bytes, offset), model };
}

/** Follows the parents from the leaf, parsing no line that is not on the branch. */
function endOfBranch(bytes: Buffer, offset: number): Pick<Ending, "last" | "model"> {
	let wanted: string | undefined;
	let last: LastMessage | undefined;
	let model: Ending["model"];
	let lines = 0;
	for (const line of linesFromEnd(bytes, offset)) {
		if (++lines > MAX_LINES) break;
		if (wanted !== undefined && !line.bytes.includes(`"${wanted}"`)) continue;
		const { objects } = parseLine(line.bytes.toString("utf8"));
		for (let index = objects.length - 1; index >= 0; index--) {
			const object = objects[index];
			if (!object || object["type"] === "session") continue;
			// Version 1 has no ids: there, every line is on the one branch.
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

/** Where the branch leaves what was read: the newest message in file order. */
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

function readLast(object: JsonObject, id: string): LastMessage | undefined {
	const message = object["message"];
	if (object["type"] !== "message" || !isObject(message) || typeof message["role"] !== "string")
		return undefined;
	const { errorMessage, timestamp } = message;
	const stopReason = stopReasonOf(message);
	return {
		id: shownWord(id),
		role: shownWord(message["role"]),
		stopReason: stopReason === "" ? undefined : shownWord(stopReason),
		errorMessage: typeof errorMessage === "string" ? shownLine(errorMessage) : undefined,
		at: typeof timestamp === "number" && timestamp > EARLIEST ? timestamp : readTime(object["timestamp"]),
	};
}

function readModel(object: JsonObject): Ending["model"] {
	const message = object["message"];
	const [source, key] = isObject(message) ? [message, "model"] : [object, "modelId"];
	return modelNamed(source["provider"], source[key]);
}

/** Milliseconds since the epoch of a stored time. Undefined if it is none. */
export function readTime(value: unknown): number | undefined {
	const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
	return Number.isNaN(time) ? undefined : time;
}
