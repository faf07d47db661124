import { hostBrand } from "../host/brand.ts";
import type { FlagValues } from "../host/register.ts";
import type { NamedModels } from "../model/choose-model.ts";
import type { LoadedSettings } from "./load.ts";

/** A feature that works automatically, and that a flag, an environment variable and a setting can turn off. */
type Feature = "recap" | "title";

export function namedModels(
	feature: Feature,
	flags: FlagValues,
	{ settings, picked }: Pick<LoadedSettings, "settings" | "picked">,
): NamedModels {
	const flag = flags[`${feature}-model`];
	const text = typeof flag === "string" ? flag.trim() : "";
	return {
		flag: text === "" ? undefined : text,
		setting: settings[feature].model,
		fastModel: settings.fastModel,
		picked,
	};
}

/** Why an automatic feature is off. `unreadable`: a settings file cannot be read. */
export type OffReason = "flag" | "environment" | "setting" | "project" | "unreadable";

/** Returns why the feature is off, or undefined if it is on. If there are several reasons, returns the most immediate one. */
export function offReason(
	feature: Feature,
	flags: FlagValues,
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
		project: `this project's ${hostBrand().configDir}/session-suite.json`,
		unreadable: "a settings file cannot be read; type /recap doctor to see which one",
	};
	return `off (${by[reason]})`;
}
