import { type FlagValues, type LoadedSettings, offReason } from "../session-core/pi/index.ts";
import type { Limits } from "./presence.ts";

/** The extension's configuration: the settings, overridden by flags and the environment. */
export type RecapConfig = ReturnType<typeof recapConfig>;

export function recapConfig(
	loaded: Pick<LoadedSettings, "settings" | "origins">,
	flags: FlagValues,
	env: Readonly<Record<string, string | undefined>>,
) {
	const problems: string[] = [];
	const { recap, dailyCostLimit } = loaded.settings;
	const milliseconds = (flag: string, setting: number) =>
		(readSeconds(flags[flag], setting) ?? complain(flag, setting)) * 1000;
	const complain = (flag: string, setting: number) => {
		const found = String(flags[flag]).trim().slice(0, 40);
		problems.push(`--${flag}: found "${found}", expected seconds from 0; using ${setting}`);
		return setting;
	};
	const off = offReason("recap", flags, loaded, env);
	const limits: Limits = {
		awayMs: milliseconds("recap-away-seconds", recap.awaySeconds),
		focusMinMs: milliseconds("recap-focus-min-seconds", recap.focusMinSeconds),
		idleMs: milliseconds("recap-idle-seconds", recap.idleSeconds),
		focus: recap.focus && flags["recap-disable-focus"] !== true,
		auto: off === undefined,
	};
	return {
		limits,
		dailyCostLimit,
		/** Why there are no automatic recaps; undefined if they are on. */
		off,
		/** One message for each flag whose value is not a number of seconds. Messages quote the value, so sanitize them before showing them. */
		problems,
	};
}

/** The maximum delay of a timer in Node.js, in seconds (2^31 − 1 ms). */
const MAX_SECONDS = 2_147_483;

function readSeconds(flag: boolean | string | undefined, setting: number): number | undefined {
	if (flag === undefined) return Math.min(setting, MAX_SECONDS);
	const found = String(flag).trim();
	return /^\d+(\.\d+)?$/.test(found) && Number(found) <= MAX_SECONDS ? Number(found) : undefined;
}
