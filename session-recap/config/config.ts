import { textFlag } from "../../session-core/flags.ts";
import type { NamedModels } from "../../session-core/model/policy.ts";
import { type OffReason, offReason } from "../../session-core/off-switch.ts";
import type { Settings } from "../../session-core/settings/schema.ts";
import type { Limits } from "../presence/types.ts";
import type { RecapFlag, RecapFlags } from "./flags.ts";

/** The environment variable that switches automatic recaps off. */
export const OFF_VARIABLE = "PI_DISABLE_AUTO_RECAP";

/** What the extension runs by: settings, then flags and environment over them. */
export interface RecapConfig {
	limits: Limits;
	models: NamedModels;
	/** In the currency of the model's price table; automatic calls stop there. */
	dailyCostLimit: number;
	includeProjectContext: boolean;
	/** The key that shows and hides the recap, for the widget; undefined: none is bound. */
	hideKey?: string | undefined;
	/** Why nothing comes by itself; undefined: it does. */
	off: OffReason | undefined;
	/** Flags that could not be used. */
	problems: FlagProblem[];
}

/** A flag whose value is no number of seconds. `fallback` is used in its place. */
export interface FlagProblem {
	flag: RecapFlag;
	found: string;
	fallback: number;
}

export function resolveConfig(
	settings: Settings,
	flags: RecapFlags,
	env: Readonly<Record<string, string | undefined>>,
	/** Names of the settings that the project has its way with. */
	quieted: readonly string[] = [],
): RecapConfig {
	const problems: FlagProblem[] = [];
	const { recap } = settings;
	const milliseconds = (flag: RecapFlag, fallback: number) => {
		const read = readSeconds(flag, flags[flag], fallback);
		if (read.problem) problems.push(read.problem);
		return read.seconds * 1000;
	};
	const off = offReason({
		flag: flags["recap-disable"],
		variable: env[OFF_VARIABLE],
		enabled: recap.enabled,
		byProject: quieted.includes("recap.enabled"),
	});
	return {
		limits: {
			awayMs: milliseconds("recap-away-seconds", recap.awaySeconds),
			focusMinMs: milliseconds("recap-focus-min-seconds", recap.focusMinSeconds),
			idleMs: milliseconds("recap-idle-seconds", recap.idleSeconds),
			focus: recap.focus && flags["recap-disable-focus"] !== true,
			auto: off === undefined,
		},
		models: {
			flag: textFlag(flags["recap-model"]),
			setting: recap.model,
			fastModel: settings.fastModel,
		},
		dailyCostLimit: settings.dailyCostLimit,
		includeProjectContext: recap.includeProjectContext,
		off,
		problems,
	};
}

/** The configuration after `/recap on` or `/recap off` changed the setting; flag, environment and project still win. */
export function withSetting(config: RecapConfig, enabled: boolean): Pick<RecapConfig, "off" | "limits"> {
	const bySetting: OffReason | undefined = enabled ? undefined : "setting";
	const off = config.off === undefined || config.off === "setting" ? bySetting : config.off;
	return { off, limits: { ...config.limits, auto: off === undefined } };
}

/** Longest time that a timer of the platform can hold, in seconds (2^31 − 1 ms). */
const MAX_SECONDS = 2_147_483;

function readSeconds(
	flag: RecapFlag,
	value: boolean | string | undefined,
	fallback: number,
): { seconds: number; problem?: FlagProblem } {
	if (value === undefined) return { seconds: Math.min(fallback, MAX_SECONDS) };
	const found = String(value).trim();
	const seconds = /^\d+(\.\d+)?$/.test(found) ? Number(found) : Number.NaN;
	if (seconds <= MAX_SECONDS) return { seconds };
	return { seconds: fallback, problem: { flag, found, fallback } };
}
