import type { FlagTable, FlagValues } from "../../session-core/flags.ts";

/** The command-line flags of the extension. */
export const TITLE_FLAGS = {
	"title-model": {
		type: "string",
		description:
			"Model for session titles, as provider/id (default: fastModel setting, then a cheap sibling)",
	},
	"title-disable": {
		type: "boolean",
		description: "Sessions do not name themselves; /rename still works",
	},
} as const satisfies FlagTable;

export type TitleFlags = FlagValues<keyof typeof TITLE_FLAGS>;
