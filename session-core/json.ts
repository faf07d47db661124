/** Any JSON object, before its fields are validated. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the JSON object in a text, from the first brace to the last; undefined if there is none. */
export function jsonObjectIn(text: string): JsonObject | undefined {
	try {
		const value: unknown = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
		return isObject(value) ? value : undefined;
	} catch {
		// The braces belong to prose, or the object is truncated.
		return undefined;
	}
}

/**
 * A function that checks the shape of a value. Such functions are used for data that is read often and in programs that must start quickly,
 * because loading the schema library would take a quarter of a second.
 */
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

/** The field may be absent. */
export function maybe(check: Check): Check {
	return (value) => value === undefined || check(value);
}

/** Other fields may be anything. */
export function hasFields<T = Record<string, unknown>>(
	fields: {
		[Name in keyof T]-?: Check;
	},
): (value: unknown) => value is T {
	const checks = Object.entries<Check>(fields);
	return (value): value is T => isObject(value) && checks.every(([name, check]) => check(value[name]));
}
