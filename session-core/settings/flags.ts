import { stripVTControlCharacters } from "node:util";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import type { NamedModels } from "../model/choose-model.ts";
import type { Settings } from "./defaults.ts";
import type { LoadedSettings } from "./load.ts";

interface FlagHost {
	registerFlag(name: string, options: { description: string; type: "boolean" | "string" }): void;
	getFlag(name: string): boolean | string | undefined;
}

/** Flags by name. The host shows their descriptions in `pi --help`. */
export type FlagTable = Readonly<Record<string, { type: "boolean" | "string"; description: string }>>;

/** The flags that the user passed. A flag that was not passed is absent. */
export type FlagValues<Name extends string> = Partial<Record<Name, boolean | string>>;

/** Registers the flags, and warns at startup if a boolean flag has taken the prompt as its value. */
export function registerFlags(host: FlagHost & Pick<ExtensionAPI, "on">, table: FlagTable): void {
	for (const [name, options] of Object.entries(table)) host.registerFlag(name, options);
	host.on("session_start", ({ reason }, { hasUI, ui }) => {
		const lost = reason === "startup" ? swallowedWords(process.argv.slice(2), table) : [];
		if (lost.length === 0) return;
		for (const { flag, word } of lost) {
			const text = `--${flag}: took "${stripVTControlCharacters(word).slice(0, 60)}" as its value, so it was not sent. Write --${flag}=true, or put the prompt first.`;
			if (hasUI) ui.notify(text, "warning");
			else process.stderr.write(`${text}\n`);
		}
	});
}

/**
 * Returns the words that the host's parser has taken as the values of boolean flags. It takes the word after any flag of an extension, and
 * then discards it, so only the command line shows it.
 */
export function swallowedWords(args: readonly string[], table: FlagTable): { flag: string; word: string }[] {
	const end = args.indexOf("--");
	const read = end < 0 ? args : args.slice(0, end);
	return read.flatMap((arg, at) => {
		const flag = arg.slice(2);
		const word = read[at + 1];
		if (!arg.startsWith("--") || table[flag]?.type !== "boolean" || word === undefined) return [];
		return /^(?:[-@]|(?:true|false)$)/.test(word) ? [] : [{ flag, word }];
	});
}

export function readFlags<Table extends FlagTable>(
	host: FlagHost,
	table: Table,
): FlagValues<keyof Table & string> {
	const values: FlagValues<keyof Table & string> = {};
	for (const name of Object.keys(table) as (keyof Table & string)[]) {
		const value = host.getFlag(name);
		if (value !== undefined) values[name] = value;
	}
	return values;
}

/** A feature that works automatically, and that a flag, an environment variable and a setting can turn off. */
type Feature = "recap" | "title";

export function namedModels(feature: Feature, flags: FlagValues<string>, settings: Settings): NamedModels {
	const flag = flags[`${feature}-model`];
	const text = typeof flag === "string" ? flag.trim() : "";
	const { fastModel } = settings;
	return { flag: text === "" ? undefined : text, setting: settings[feature].model, fastModel };
}

/** Why an automatic feature is off. `unreadable`: a settings file cannot be read. */
export type OffReason = "flag" | "environment" | "setting" | "project" | "unreadable";

/** Returns why the feature is off, or undefined if it is on. If there are several reasons, returns the most immediate one. */
export function offReason(
	feature: Feature,
	flags: FlagValues<string>,
	{ settings, origins }: Pick<LoadedSettings, "settings" | "origins">,
	env: Readonly<Record<string, string | undefined>>,
): OffReason | undefined {
	if (flags[`${feature}-disable`] === true) return "flag";
	if (env[`PI_DISABLE_AUTO_${feature.toUpperCase()}`] === "1") return "environment";
	if (settings[feature].enabled) return undefined;
	const origin = origins.get(`${feature}.enabled`);
	return origin === "project" || origin === "unreadable" ? origin : "setting";
}

export function offText(reason: OffReason, feature: Feature): string {
	const by: Readonly<Record<OffReason, string>> = {
		flag: `--${feature}-disable`,
		environment: `PI_DISABLE_AUTO_${feature.toUpperCase()}=1`,
		setting: feature === "recap" ? "type /recap on to turn them on" : `${feature}.enabled`,
		project: "this project's .pi/session-suite.json",
		unreadable: "a settings file cannot be read; type /recap doctor to see which one",
	};
	return `off (${by[reason]})`;
}
