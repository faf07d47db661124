import { FOREIGN } from "../log/index.ts";
import {
	type Check,
	isFlag,
	isListOf,
	isNumber,
	isOneOf,
	isText,
	type JsonObject,
} from "../text/files/index.ts";

/**
 * Limits what a project's settings file may change, because a repository must not spend the user's
 * money or decide where text is sent. With `off`, only `false` is allowed; with `less`, only a lower number;
 * with `more`, only a higher number. With `never`, the number 0 turns a feature off, so 0 is allowed, and a
 * higher number is allowed if the feature is on.
 */
type Quieter = "off" | "less" | "more" | "never";

interface Setting<T> {
	initial: T;
	check: Check<T>;
	/** The accepted values, as described in error messages such as `found 1, expected true or false`. */
	expected: string;
	quieter: Quieter | undefined;
}

function setting<T>(initial: T, check: Check<T>, expected: string, quieter?: Quieter): Setting<T> {
	return { initial, check, expected, quieter };
}

const flag = (initial: boolean) => setting(initial, isFlag, "true or false", "off");

const isAmount = (value: unknown): value is number => isNumber(value) && value >= 0;
const amount = (initial: number, quieter: Quieter) =>
	setting(initial, isAmount, "a number of at least 0", quieter);

const isWhole = (value: unknown): value is number => isAmount(value) && Number.isInteger(value);

const optional = (pattern: RegExp, expected: string) =>
	setting<string | undefined>(
		undefined,
		(value): value is string => isText(value) && pattern.test(value),
		expected,
	);

const model = optional(/^[^/\s]+\/\S+$/, '"provider/model"');

const AGENTS = FOREIGN.map(({ name }) => name);

/**
 * The default values of all settings. TypeBox is not used to check settings, because it takes a third of a
 * second to load.
 */
const SETTINGS = {
	fastModel: model,
	/** The maximum cost of automatic model calls per day, in the currency of the model's price table. */
	dailyCostLimit: amount(0.5, "less"),
	/**
	 * The language of model answers, recaps and cards as a BCP 47 tag. By default, this is the language
	 * of the session's prompts or, if that language is unclear, the locale's language. Commands and
	 * messages are always in English.
	 */
	language: optional(
		// The pattern accepts only language tags for which `Intl` does not throw an error.
		/^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?(-([A-Za-z\d]{5,8}|\d[A-Za-z\d]{3}))?$/,
		'a language tag, such as "da" or "pt-BR"',
	),
	/** The other agents whose sessions are included in lists and searches. */
	agents: setting<string[]>(
		[],
		isListOf(isOneOf(...AGENTS)),
		`a list of ${AGENTS.map((name) => JSON.stringify(name)).join(" and ")}`,
	),
	debug: flag(false),
	recap: {
		enabled: flag(true),
		model,
		awaySeconds: amount(90, "more"),
		focusMinSeconds: amount(3, "more"),
		idleSeconds: amount(120, "more"),
		focus: flag(true),
		includeProjectContext: flag(false),
	},
	title: { enabled: flag(true), model },
	recall: { enabled: flag(true) },
	resume: {
		/** If `enabled` is false, the other settings in the same group are also turned off. */
		enabled: flag(true),
		generator: setting<"heuristic" | "llm">("heuristic", isOneOf("heuristic", "llm"), '"heuristic" or "llm"'),
		/**
		 * The number of idle minutes after which a recap is saved. The value 0 disables saving when a session
		 * is idle.
		 */
		idleMinutes: amount(0, "never"),
		/**
		 * The minimum number of messages in a session for a recap to be saved at the end. If the value is
		 * 0, no recap is saved.
		 */
		minMessages: setting(8, isWhole, "a whole number of at least 0", "never"),
		pinCard: flag(true),
		notify: flag(false),
		tabTitle: flag(true),
	},
	live: { answers: flag(true), overlaps: flag(true) },
};

type Values<T> = { [Name in keyof T]: T[Name] extends Setting<infer V> ? V : Values<T[Name]> };

export type Settings = Values<typeof SETTINGS>;

export interface SettingKey extends Setting<unknown> {
	name: string;
	group: string | undefined;
	leaf: string;
}

export const SETTING_KEYS: readonly SettingKey[] = Object.entries(SETTINGS).flatMap(
	([name, one]): SettingKey[] => {
		if ("check" in one) return [{ ...(one as Setting<unknown>), name, group: undefined, leaf: name }];
		const inner = Object.entries<Setting<unknown>>(one);
		return inner.map(([leaf, of]) => ({ ...of, name: `${name}.${leaf}`, group: name, leaf }));
	},
);

export function defaultSettings(): Settings {
	const settings: JsonObject = {};
	for (const key of SETTING_KEYS) setSetting(settings, key, key.initial);
	return settings as Settings;
}

export function setSetting(root: JsonObject, { group, leaf }: SettingKey, value: unknown): void {
	if (group === undefined) root[leaf] = value;
	else root[group] = { ...(root[group] as JsonObject | undefined), [leaf]: value };
}

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

export function isQuieter({ quieter }: SettingKey, wanted: unknown, current: unknown): boolean {
	const isMore = Number(wanted) >= Number(current);
	switch (quieter) {
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

export function offValue({ quieter }: SettingKey): false | 0 | undefined {
	if (quieter === "off") return false;
	return quieter === "less" || quieter === "never" ? 0 : undefined;
}
