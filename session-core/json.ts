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
