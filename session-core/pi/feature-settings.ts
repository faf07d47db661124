import { join } from "node:path";
import { type LoadedSettings, openSettings, SETTINGS_FILE } from "../settings/index.ts";
import { type FlagValues, getAgentDir, hostBrand } from "./host/index.ts";
import type { Feature, NamedModel } from "./model/index.ts";

export function settingsIn(cwd: string, warn?: (problem: string) => void): ReturnType<typeof openSettings> {
	return openSettings({ agentDir: getAgentDir(), project: join(cwd, hostBrand().configDir) }, warn);
}

export function namedModels(
	feature: Feature,
	flags: FlagValues,
	{ settings, picked }: Pick<LoadedSettings, "settings" | "picked">,
): NamedModel[] {
	const named = {
		[`--${feature}-model`]: flags[`${feature}-model`],
		[`${feature}.model`]: settings[feature].model,
		fastModel: settings.fastModel,
		"/recap model": picked,
	};
	return Object.entries(named).flatMap(([source, value]) => {
		const spec = typeof value === "string" ? value.trim() : "";
		return spec === "" ? [] : [{ source, spec }];
	});
}

export type OffReason = "flag" | "environment" | "setting" | "project" | "unreadable";

/**
 * Returns the reason why the feature is off, or undefined if it is on. Flags take precedence over
 * environment variables, and environment variables take precedence over settings.
 */
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
		flag: `because of --${feature}-disable`,
		environment: `because of PI_DISABLE_AUTO_${feature.toUpperCase()}=1`,
		setting: feature === "recap" ? "type /recap on to turn recaps on" : `because ${feature}.enabled is false`,
		project: `because of the project's ${hostBrand().configDir}/${SETTINGS_FILE}`,
		unreadable: "because a settings file cannot be read; type /recap doctor to see which one",
	};
	return `off (${by[reason]})`;
}
