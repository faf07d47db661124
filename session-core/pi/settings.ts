import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { FOREIGN } from "../log/index.ts";
import type { JsonObject } from "../text/files/index.ts";

/** The name of the settings file, both in the agent directory and in a project's `.pi` folder. */
export const SETTINGS_FILE = "session-suite.json";

/**
 * How a project's settings file may change a setting. The file may only make the suite quieter, because a repository must neither spend
 * money nor choose where text is sent. `off`: it may only be set to false. `less`: it may only be lowered. `more`: it may only be raised.
 * `never`: like `more`, but 0 means never and is the quietest value.
 */
type Quieter = "off" | "less" | "more" | "never";

const Switch = (enabled: boolean) => Type.Boolean({ default: enabled, quieter: "off" });
const Seconds = (seconds: number) => Type.Number({ minimum: 0, default: seconds, quieter: "more" });
const ModelSpec = Type.Optional(Type.String({ pattern: "^[^/\\s]+/\\S+$", description: '"provider/model"' }));

/** The settings in `<agentDir>/session-suite.json`. Every key has a default, so a file contains only what it changes. */
export const SettingsSchema = Type.Object({
	fastModel: ModelSpec,
	/** Maximum cost of automatic model calls per day, in the currency of the model's price table. */
	dailyCostLimit: Type.Number({ minimum: 0, default: 0.5, quieter: "less" }),
	/**
	 * The language of a model's answers as a BCP 47 tag. Also used for the labels in a recap and a card if they are available in this
	 * language. Default: the language of the session's prompts or, if that is unclear, of the locale. The interface is always English.
	 */
	language: Type.Optional(
		Type.String({
			// Language, script, region and a variant: everything that `Intl` accepts without throwing.
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
		/** Whether session-resume does anything automatically. If this is false, its other switches are off as well. */
		enabled: Switch(true),
		generator: Type.Union([Type.Literal("heuristic"), Type.Literal("llm")], { default: "heuristic" }),
		/** Number of idle minutes after which a record is written; 0 means never. */
		idleMinutes: Type.Number({ minimum: 0, default: 0, quieter: "never" }),
		/** Minimum number of messages for a record to be written at the end of a session; 0 means never. */
		minMessages: Type.Integer({ minimum: 0, default: 8, quieter: "never" }),
		pinCard: Switch(true),
		notify: Switch(false),
		tabTitle: Switch(true),
	}),
	live: Type.Object({
		/** Whether this pi accepts answers that the user sends from the board, the shell or the page. */
		answers: Switch(true),
		/** Whether a message appears if another live session has changed the same uncommitted file. */
		overlaps: Switch(true),
	}),
});

export type Settings = Static<typeof SettingsSchema>;

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

/** Returns the value of a setting. Only own properties count, so a `__proto__` in a file cannot supply settings. */
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
	return `${schema.type === "integer" ? "a whole number" : "a number"} from ${schema.minimum ?? 0}`;
}

/** Whether a valid new value makes the suite at least as quiet as the current value does. */
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

/** Returns the value that turns an automatic feature off, or undefined if the setting does not control one. */
export function offValue({ schema }: SettingKey): false | 0 | undefined {
	if (schema.quieter === "off") return false;
	return schema.quieter === "less" || schema.quieter === "never" ? 0 : undefined;
}
