import { type FlagTable, type FlagValues, namedModels, offReason } from "../session-core/settings/flags.ts";
import type { LoadedSettings } from "../session-core/settings/load.ts";
import type { Limits } from "./presence.ts";

export const RECAP_FLAGS = {
	"recap-model": {
		type: "string",
		description: "Model for recaps, as provider/id (default: fastModel setting, then the active model)",
	},
	"recap-away-seconds": {
		type: "string",
		description: "Recap when you return after this long (default: 90)",
	},
	"recap-focus-min-seconds": {
		type: "string",
		description: "Recap when the agent finished while you were away at least this long (default: 3)",
	},
	"recap-idle-seconds": {
		type: "string",
		description: "Recap after this long without input or keystrokes (default: 120)",
	},
	"recap-disable-focus": {
		type: "boolean",
		description:
			"Do not ask the terminal for focus reports; only the idle time counts (before a prompt, write --recap-disable-focus=true)",
	},
	"recap-disable": {
		type: "boolean",
		description: "No recaps unless you type /recap (before a prompt, write --recap-disable=true)",
	},
} as const satisfies FlagTable;

type RecapFlag = keyof typeof RECAP_FLAGS;
export type RecapFlags = FlagValues<RecapFlag>;

/** The extension's configuration: the settings, overridden by flags and the environment. */
export type RecapConfig = ReturnType<typeof recapConfig>;

export function recapConfig(
	loaded: Pick<LoadedSettings, "settings" | "origins">,
	flags: RecapFlags,
	env: Readonly<Record<string, string | undefined>>,
) {
	const problems: string[] = [];
	const { recap, dailyCostLimit } = loaded.settings;
	const milliseconds = (flag: RecapFlag, setting: number) =>
		(readSeconds(flags[flag], setting) ?? complain(flag, setting)) * 1000;
	const complain = (flag: RecapFlag, setting: number) => {
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
		models: namedModels("recap", flags, loaded.settings),
		includeProjectContext: recap.includeProjectContext,
		dailyCostLimit,
		/** Why there are no automatic recaps; undefined if they are on. */
		off,
		/** One message for each flag whose value is not a number of seconds. It quotes the flag, so it must be sanitized before it is shown. */
		problems,
	};
}

/** The maximum delay of a timer in Node.js, in seconds (2^31 − 1 ms). */
const MAX_SECONDS = 2_147_483;

/** Parses a number of seconds. Returns undefined if the flag's value is not a number. */
function readSeconds(flag: boolean | string | undefined, setting: number): number | undefined {
	if (flag === undefined) return Math.min(setting, MAX_SECONDS);
	const found = String(flag).trim();
	return /^\d+(\.\d+)?$/.test(found) && Number(found) <= MAX_SECONDS ? Number(found) : undefined;
}
