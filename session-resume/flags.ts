import type { FlagTable } from "../session-core/settings/flags.ts";

/** The command-line flags of the extension. */
export const RESUME_FLAGS = {
	"card-disable": {
		type: "boolean",
		description: "No card unless you type /recap-card show (before a prompt, write --card-disable=true)",
	},
} as const satisfies FlagTable;

/** The environment variable that has the same effect, for panes that programs read. */
export const CARD_OFF_VARIABLE = "PI_DISABLE_SESSION_CARD";
