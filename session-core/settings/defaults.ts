import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import type { JsonObject } from "../json.ts";
import { LANGUAGES } from "../words/languages.ts";

/** Name of the settings file, in the agent directory and in a project's `.pi`. */
export const SETTINGS_FILE = "session-suite.json";

/**
 * The direction in which a project's file may change a setting: a repository must not spend money or choose where text is sent. `off`:
 * only false. `less`, `more`: only lower or higher numbers. `never`: like `more`, and 0 (never) is the quietest.
 */
type Quieter = "off" | "less" | "more" | "never";

const Switch = (enabled: boolean) => Type.Boolean({ default: enabled, quieter: "off" });
const Seconds = (seconds: number) => Type.Number({ minimum: 0, default: seconds, quieter: "more" });
const ModelSpec = Type.Optional(Type.String({ pattern: "^[^/\\s]+/\\S+$", description: '"provider/model"' }));

/** `<agentDir>/session-suite.json`. Every key has a default; a file contains only what it changes. */
export const SettingsSchema = Type.Object({
	/** Cheap model for side calls, as `provider/model`. */
	fastModel: ModelSpec,
	/** Limit for the cost of automatic calls per day, in the currency of the model's price table. */
	dailyCostLimit: Type.Number({ minimum: 0, default: 0.5, quieter: "less" }),
	/**
	 * Language of the interface and of a model's answers; absent: that of the session's own prompts, else
	 * the locale's.
	 */
	language: Type.Optional(Type.Union(LANGUAGES.map((code) => Type.Literal(code)))),
	/** Write the debug log. */
	debug: Switch(false),
	recap: Type.Object({
		/** Show recaps automatically. */
		enabled: Switch(true),
		model: ModelSpec,
		awaySeconds: Seconds(90),
		focusMinSeconds: Seconds(3),
		idleSeconds: Seconds(120),
		/** Ask the terminal for focus reports. */
		focus: Switch(true),
		/** Send the project's instruction files along with the session's facts. */
		includeProjectContext: Switch(false),
	}),
	title: Type.Object({
		/** Name sessions automatically. */
		enabled: Switch(true),
		model: ModelSpec,
	}),
	recall: Type.Object({
		/** Give the agent tools that search and read earlier sessions. */
		enabled: Switch(true),
	}),
	resume: Type.Object({
		generator: Type.Union([Type.Literal("heuristic"), Type.Literal("llm")], { default: "heuristic" }),
		/** Write a record after this many idle minutes; 0: never. */
		idleMinutes: Type.Number({ minimum: 0, default: 0, quieter: "never" }),
		/** Write a record at the end of a session with at least this many messages; 0: never. */
		minMessages: Type.Integer({ minimum: 0, default: 8, quieter: "never" }),
		/** Show the card when a session with a history opens. */
		pinCard: Switch(true),
		/** Show a notification when a session begins to wait while the user is looking elsewhere. */
		notify: Switch(false),
	}),
});

export type Settings = Static<typeof SettingsSchema>;

/** One setting. */
export interface SettingKey {
	/** The full name of the setting: `recap.enabled`. */
	name: string;
	/** The group of the setting; undefined for top-level settings. */
	group: string | undefined;
	/** Its name within the group. */
	leaf: string;
	schema: SettingSchema;
}

interface SettingSchema extends TSchema {
	type?: string;
	minimum?: number;
	description?: string;
	anyOf?: { const: string }[];
	quieter?: Quieter;
}

/** Every setting of the schema, groups flattened. */
export const SETTING_KEYS: readonly SettingKey[] = Object.entries<TSchema>(SettingsSchema.properties).flatMap(
	([name, schema]): SettingKey[] => {
		if (!("properties" in schema)) return [{ name, group: undefined, leaf: name, schema }];
		const inner = Object.entries(schema.properties as Record<string, TSchema>);
		return inner.map(([leaf, of]) => ({ name: `${name}.${leaf}`, group: name, leaf, schema: of }));
	},
);

/** Returns the value of a setting. Own properties only, so that `__proto__` in a file cannot provide settings. */
export function settingIn(root: JsonObject | undefined, { group, leaf }: SettingKey): unknown {
	const parent = group === undefined ? root : own(root, group);
	return own(parent, leaf);
}

function own(value: unknown, name: string): unknown {
	return typeof value === "object" && value !== null && Object.hasOwn(value, name)
		? (value as JsonObject)[name]
		: undefined;
}

export function isValidSetting({ schema }: SettingKey, value: unknown): boolean {
	return Value.Check(schema, value);
}

/** Returns a description of the allowed values of a key. */
export function expectedValue({ schema }: SettingKey): string {
	if (schema.description) return schema.description;
	if (schema.anyOf) return schema.anyOf.map((choice) => JSON.stringify(choice.const)).join(" or ");
	if (schema.type === "boolean") return "true or false";
	return `${schema.type === "integer" ? "a whole number" : "a number"} from ${schema.minimum ?? 0}`;
}

/** Whether a valid value only makes things quieter than the current one. */
export function isQuieter({ schema }: SettingKey, wanted: unknown, current: unknown): boolean {
	const isMore = Number(wanted) >= Number(current);
	switch (schema.quieter) {
		case "off":
			return wanted === false;
		case "less":
			return Number(wanted) <= Number(current);
		case "more":
			return isMore;
		case "never":
			return wanted === 0 || (current !== 0 && isMore);
		default:
			return false;
	}
}

/** Returns the value that switches an automatic feature off, or undefined if the key does not control one. */
export function offValue({ schema }: SettingKey): false | 0 | undefined {
	if (schema.quieter === "off") return false;
	return schema.quieter === "less" || schema.quieter === "never" ? 0 : undefined;
}
