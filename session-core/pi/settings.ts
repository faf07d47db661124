import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { FOREIGN } from "../log/index.ts";
import type { JsonObject } from "../text/files/index.ts";

export const SETTINGS_FILE = "session-suite.json";

/**
 * Restricts which values a project's settings file may set, because a repository must not spend the user's
 * money or decide where text is sent. `off` allows only `false`, `less` a lower number, and `more` a
 * higher number. `never` is like `more`, but 0 means never.
 */
type Quieter = "off" | "less" | "more" | "never";

const Switch = (enabled: boolean) => Type.Boolean({ default: enabled, quieter: "off" });
const Seconds = (seconds: number) => Type.Number({ minimum: 0, default: seconds, quieter: "more" });
const ModelSpec = Type.Optional(Type.String({ pattern: "^[^/\\s]+/\\S+$", description: '"provider/model"' }));

/** The schema of `session-suite.json`. Every setting has a default, so the file may be empty. */
const SettingsSchema = Type.Object({
	fastModel: ModelSpec,
	/** The maximum cost of automatic model calls per day, in the currency of the model's price table. */
	dailyCostLimit: Type.Number({ minimum: 0, default: 0.5, quieter: "less" }),
	/**
	 * The language of model answers, recaps and cards as a BCP 47 tag. By default, this is the language
	 * of the session's prompts or, if that is unclear, of the locale. Commands and messages are always in
	 * English.
	 */
	language: Type.Optional(
		Type.String({
			// The pattern accepts only language tags for which `Intl` does not throw an error.
			pattern:
				"^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\\d{3}))?(-([A-Za-z\\d]{5,8}|\\d[A-Za-z\\d]{3}))?$",
			description: 'a language tag, such as "da" or "pt-BR"',
		}),
	),
	agents: Type.Array(Type.Union(FOREIGN.map(({ name }) => Type.Literal(name))), {
		default: [],
		description: `a list of ${FOREIGN.map((one) => JSON.stringify(one)).join(" and ")}`,
	}),
	debug: Switch(false),
	recap: Type.Object({
		enabled: Switch(true),
		model: ModelSpec,
		awaySeconds: Seconds(90),
		focusMinSeconds: Seconds(3),
		idleSeconds: Seconds(120),
		focus: Switch(true),
		includeProjectContext: Switch(false),
	}),
	title: Type.Object({
		enabled: Switch(true),
		model: ModelSpec,
	}),
	recall: Type.Object({
		enabled: Switch(true),
	}),
	resume: Type.Object({
		/** If `enabled` is false, the other settings in the same group are also turned off. */
		enabled: Switch(true),
		generator: Type.Union([Type.Literal("heuristic"), Type.Literal("llm")], { default: "heuristic" }),
		/**
		 * A record is written after this many idle minutes. 0 means that idle sessions get no record.
		 */
		idleMinutes: Type.Number({ minimum: 0, default: 0, quieter: "never" }),
		/**
		 * When a session with at least this many messages ends, a record is written. 0 means that no
		 * record is written.
		 */
		minMessages: Type.Integer({ minimum: 0, default: 8, quieter: "never" }),
		pinCard: Switch(true),
		notify: Switch(false),
		tabTitle: Switch(true),
	}),
	live: Type.Object({
		answers: Switch(true),
		overlaps: Switch(true),
	}),
});

export type Settings = Static<typeof SettingsSchema>;

export function defaultSettings(): Settings {
	return Value.Create(SettingsSchema);
}

export interface SettingKey {
	name: string;
	group: string | undefined;
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

export const SETTING_KEYS: readonly SettingKey[] = Object.entries<TSchema>(SettingsSchema.properties).flatMap(
	([name, schema]): SettingKey[] => {
		if (!("properties" in schema)) return [{ name, group: undefined, leaf: name, schema }];
		const inner = Object.entries(schema.properties as Record<string, TSchema>);
		return inner.map(([leaf, of]) => ({ name: `${name}.${leaf}`, group: name, leaf, schema: of }));
	},
);

/** Reads only the object's own properties, so a `__proto__` key in the settings file has no effect. */
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

export function expectedValue({ schema }: SettingKey): string {
	if (schema.description) return schema.description;
	if (schema.anyOf) return schema.anyOf.map((choice) => JSON.stringify(choice.const)).join(" or ");
	if (schema.type === "boolean") return "true or false";
	return `${schema.type === "integer" ? "a whole number" : "a number"} of at least ${schema.minimum ?? 0}`;
}

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

export function offValue({ schema }: SettingKey): false | 0 | undefined {
	if (schema.quieter === "off") return false;
	return schema.quieter === "less" || schema.quieter === "never" ? 0 : undefined;
}
