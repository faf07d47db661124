/** The command-line flags of the extensions, and the reasons why an automatic feature is off. */

import { stripVTControlCharacters } from "node:util";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import type { LoadedSettings } from "./load.ts";

/** The methods of the host's API that register and read flags. */
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

/** Returns the value of a flag; undefined if the flag was not passed or is blank. */
export function textFlag(value: boolean | string | undefined): string | undefined {
	return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** Why an automatic feature is off. `unreadable`: a settings file cannot be read. */
export type OffReason = "flag" | "environment" | "setting" | "project" | "unreadable";

interface OffSwitches {
	/** The value of the `--…-disable` flag. */
	flag: boolean | string | undefined;
	/** The value of the environment variable; `1` turns the feature off. */
	variable: string | undefined;
	loaded: Pick<LoadedSettings, "settings" | "origins">;
	feature: "recap" | "title";
}

/** Returns why the feature is off, or undefined if it is on. If there are several reasons, returns the most immediate one. */
export function offReason({ flag, variable, loaded, feature }: OffSwitches): OffReason | undefined {
	if (flag === true) return "flag";
	if (variable === "1") return "environment";
	if (loaded.settings[feature].enabled) return undefined;
	const origin = loaded.origins.get(`${feature}.enabled`);
	return origin === "project" || origin === "unreadable" ? origin : "setting";
}
