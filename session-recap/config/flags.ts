import type { FlagTable, FlagValues } from "../../session-core/flags.ts";

/** The command-line flags of the extension. The host shows the descriptions in `pi --help`. */

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
		description: "Do not ask the terminal for focus reports; only the idle time counts",
	},
	"recap-disable": {
		type: "boolean",
		description: "No recaps unless you type /recap",
	},
} as const satisfies FlagTable;

export type RecapFlag = keyof typeof RECAP_FLAGS;
export type RecapFlags = FlagValues<RecapFlag>;
