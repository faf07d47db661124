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

/**
 * The value in milliseconds (March 1973) below which a stored number is assumed to be a counter or a
 * time in seconds.
 */
const EARLIEST = 1e11;

/**
 * Returns a time in milliseconds since the epoch, or undefined if the value is not a plausible time.
 */
export function readTime(value: unknown): number | undefined {
	const time = typeof value === "string" ? Date.parse(value) : Number(value);
	return time > EARLIEST ? time : undefined;
}

export function parseObject(text: string): JsonObject | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/**
 * The maximum number of incomplete JSON objects in a string. Each incomplete object requires another
 * pass over the string, so malicious input could take quadratic time to parse.
 */
const MAX_TORN = 16;

export function jsonObjectsIn(
	text: string,
	startOf = (at: number) => text.indexOf("{", at),
): { objects: JsonObject[]; around: string } {
	const objects: JsonObject[] = [];
	let around = "";
	let at = 0;
	for (let start = startOf(0), torn = 0; start >= 0 && torn < MAX_TORN; start = startOf(at)) {
		const end = objectEnd(text, start);
		const object = end < 0 ? undefined : parseObject(text.slice(start, end));
		around += text.slice(at, object ? start : start + 1);
		at = object ? end : start + 1;
		if (object) objects.push(object);
		else torn++;
	}
	return { objects, around: around + text.slice(at) };
}

const QUOTE = 0x22;
const OPEN = 0x7b;
const CLOSE = 0x7d;

function objectEnd(text: string, at: number): number {
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

/**
 * Type checks for stored values are plain functions, because loading TypeBox would add a third of a second
 * to every start.
 */
export type Check<T = unknown> = (value: unknown) => value is T;

export type Checked<C> = C extends Check<infer T> ? T : never;

export const isText: Check<string> = (value) => typeof value === "string";
export const isNumber: Check<number> = (value): value is number => Number.isFinite(value);
export const isFlag: Check<boolean> = (value) => typeof value === "boolean";

export function isOneOf<const T>(...values: readonly T[]): Check<T> {
	return (value): value is T => values.some((one) => one === value);
}

export function isEither<A, B>(one: Check<A>, other: Check<B>): Check<A | B> {
	return (value): value is A | B => one(value) || other(value);
}

export function isListOf<T>(check: Check<T>, most = Number.POSITIVE_INFINITY): Check<T[]> {
	return (value): value is T[] => Array.isArray(value) && value.length <= most && value.every(check);
}

export function maybe<T>(check: Check<T>): Check<T | undefined> {
	return (value): value is T | undefined => value === undefined || check(value);
}

type Fields = Readonly<Record<string, Check>>;

type WithFields<F extends Fields> = {
	[Name in keyof F as undefined extends Checked<F[Name]> ? never : Name]: Checked<F[Name]>;
} & {
	[Name in keyof F as undefined extends Checked<F[Name]> ? Name : never]?: Exclude<
		Checked<F[Name]>,
		undefined
	>;
};

export function hasFields<F extends Fields>(fields: F): Check<WithFields<F>> {
	const checks = Object.entries(fields);
	return (value): value is WithFields<F> =>
		isObject(value) && checks.every(([name, check]) => check(value[name]));
}
