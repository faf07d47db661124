import { textFlag } from "../../session-core/flags.ts";
import type { NamedModels } from "../../session-core/model/policy.ts";
import { type OffReason, offReason } from "../../session-core/off-switch.ts";
import type { Settings } from "../../session-core/settings/schema.ts";
import type { TitleFlags } from "./flags.ts";

/** The environment variable that switches automatic titles off. */
export const OFF_VARIABLE = "PI_DISABLE_AUTO_TITLE";

/** What the extension runs by: settings, then flags and environment over them. */
export interface TitleConfig {
	models: NamedModels;
	/** In the currency of the model's price table; automatic calls stop there. */
	dailyCostLimit: number;
	/** Why sessions do not name themselves; undefined: they do. */
	off: OffReason | undefined;
}

export function resolveConfig(
	settings: Settings,
	flags: TitleFlags,
	env: Readonly<Record<string, string | undefined>>,
): TitleConfig {
	const { title, fastModel, dailyCostLimit } = settings;
	return {
		models: { flag: textFlag(flags["title-model"]), setting: title.model, fastModel },
		dailyCostLimit,
		off: offReason({
			flag: flags["title-disable"],
			variable: env[OFF_VARIABLE],
			enabled: title.enabled,
		}),
	};
}
