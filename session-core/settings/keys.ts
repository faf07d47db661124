import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import { clipColumns } from "../text/clip.ts";
import { cleanLine } from "../text/sanitize.ts";
import { SettingsSchema } from "./schema.ts";

/** One setting: where it stands in the file, and what may stand there. */
export interface SettingKey {
	path: readonly string[];
	schema: TSchema;
}

/** Every setting of the schema, groups flattened. */
export const SETTING_KEYS: readonly SettingKey[] = leaves(SettingsSchema, []);

function leaves(schema: TSchema, path: readonly string[]): SettingKey[] {
	if (!("properties" in schema) || typeof schema.properties !== "object") return [{ path, schema }];
	return Object.entries(schema.properties as Record<string, TSchema>).flatMap(([name, inner]) =>
		leaves(inner, [...path, name]),
	);
}

/** A key as users write and read it: `recap.enabled`. */
export function keyName({ path }: SettingKey): string {
	return path.join(".");
}

/** What is allowed for a key, in words. */
export function expectation({ schema }: SettingKey): string {
	const facts: TSchema & {
		type?: string;
		minimum?: number;
		description?: string;
		anyOf?: { const: string }[];
	} = schema;
	if (facts.description) return facts.description;
	if (facts.anyOf) return facts.anyOf.map((choice) => JSON.stringify(choice.const)).join(" or ");
	if (facts.type === "boolean") return "true or false";
	return `${facts.type === "integer" ? "a whole number" : "a number"} from ${facts.minimum ?? 0}`;
}

export function isValid(key: SettingKey, value: unknown): boolean {
	return Value.Check(key.schema, value);
}

/** What a file said, safe and short enough for one line. Lists and objects are named, not quoted: they may be deep. */
export function shownValue(value: unknown): string {
	if (Array.isArray(value)) return "a list";
	if (typeof value === "object" && value !== null) return "an object";
	if (typeof value === "string") return JSON.stringify(clipColumns(cleanLine(value.slice(0, 200)), 40));
	return String(value);
}
