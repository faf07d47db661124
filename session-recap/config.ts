import { type FlagValues, type LoadedSettings, offReason } from "../session-core/pi/index.ts";
import type { Limits } from "./presence.ts";

export type RecapConfig = ReturnType<typeof recapConfig>;

/** A Node.js timer cannot run for longer than 2^31 − 1 milliseconds. */
const MAX_SECONDS = 2_147_483;

export function recapConfig(
	loaded: Pick<LoadedSettings, "settings" | "origins">,
	flags: FlagValues,
	env: Readonly<Record<string, string | undefined>>,
) {
	const problems: string[] = [];
	const { recap, dailyCostLimit } = loaded.settings;
	const milliseconds = (flag: string, setting: number) => {
		const typed = flags[flag];
		if (typed === undefined) return Math.min(setting, MAX_SECONDS) * 1000;
		const text = String(typed).trim();
		if (/^\d+(\.\d+)?$/.test(text) && Number(text) <= MAX_SECONDS) return Number(text) * 1000;
		problems.push(`--${flag}: found "${text.slice(0, 40)}", expected seconds from 0; using ${setting}`);
		return setting * 1000;
	};
	const off = offReason("recap", flags, loaded, env);
	const limits: Limits = {
		awayMs: milliseconds("recap-away-seconds", recap.awaySeconds),
		focusMinMs: milliseconds("recap-focus-min-seconds", recap.focusMinSeconds),
		idleMs: milliseconds("recap-idle-seconds", recap.idleSeconds),
		focus: recap.focus && flags["recap-disable-focus"] !== true,
		auto: off === undefined,
	};
	/**
	 * `off` says why automatic recaps are off. `problems` quotes invalid values of flags, so the messages
	 * must be sanitized before they are shown.
	 */
	return { limits, dailyCostLimit, off, problems };
}
