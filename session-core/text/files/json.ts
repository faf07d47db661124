export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

export function objectsIn(value: unknown): JsonObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The earliest plausible time (in 1973). Smaller values are counters, or times in seconds in the wrong field. */
const EARLIEST = 1e11;

/** Returns a stored time in milliseconds since the epoch; undefined if the value is not a time. */
export function readTime(value: unknown): number | undefined {
	const time = typeof value === "string" ? Date.parse(value) : Number(value);
	return time > EARLIEST ? time : undefined;
}

export function parseObject(text: string): JsonObject | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : undefined;
	} catch {
		// The text is prose, or the object is damaged.
		return undefined;
	}
}

/** Maximum number of torn objects that are searched. Each requires one pass, which would take quadratic time in a malicious text. */
export const MAX_TORN = 16;

/** Returns the complete JSON objects in a text, in order, whatever is between them. Objects inside others are not returned separately. */
export function jsonObjectsIn(text: string): JsonObject[] {
	const found: JsonObject[] = [];
	let torn = 0;
	for (let at = text.indexOf("{"); at >= 0 && torn < MAX_TORN; ) {
		const end = objectEnd(text, at);
		const object = end < 0 ? undefined : parseObject(text.slice(at, end));
		if (object) found.push(object);
		else torn++;
		at = text.indexOf("{", object ? end : at + 1);
	}
	return found;
}

const QUOTE = 0x22;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Returns the end of the object that begins at `at`, or -1 if there is none. Braces inside strings do not count. */
export function objectEnd(text: string, at: number): number {
	let depth = 0;
	for (let index = at; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code === QUOTE) {
			const end = stringEnd(text, index + 1);
			if (end < 0) return -1;
			index = end - 1;
		} else if (code === OPEN) depth++;
		else if (code === CLOSE && --depth === 0) return index + 1;
	}
	return -1;
}

function stringEnd(text: string, at: number): number {
	for (let quote = text.indexOf('"', at); quote >= 0; quote = text.indexOf('"', quote + 1)) {
		let slashes = 0;
		while (quote - slashes > at && text[quote - slashes - 1] === "\\") slashes++;
		if (slashes % 2 === 0) return quote + 1;
	}
	return -1;
}

/** Checks a value's shape. Loading the schema library instead would take a quarter of a second at every start. */
export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === "string";
export const isNumber: Check = (value) => Number.isFinite(value);
export const isFlag: Check = (value) => typeof value === "boolean";

export function isOneOf(...values: readonly unknown[]): Check {
	return (value) => values.includes(value);
}

export function isEither(...checks: readonly Check[]): Check {
	return (value) => checks.some((check) => check(value));
}

export function isListOf(check: Check, most = Number.POSITIVE_INFINITY): Check {
	return (value) => Array.isArray(value) && value.length <= most && value.every(check);
}

export function maybe(check: Check): Check {
	return (value) => value === undefined || check(value);
}

/** Returns a check for objects with these fields. Other fields may have any value. */
export function hasFields<T = Record<string, unknown>>(
	fields: {
		[Name in keyof T]-?: Check;
	},
): (value: unknown) => value is T {
	const checks = Object.entries<Check>(fields);
	return (value): value is T => isObject(value) && checks.every(([name, check]) => check(value[name]));
}
